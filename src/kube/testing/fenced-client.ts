/** A fence around a client that has no transport to put it on; asked when a call begins. For tests. */
import type { Client } from "../client/client.ts";
import type { Fence } from "../transport/fence.ts";

const STREAMS = new Set<string | symbol>(["watch", "pages"]);

export function fencedClient(client: Client, fence: Fence): Client {
  return new Proxy(client, {
    get(target, name) {
      const method = Reflect.get(target, name, target) as unknown;
      if (typeof method !== "function") return method;
      const call = (args: unknown[]): unknown => {
        fence.check();
        return Reflect.apply(method, target, args);
      };
      if (!STREAMS.has(name)) return async (...args: unknown[]) => call(args);
      return async function* (...args: unknown[]) {
        yield* call(args) as AsyncIterable<unknown>;
      };
    },
  });
}
