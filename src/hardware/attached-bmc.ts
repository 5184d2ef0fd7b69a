/**
 * One object's view of its BMC: what is known, what changed, what may be asked. An object whose credentials conflict
 * with those of another sees its condition and nothing else.
 */
import { type CallOptions, type Credentials, failure, type Outcome, type RedfishService } from "#redfish";
import type { ActionDoor, ActionRequest } from "./actions/door.ts";
import type { Driver, HardwareInventory, Performed, ServerFacts } from "./driver/driver.ts";
import type { LaneCondition } from "./lane/conditions.ts";
import type { LaneHandle } from "./port/lane-handle.ts";
import type { PortDetail } from "./port/port.ts";
import type { EventFollower } from "./watch/event-follower.ts";
import type { HardwareWatch } from "./watch/hardware-watch.ts";
import { type BmcSnapshot, emptySnapshot, type HardwareChange, serverIn } from "./watch/snapshot.ts";

/** What all objects that name one BMC share. */
export interface SharedBmc {
  readonly driver: Driver;
  readonly watch: HardwareWatch;
  readonly follower: EventFollower | undefined;
  readonly handles: LaneHandle[];
}

export interface AttachedOptions {
  readonly handle: LaneHandle;
  readonly shared: SharedBmc;
  readonly door: ActionDoor;
  readonly monotonic: () => number;
  readonly detach: () => Promise<void>;
}

/** A reading that takes more than the watch does: settings, tasks, logs. */
export interface Reading {
  readonly name: string;
  /** Waiting and all requests together; a minute unless said otherwise. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** How long after an action its effect is looked for often. */
const EFFECT_MS = 120_000;
const READING_MS = 60_000;

export class AttachedBmc {
  readonly #options: AttachedOptions;

  constructor(options: AttachedOptions) {
    this.#options = options;
  }

  /** Canonical address. */
  get key(): string {
    return this.#options.handle.key;
  }

  /** Empty while the object may not speak to the BMC: see its conditions. */
  get snapshot(): BmcSnapshot {
    return this.#conflict() ? emptySnapshot : this.#options.shared.watch.snapshot;
  }

  get conditions(): readonly LaneCondition[] {
    return this.#options.handle.conditions;
  }

  /** How the lane stands, for a person who asks. */
  detail(): PortDetail {
    return this.#options.handle.detail();
  }

  /** The object's credentials, on every pass: equal ones change nothing. */
  updateCredentials(credentials: Credentials): void {
    this.#options.handle.updateCredentials(credentials);
  }

  /** Calls `listener` after every change of the hardware, until the returned function is called. */
  subscribe(listener: (change: HardwareChange) => void): () => void {
    return this.#options.shared.watch.subscribe((change) => {
      if (!this.#conflict()) listener(change);
    });
  }

  /** A change of this server is expected within so long: it is looked at often until then, or until `settled`. */
  expect(server: string, withinMs: number): void {
    if (!this.#conflict()) this.#options.shared.watch.expect(server, withinMs);
  }

  settled(server: string): void {
    if (!this.#conflict()) this.#options.shared.watch.settled(server);
  }

  /** An event of this BMC came in another way than by its stream. */
  notify(server?: string): void {
    if (!this.#conflict()) this.#options.shared.watch.notify(server);
  }

  /** Whether the BMC delivers events to us now. */
  eventsWork(work: boolean): void {
    if (!this.#conflict()) this.#options.shared.watch.eventsWork(work);
  }

  /** Looks at one server now. */
  async refresh(server: string, options: { readonly signal?: AbortSignal } = {}): Promise<Outcome<ServerFacts>> {
    return this.#conflict("look at the server") ?? this.#options.shared.watch.refresh(server, options);
  }

  /** Reads the whole inventory: many requests, only when asked for. */
  async refreshInventory(options: { readonly signal?: AbortSignal } = {}): Promise<Outcome<HardwareInventory>> {
    return this.#conflict("read the inventory") ?? this.#options.shared.watch.refreshInventory(options);
  }

  /** Reads what the snapshot does not hold. A reading that tries to change something is refused: that takes `perform`. */
  async read<T>(
    { name, deadlineMs = READING_MS, signal }: Reading,
    run: (service: RedfishService, options: CallOptions) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const { shared, monotonic } = this.#options;
    const options = { deadlineAt: monotonic() + deadlineMs, ...(signal ? { signal } : {}) };
    return this.#conflict(name) ?? shared.driver.read(run, options);
  }

  /** Does something to the hardware, recorded. What came of it is in the snapshot afterwards. */
  async perform(request: ActionRequest): Promise<Outcome<Performed>> {
    const { door, shared, monotonic } = this.#options;
    const { driver, watch } = shared;
    return (
      this.#conflict(request.action.kind) ??
      door.perform(
        {
          bmc: this.key,
          perform: (action, deadlineMs, signal) =>
            driver.perform(action, { deadlineAt: monotonic() + deadlineMs, ...(signal ? { signal } : {}) }),
          server: (id) => serverIn(watch.snapshot, id),
          look: (id) => {
            watch.expect(id, EFFECT_MS);
            return watch.refresh(id);
          },
        },
        request,
      )
    );
  }

  /** Lets go of the BMC; the last to do so ends the session. */
  detach(): Promise<void> {
    return this.#options.detach();
  }

  #conflict(attempt = ""): Outcome<never> | undefined {
    const conflict = this.conditions.find(({ type }) => type === "CredentialsConflict");
    return conflict && failure("Unauthorized", `${attempt} on ${this.key}: not sent, ${conflict.message}`);
  }
}
