/** The end of a lane at which a protocol is spoken, and the addresses it can have. */
import {
  type Answer,
  type BmcAddress,
  bmcAddress,
  type Credentials,
  type OpenStream,
  type Outcome,
  originOf,
} from "#redfish";
import type { CommandOptions } from "../ipmi/ipmi-driver.ts";
import type { LaneDetail } from "../lane/lane.ts";
import type { SessionMode } from "../lane/lane-metrics.ts";
import type { PortRequest, RootOptions } from "./redfish-port.ts";

export interface Port {
  /** How we prove who we are, now. */
  readonly sessionMode: SessionMode;
  /** A Redfish request. */
  send(request: PortRequest): Promise<Outcome<Answer>>;
  root(options: RootOptions): Promise<Outcome<Answer>>;
  /** A Redfish request whose answer has no end. */
  stream(request: PortRequest): Promise<Outcome<OpenStream>>;
  /** An `ipmitool` command. */
  command(args: readonly string[], options: CommandOptions): Promise<Outcome<string>>;
  /** Called when the credentials are others than before. */
  useCredentials(credentials: Credentials): void;
  /** Sessions that an earlier process of ours may have left; they are removed at the next contact. */
  adopt(recorded: readonly string[]): void;
  /** Ends what is under way, logs out, ends the socket. */
  close(): Promise<void>;
}

/** A BMC without Redfish. */
export interface IpmiAddress {
  readonly scheme: "ipmi";
  readonly host: string;
  readonly port: number;
  /** How to encrypt; asked of the BMC when left out, which costs a request and some BMCs do not answer. */
  readonly cipherSuite?: number;
}

/** The canonical form of what people write; throws a sentence when it is not an address. */
export function ipmiAddress(host: string, port = 623, cipherSuite?: number): IpmiAddress {
  const { host: canonical } = bmcAddress("http", host, port);
  return { scheme: "ipmi", host: canonical, port, ...(cipherSuite === undefined ? {} : { cipherSuite }) };
}

export function laneKey(address: BmcAddress | IpmiAddress): string {
  if (address.scheme !== "ipmi") return originOf(address);
  return originOf({ host: address.host, port: address.port, scheme: "http" }).replace(/^http/, "ipmi");
}

/** Everything about one lane, for a person who asks. */
export interface PortDetail extends LaneDetail {
  readonly session: SessionMode;
}
