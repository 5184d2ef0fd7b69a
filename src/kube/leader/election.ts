/**
 * Leader election over one Lease. Every write is a compare-and-swap; how long another holder has been silent is measured
 * by the local monotonic clock from when its record was last seen to change, never by comparing wall clocks.
 */
import type { Clock, Random } from "#clock";
import { Lease, type ObjectKey } from "#kinds";
import type { Client } from "../client/client.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../client/errors.ts";
import type { LeaseFence } from "./lease-fence.ts";
import { heldBy, type LeaseSpec, released, sameRecord } from "./lease-record.ts";
import { checkTiming, defaultTiming, type ElectionTiming, JITTER } from "./timing.ts";

export interface ElectionOptions {
  /** For the election alone; its requests go first and pass the fence that it controls. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly fence: LeaseFence;
  readonly lease: Required<ObjectKey>;
  /** Must be this process's alone. */
  readonly identity: string;
  readonly timing?: ElectionTiming;
  /** Told whenever another identity is seen to hold the lease; empty when nobody does. */
  readonly onLeader?: (identity: string) => void;
  /** Told of every attempt that failed for a reason other than somebody else's success. */
  readonly onError?: (error: unknown) => void;
}

/** How a held lease came to its end. */
export type LeaseEnd = { readonly lost: false } | { readonly lost: true; readonly reason: string };

type Attempt = "held" | "other" | "failed";

export class Election {
  readonly #options: ElectionOptions;
  readonly #timing: ElectionTiming;
  /** The lease as last seen; undefined when it is to be read first. */
  #lease: Lease | undefined;
  #seen: { readonly record: LeaseSpec | undefined; readonly at: number } | undefined;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? defaultTiming;
    checkTiming(this.#timing);
    if (!options.identity) throw new TypeError("leader election needs an identity that no other process has");
  }

  /** Resolves once the lease is held and the fence is open until its deadline; rejects only when aborted. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      if ((await this.#attempt(signal)) === "held") return;
      const spread = 1 + random.next() * (JITTER - 1);
      await clock.sleep(this.#timing.retryPeriodMs * spread, signal);
    }
  }

  /** Renews until the signal is aborted or the lease is lost; a lost lease has closed the fence. Never rejects. */
  async hold(signal: AbortSignal): Promise<LeaseEnd> {
    const { clock, fence, identity } = this.#options;
    for (;;) {
      const left = fence.deadline - clock.monotonic();
      await clock.sleep(Math.max(0, Math.min(this.#timing.retryPeriodMs, left)), signal).catch(() => {});
      if (fence.closed !== undefined) return { lost: true, reason: fence.closed };
      if (signal.aborted) return { lost: false };
      if ((await this.#attempt(signal)) !== "other") continue;
      const reason = `${this.#seen?.record?.holderIdentity || "nobody"} holds the lease instead of ${identity}`;
      fence.close(reason);
      return { lost: true, reason };
    }
  }

  /** Gives the lease back so that a successor need not wait; closes the fence first. Best effort, never rejects. */
  async release(timeoutMs = this.#timing.retryPeriodMs): Promise<boolean> {
    const { client, clock, fence, identity } = this.#options;
    const alreadyClosed = fence.closed !== undefined;
    fence.close("the lease was given back");
    if (alreadyClosed) return false;
    try {
      const lease = this.#lease ?? (await client.get(Lease, this.#options.lease, { priority: "lease", timeoutMs }));
      if (lease.spec?.holderIdentity !== identity) return false;
      const freed: Lease = { ...lease, spec: released(lease.spec, clock.now()) };
      await client.update(Lease, freed, { priority: "lease", timeoutMs });
      return true;
    } catch (error) {
      this.#options.onError?.(error);
      return false;
    }
  }

  /** One try to become or stay the holder. What the attempt is worth counts from before it was sent. */
  async #attempt(signal: AbortSignal): Promise<Attempt> {
    const { client, clock, fence, identity } = this.#options;
    try {
      const before = this.#lease ?? (await this.#read(signal));
      if (before) this.#notice(before.spec);
      const holder = before?.spec?.holderIdentity;
      if (before && holder && holder !== identity && !this.#expired()) {
        this.#lease = undefined;
        return "other";
      }
      const call = this.#call(signal);
      const sentAt = clock.monotonic();
      const spec = heldBy({ ...this.#timing, identity }, before?.spec, clock.now());
      const { lease } = this.#options;
      const after = before
        ? await client.update(Lease, { ...before, spec }, call)
        : await client.create(Lease, { metadata: { ...lease }, spec }, call);
      this.#lease = after;
      this.#notice(after.spec);
      return fence.extendTo(sentAt + this.#timing.renewDeadlineMs) ? "held" : "failed";
    } catch (error) {
      this.#lease = undefined;
      if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error) && !signal.aborted) {
        this.#options.onError?.(error);
      }
      return "failed";
    }
  }

  #read(signal: AbortSignal): Promise<Lease | undefined> {
    return this.#options.client.find(Lease, this.#options.lease, this.#call(signal));
  }

  #call(signal: AbortSignal) {
    this.#options.fence.renewal.check();
    const left = this.#options.fence.deadline - this.#options.clock.monotonic();
    const timeoutMs = Math.max(1, Math.min(this.#timing.renewDeadlineMs / 2, left));
    return { signal, timeoutMs, priority: "lease" } as const;
  }

  #notice(record: LeaseSpec | undefined): void {
    if (this.#seen && sameRecord(this.#seen.record, record)) return;
    const changedHands = this.#seen?.record?.holderIdentity !== record?.holderIdentity;
    this.#seen = { record, at: this.#options.clock.monotonic() };
    if (changedHands) this.#options.onLeader?.(record?.holderIdentity ?? "");
  }

  #expired(): boolean {
    if (!this.#seen) return false;
    const { leaseDurationSeconds } = this.#seen.record ?? {};
    const durationMs = leaseDurationSeconds ? leaseDurationSeconds * 1000 : this.#timing.leaseDurationMs;
    return this.#seen.at + durationMs < this.#options.clock.monotonic();
  }
}
