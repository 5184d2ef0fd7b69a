/**
 * All lanes of this process, one per canonical address, each alive as long as an object holds it. Who came first decides
 * about the credentials; who disagrees is told so and sends nothing.
 */
import type { Clock, Random } from "#clock";
import type { BmcAddress, Credentials, TlsOptions } from "#redfish";
import { IpmiPort } from "../ipmi/ipmi-port.ts";
import type { LaneCondition } from "../lane/conditions.ts";
import { Lane, type LaneOptions } from "../lane/lane.ts";
import type { LaneMetrics } from "../lane/lane-metrics.ts";
import type { Rate } from "../lane/token-bucket.ts";
import { type HandleOptions, type HeldLane, LaneHandle, sameCredentials } from "./lane-handle.ts";
import { type IpmiAddress, laneKey, type Port, type PortDetail } from "./port.ts";
import { RedfishPort } from "./redfish-port.ts";

export interface LanesOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Throws when this process may start no request any more. Looked at right before the first byte of each. */
  readonly fence?: () => void;
  readonly metrics?: LaneMetrics;
  readonly rate?: Rate;
  /** A socket unused for this long is closed; 5 s unless said otherwise. */
  readonly idleMs?: number;
  /** Where `ipmitool` is, if not on the path. */
  readonly ipmitool?: string;
  /** Guards to use instead of the usual ones; for tests that take one out. */
  readonly guards?: (key: string) => Pick<LaneOptions, "breaker" | "reads">;
}

export interface LaneRequest extends HandleOptions {
  readonly address: BmcAddress | IpmiAddress;
  readonly tls?: TlsOptions;
  /** Requests at a time, 1 to 4. */
  readonly width?: number;
  /** Sessions that an earlier process of ours recorded and may have left behind. */
  readonly recordedSessions?: readonly string[];
}

interface Entry extends HeldLane {
  readonly lane: Lane;
  readonly port: Port;
  readonly holders: LaneHandle[];
  closing?: Promise<void>;
}

export class Lanes {
  readonly #options: LanesOptions;
  readonly #entries = new Map<string, Entry>();
  #closed = false;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Every lane as it stands now: detail that does not fit into metrics. */
  details(): readonly PortDetail[] {
    return [...this.#entries.values()].map((entry) => entry.detail());
  }

  /** Holds the lane of an address for an object, opening it if it is the first. Sends nothing. */
  acquire(request: LaneRequest): LaneHandle {
    const key = laneKey(request.address);
    if (this.#closed) throw new Error(`lane ${key}: not opened for ${request.holder}, the lanes are closed`);
    const known = this.#entries.get(key);
    const entry = known && !known.closing ? known : this.#open(key, request, known?.closing);
    const handle = new LaneHandle(entry, request);
    entry.holders.push(handle);
    if (request.recordedSessions) entry.port.adopt(request.recordedSessions);
    return handle;
  }

  /** Closes every lane with its logout; returns when none is left. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.values()].map((entry) => this.#close(entry)));
  }

  #open(key: string, request: LaneRequest, before: Promise<void> | undefined): Entry {
    const { clock, random, metrics, rate, guards } = this.#options;
    const holders: LaneHandle[] = [];
    const lane = new Lane({
      key,
      clock,
      random,
      ...(metrics ? { metrics } : {}),
      ...(rate ? { rate } : {}),
      ...(request.width === undefined ? {} : { width: request.width }),
      ...guards?.(key),
      onChange: () => {
        for (const { options } of holders) options.onChange?.();
      },
    });
    const port = this.#port(lane, request, holders, before);
    const entry = this.#entry(lane, port, holders);
    this.#entries.set(key, entry);
    return entry;
  }

  #port(lane: Lane, request: LaneRequest, holders: readonly LaneHandle[], before: Promise<void> | undefined): Port {
    const { fence, ipmitool, idleMs } = this.#options;
    const { address, credentials, tls, width } = request;
    const fenced = fence ? { fence } : {};
    if (address.scheme === "ipmi") {
      const { scheme: _, ...where } = address;
      const target = { ...where, credentials, ...(ipmitool === undefined ? {} : { executable: ipmitool }) };
      return new IpmiPort({ lane, target, ...fenced });
    }
    return new RedfishPort({
      lane,
      address,
      credentials,
      ...fenced,
      ...(tls ? { tls } : {}),
      ...(width === undefined ? {} : { connections: width }),
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(before ? { after: before } : {}),
      onSessions: (uris) => {
        for (const { options } of holders) options.onSessions?.(uris);
      },
    });
  }

  #entry(lane: Lane, port: Port, holders: LaneHandle[]): Entry {
    const entry: Entry = {
      key: lane.key,
      lane,
      port,
      holders,
      monotonic: () => lane.clock.monotonic(),
      send: (request) => port.send(request),
      root: (options) => port.root(options),
      stream: (request) => port.stream(request),
      command: (args, options) => port.command(args, options),
      conditions: () => lane.conditions.list(),
      detail: () => ({ ...lane.detail(), session: port.sessionMode }),
      conflictOf: (handle) => conflictOf(handle, holders, lane.clock),
      changeCredentials: (handle) => {
        if (handle === holders[0]) port.useCredentials(handle.credentials);
        for (const { options } of holders) options.onChange?.();
      },
      leave: (handle) => this.#leave(entry, handle),
    };
    return entry;
  }

  async #leave(entry: Entry, handle: LaneHandle): Promise<void> {
    const at = entry.holders.indexOf(handle);
    if (at < 0) return;
    entry.holders.splice(at, 1);
    const [lead] = entry.holders;
    if (!lead) return this.#close(entry);
    if (at > 0 || sameCredentials(handle.credentials, lead.credentials)) return;
    entry.port.useCredentials(lead.credentials);
    for (const { options } of entry.holders) options.onChange?.();
  }

  #close(entry: Entry): Promise<void> {
    entry.closing ??= entry.port.close().finally(() => {
      if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
    });
    return entry.closing;
  }
}

function conflictOf(handle: LaneHandle, holders: readonly LaneHandle[], clock: Clock): LaneCondition | undefined {
  const [lead] = holders;
  if (!lead || lead === handle || agree(handle.credentials, lead.credentials)) return undefined;
  return {
    type: "CredentialsConflict",
    message: `${lead.options.holder} uses this address with other credentials (user ${lead.credentials.username}); give both the same`,
    since: clock.now(),
  };
}

function agree(a: Credentials, b: Credentials): boolean {
  return a === b || sameCredentials(a, b);
}
