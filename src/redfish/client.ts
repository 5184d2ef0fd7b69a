/** A BMC to talk to, put together: connection, session and service, with one owner that ends them. */
import type { Clock } from "#clock";
import type { BmcAddress } from "./protocol/address.ts";
import { Connection, type ConnectionOptions } from "./protocol/connection.ts";
import type { Outcome } from "./protocol/outcome.ts";
import { RedfishService } from "./protocol/service.ts";
import { type Credentials, Session, type SessionOptions } from "./protocol/session.ts";

export interface RedfishClientOptions
  extends Omit<ConnectionOptions, "address" | "clock">,
    Pick<SessionOptions, "onSession"> {
  readonly address: BmcAddress;
  readonly credentials: Credentials;
  readonly clock: Clock;
}

export interface RedfishClient {
  readonly connection: Connection;
  readonly session: Session;
  readonly service: RedfishService;
  /** Logs out and ends the socket; says what became of the logout. */
  close(signal?: AbortSignal): Promise<Outcome<undefined>>;
}

/** Nothing is sent before the first request. */
export function redfishClient({ credentials, onSession, ...options }: RedfishClientOptions): RedfishClient {
  const connection = new Connection(options);
  const session = new Session({ connection, credentials, ...(onSession ? { onSession } : {}) });
  return {
    connection,
    session,
    service: new RedfishService(session, options.clock),
    async close(signal) {
      const loggedOut = await session.logout(signal);
      await connection.close();
      return loggedOut;
    },
  };
}
