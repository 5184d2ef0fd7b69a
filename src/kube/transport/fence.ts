/** Stops requests that must not start any more, at the moment they would be sent. */
import type { Transport } from "./transport.ts";

/** Says whether a request may still start. A lost lease closes it; it never opens again. */
export interface Fence {
  /** Throws {@link Fenced} when no request may start any more. */
  check(): void;
}

export class Fenced extends Error {
  override readonly name = "Fenced";
  constructor(reason: string) {
    super(`request not started: ${reason}`);
  }
}

/** A transport that starts no request once the fence is closed, however long the request queued before. */
export function fenced(transport: Transport, fence: Fence): Transport {
  return {
    request: (request) => {
      fence.check();
      return transport.request({
        ...request,
        beforeSend: () => {
          fence.check();
          request.beforeSend?.();
        },
      });
    },
    close: () => transport.close(),
  };
}
