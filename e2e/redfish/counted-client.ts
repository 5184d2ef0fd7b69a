/** For suites: a client of one simulated BMC that remembers what it asked. */
import { systemClock } from "#clock";
import type { SimulatedBmc } from "#fleet";
import {
  type Answer,
  bmcAddress,
  type Introduction,
  introduce,
  type Outcome,
  type RedfishClient,
  type RedfishRequest,
  type RedfishService,
  redfishClient,
  Survey,
} from "#redfish";

export interface CountedClient {
  readonly client: RedfishClient;
  readonly service: RedfishService;
  /** What was asked for, in order: method and path with its query. The service root read for the login is the first. */
  readonly asked: RedfishRequest[];
  close(): Promise<Outcome<undefined>>;
}

export function addressOf({ address }: Pick<SimulatedBmc, "address">): ReturnType<typeof bmcAddress> {
  const { protocol, hostname, port } = new URL(address);
  return bmcAddress(protocol.slice(0, -1), hostname, Number(port));
}

/** Counts below the session, so that logins and second tries count too. */
export function countedClient(bmc: SimulatedBmc): CountedClient {
  const asked: RedfishRequest[] = [];
  const client = redfishClient({
    address: addressOf(bmc),
    credentials: { username: bmc.username, password: () => bmc.password },
    clock: systemClock,
  });
  const send = client.connection.send.bind(client.connection);
  client.connection.send = (request: RedfishRequest): Promise<Outcome<Answer>> => {
    asked.push(request);
    return send(request);
  };
  return { client, service: client.service, asked, close: () => client.close() };
}

/** A client that knows its vendor, as a lane would hold it. */
export async function introduced(
  bmc: SimulatedBmc,
): Promise<{ client: CountedClient; service: RedfishService; introduction: Introduction }> {
  const client = countedClient(bmc);
  const survey = new Survey(client.service);
  const introduction = await introduce(survey);
  if (!introduction.ok) throw new Error(introduction.failure.message);
  return { client, service: survey.service, introduction: introduction.value };
}
