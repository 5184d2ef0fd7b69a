/** For tests: the HTTP server object of this process that answers a request, to make happen to it what the system would. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";

const CHANNEL = "http.server.request.start";

/** The server that answered while `ask` ran. */
export async function answeringServer(ask: () => Promise<unknown>): Promise<NodeJS.EventEmitter | undefined> {
  let server: NodeJS.EventEmitter | undefined;
  const onStart = (message: unknown): void => {
    server = (message as { server: NodeJS.EventEmitter }).server;
  };
  subscribe(CHANNEL, onStart);
  await ask();
  unsubscribe(CHANNEL, onStart);
  return server;
}
