/**
 * The hardware as controllers see it: attach an object to its BMC, read the snapshot, be told of changes, ask for
 * actions. Objects that name the same address share its lane and its watch.
 */
import type { Clock, Random } from "#clock";
import { failure, type Outcome, type RedfishEvent } from "#redfish";
import { ActionDoor } from "./actions/door.ts";
import { AttachedBmc, type SharedBmc } from "./attached-bmc.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import type { Driver } from "./driver/driver.ts";
import { RedfishDriver } from "./driver/redfish-driver.ts";
import { IpmiDriver } from "./ipmi/ipmi-driver.ts";
import type { LaneHandle } from "./port/lane-handle.ts";
import type { LaneRequest, Lanes } from "./port/lanes.ts";
import { EventFollower } from "./watch/event-follower.ts";
import { HardwareWatch, type WatchOptions } from "./watch/hardware-watch.ts";

export interface HardwareOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly lanes: Lanes;
  readonly audit: AuditLog;
  readonly debounce?: WatchOptions["debounce"];
  /** Listen to the event streams of BMCs that have one: a socket each, and close to no polling. */
  readonly followEvents?: boolean;
  /** Told of every event, by the address of its BMC. */
  readonly onEvent?: (bmc: string, event: RedfishEvent) => void;
}

export class Hardware {
  readonly #options: HardwareOptions;
  readonly #door: ActionDoor;
  readonly #shared = new Map<string, SharedBmc>();

  constructor(options: HardwareOptions) {
    this.#options = options;
    this.#door = new ActionDoor(options.audit);
  }

  /** Starts watching the BMC if nobody did yet. */
  attach(request: LaneRequest): AttachedBmc {
    const handle = this.#options.lanes.acquire(request);
    const shared = this.#shared.get(handle.key) ?? this.#share(handle.key);
    shared.handles.push(handle);
    shared.watch.start();
    const { clock } = this.#options;
    const detach = (): Promise<void> => this.#detach(handle, shared);
    return new AttachedBmc({ handle, shared, door: this.#door, monotonic: () => clock.monotonic(), detach });
  }

  /** Stops every watch, logs out of every BMC. */
  async close(): Promise<void> {
    await Promise.all([...this.#shared.values()].map(stopShared));
    this.#shared.clear();
    await this.#options.lanes.close();
  }

  #share(key: string): SharedBmc {
    const { clock, random, debounce } = this.#options;
    const handles: LaneHandle[] = [];
    const speaker = (): LaneHandle | undefined =>
      handles.find(({ conditions }) => !conditions.some(({ type }) => type === "CredentialsConflict"));
    const nobody = (): Promise<Outcome<never>> => Promise.resolve(failure("Fenced", `nobody holds ${key} any more`));
    const driver = key.startsWith("ipmi:")
      ? new IpmiDriver((args, options) => speaker()?.command(args, options) ?? nobody())
      : new RedfishDriver(
          {
            send: (request) => speaker()?.send(request) ?? nobody(),
            root: (options) => speaker()?.root(options) ?? nobody(),
            stream: (request) => speaker()?.stream(request) ?? nobody(),
          },
          clock,
        );
    const watch = new HardwareWatch({ driver, clock, random, ...(debounce ? { debounce } : {}) });
    const follower = this.#options.followEvents ? this.#follow(key, driver, watch) : undefined;
    const shared: SharedBmc = { driver, watch, follower, handles };
    this.#shared.set(key, shared);
    return shared;
  }

  #follow(key: string, driver: Driver, watch: HardwareWatch): EventFollower {
    const { clock, onEvent } = this.#options;
    const told = onEvent ? { onEvent: (event: RedfishEvent) => onEvent(key, event) } : {};
    const follower = new EventFollower({ driver, watch, clock, ...told });
    follower.start();
    return follower;
  }

  async #detach(handle: LaneHandle, shared: SharedBmc): Promise<void> {
    const at = shared.handles.indexOf(handle);
    if (at < 0) return;
    if (shared.handles.length === 1) {
      this.#shared.delete(handle.key);
      await stopShared(shared);
    }
    shared.handles.splice(shared.handles.indexOf(handle), 1);
    await handle.release();
  }
}

async function stopShared({ watch, follower }: SharedBmc): Promise<void> {
  await Promise.all([watch.stop(), follower?.stop()]);
}
