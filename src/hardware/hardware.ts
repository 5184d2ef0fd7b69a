/**
 * The hardware as controllers see it: attach an object to its BMC, read the snapshot, be told of changes, ask for
 * actions. Objects that name the same address share its lane and its watch.
 */
import type { Clock, Random } from "#clock";
import { failure, type Outcome, type RedfishEvent } from "#redfish";
import { ActionDoor, type ActionRequest, type BehindTheDoor } from "./actions/door.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import type { Driver, Performed } from "./driver/driver.ts";
import { RedfishDriver } from "./driver/redfish-driver.ts";
import { IpmiDriver } from "./ipmi/ipmi-driver.ts";
import type { LaneCondition } from "./lane/conditions.ts";
import type { LaneHandle } from "./port/lane-handle.ts";
import type { LaneRequest, Lanes } from "./port/lanes.ts";
import { EventFollower } from "./watch/event-follower.ts";
import { HardwareWatch, type WatchOptions } from "./watch/hardware-watch.ts";
import { type BmcSnapshot, emptySnapshot, type HardwareChange, serverIn } from "./watch/snapshot.ts";

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

interface Shared {
  readonly driver: Driver;
  readonly watch: HardwareWatch;
  readonly follower: EventFollower | undefined;
  readonly handles: LaneHandle[];
}

/** How long after an action its effect is looked for often. */
const EFFECT_MS = 120_000;

/** One object's view of its BMC. */
export interface AttachedBmc {
  /** Canonical address. */
  readonly key: string;
  /** Empty while the object may not speak to the BMC: see its conditions. */
  readonly snapshot: BmcSnapshot;
  readonly conditions: readonly LaneCondition[];
  readonly lane: LaneHandle;
  readonly watch: HardwareWatch;
  subscribe(listener: (change: HardwareChange) => void): () => void;
  /** Does something to the hardware, recorded. What came of it is in the snapshot afterwards. */
  perform(request: ActionRequest): Promise<Outcome<Performed>>;
  /** Lets go of the BMC; the last to do so ends the session. */
  detach(): Promise<void>;
}

export class Hardware {
  readonly #options: HardwareOptions;
  readonly #door: ActionDoor;
  readonly #shared = new Map<string, Shared>();

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
    const mayLook = (): boolean => !handle.conditions.some(({ type }) => type === "CredentialsConflict");
    return {
      key: handle.key,
      lane: handle,
      watch: shared.watch,
      get snapshot() {
        return mayLook() ? shared.watch.snapshot : emptySnapshot;
      },
      get conditions() {
        return handle.conditions;
      },
      subscribe: (listener) => shared.watch.subscribe((change) => void (mayLook() && listener(change))),
      perform: async (asked) =>
        mayLook()
          ? this.#door.perform(behind(handle.key, shared, this.#options.clock), asked)
          : conflicting(handle, asked),
      detach: () => this.#detach(handle, shared),
    };
  }

  /** Stops every watch, logs out of every BMC. */
  async close(): Promise<void> {
    await Promise.all([...this.#shared.values()].map(stopShared));
    this.#shared.clear();
    await this.#options.lanes.close();
  }

  #share(key: string): Shared {
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
    const shared: Shared = { driver, watch, follower, handles };
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

  async #detach(handle: LaneHandle, shared: Shared): Promise<void> {
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

async function stopShared({ watch, follower }: Shared): Promise<void> {
  await Promise.all([watch.stop(), follower?.stop()]);
}

function behind(bmc: string, { driver, watch }: Shared, clock: Clock): BehindTheDoor {
  return {
    bmc,
    perform: (action, deadlineMs, signal) =>
      driver.perform(action, { deadlineAt: clock.monotonic() + deadlineMs, ...(signal ? { signal } : {}) }),
    server: (id) => serverIn(watch.snapshot, id),
    look: (id) => {
      watch.expect(id, EFFECT_MS);
      return watch.refresh(id);
    },
  };
}

function conflicting(handle: LaneHandle, { action }: ActionRequest): Outcome<never> {
  const [conflict] = handle.conditions;
  return failure("Unauthorized", `${action.kind} on ${handle.key}: not sent, ${conflict?.message}`);
}
