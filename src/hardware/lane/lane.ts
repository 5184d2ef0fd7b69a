/**
 * All traffic to one BMC address passes here: a few exchanges at a time, at a rate, with deadlines, behind a breaker.
 * Knows no protocol; what an exchange does is given to it. Shares nothing with other lanes.
 */
import type { Clock, Random } from "#clock";
import { type Failure, failure, type Outcome } from "#redfish";
import { Breaker, type Breaking, type Verdict } from "./breaker.ts";
import { LaneConditions } from "./conditions.ts";
import { Gate, type Turn } from "./gate.ts";
import { type LaneMetrics, noMetrics } from "./lane-metrics.ts";
import { type Limits, limits, unlessAborted } from "./limits.ts";
import { type ReadSharing, SharedReads } from "./shared-reads.ts";
import { type Rate, TokenBucket } from "./token-bucket.ts";

export interface LaneOptions {
  /** Canonical address. */
  readonly key: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics?: LaneMetrics;
  readonly rate?: Rate;
  /** Exchanges at a time: one unless the BMC is known to bear more, four at most. */
  readonly width?: number;
  readonly breaker?: Breaking;
  readonly reads?: ReadSharing;
  /** Called when a condition came or went. */
  readonly onChange?: () => void;
}

/** One thing to do on the BMC. */
export interface Exchange extends Turn {
  /** For messages: "GET /redfish/v1/Systems". */
  readonly attempt: string;
  /** Reads with equal keys at the same time are one. */
  readonly share?: string;
  /** Whether the BMC may be different afterwards. */
  readonly changes?: boolean;
  /** Allowed while the lane closes: logging out. */
  readonly last?: boolean;
}

export interface LaneDetail {
  readonly key: string;
  readonly breaker: string;
  readonly pauseMs: number;
  readonly inFlight: number;
  readonly waiting: number;
  readonly sent: number;
  readonly failed: number;
  readonly lastFailure: string | undefined;
}

export const DEFAULT_RATE: Rate = { perSecond: 10, burst: 20 };
const MOST_AT_A_TIME = 4;
/** Waiting and exchange together, for whoever sets no deadline. */
const PATIENCE_MS = 5 * 60_000;
/** An exchange that our own deadline ended sooner than this says nothing about the BMC. */
const FAIR_CHANCE_MS = 5_000;
const CLOSING = new Error("the lane is closing");

const sickCodes: ReadonlySet<string> = new Set<Failure["code"]>([
  "Unreachable",
  "ConnectionLost",
  "TimedOut",
  "Untrusted",
  "BrokenAnswer",
  "ServerError",
  "Busy",
]);

export class Lane {
  readonly key: string;
  readonly clock: Clock;
  readonly metrics: LaneMetrics;
  readonly conditions: LaneConditions;
  readonly #gate: Gate;
  readonly #bucket: TokenBucket;
  readonly #breaker: Breaking;
  readonly #reads: ReadSharing;
  #breakerState: Breaking["state"] = "closed";
  /** What is under way, and whether its turn has come. */
  #active: Map<Limits, boolean> | undefined;
  #idle: (() => void) | undefined;
  #closed = false;
  #sent = 0;
  #failed = 0;
  #lastFailure: string | undefined;

  constructor({ key, clock, random, metrics = noMetrics, width = 1, onChange, ...options }: LaneOptions) {
    if (!Number.isInteger(width) || width < 1 || width > MOST_AT_A_TIME)
      throw new RangeError(`lane ${key}: ${width} requests at a time are not between 1 and ${MOST_AT_A_TIME}`);
    this.key = key;
    this.clock = clock;
    this.metrics = metrics;
    this.conditions = new LaneConditions(clock, () => onChange?.());
    this.#gate = new Gate(clock, width);
    this.#bucket = new TokenBucket(clock, options.rate ?? DEFAULT_RATE);
    this.#breaker = options.breaker ?? new Breaker({ clock, random });
    this.#reads = options.reads ?? new SharedReads(() => metrics.joined());
    metrics.breaker(undefined, this.#breakerState);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** How things stand with this BMC, on demand. */
  detail(): LaneDetail {
    return {
      key: this.key,
      breaker: this.#breaker.state,
      pauseMs: this.#breaker.pause(),
      inFlight: this.#gate.inside,
      waiting: this.#gate.waiting,
      sent: this.#sent,
      failed: this.#failed,
      lastFailure: this.#lastFailure,
    };
  }

  /** Does it when its turn comes, or says why not. `perform` ends soon after its signal is aborted. */
  async run<T>(exchange: Exchange, perform: (signal: AbortSignal) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (this.#closed && !exchange.last) return closed(exchange, this.key);
    if (exchange.share === undefined) return this.#alone(exchange, perform);
    // The shared read has its own patience; whoever joins it leaves by his own deadline.
    const { signal, deadlineAt, ...shared } = exchange;
    const flight = this.#reads.share(exchange.share, () => this.#alone(shared, perform));
    if (signal === undefined && deadlineAt === undefined) return flight;
    const own = limits(this.clock, deadlineAt ?? this.clock.monotonic() + PATIENCE_MS, signal);
    return unlessAborted(flight, own.signal, () => ended<T>(exchange, own)).finally(own.done);
  }

  /** Waits until one more request may go out on the wire. */
  async pace(signal: AbortSignal | undefined): Promise<void> {
    const waitMs = this.#bucket.take();
    if (waitMs > 0) await this.clock.sleep(waitMs, signal);
  }

  /** Counts one request on the wire. */
  count(method: string, outcome: Outcome<unknown>, startedAt: number): void {
    this.#sent++;
    if (!outcome.ok) {
      this.#failed++;
      this.#lastFailure = outcome.failure.message;
    }
    const seconds = (this.clock.monotonic() - startedAt) / 1000;
    this.metrics.requested(method, outcome.ok ? "ok" : outcome.failure.code, seconds);
  }

  /** Takes no new exchange, drops what waits, gives what is under way `graceMs` and returns when nothing is. */
  async close(graceMs: number): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const [one, started] of this.#active ?? []) if (!started) one.abort(CLOSING);
    const timer = this.clock.after(graceMs, () => {
      for (const [one] of this.#active ?? []) one.abort(CLOSING);
    });
    if (this.#active) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    timer.cancel();
    this.metrics.breaker(this.#breakerState, undefined);
  }

  async #alone<T>(exchange: Exchange, perform: (signal: AbortSignal) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const pause = this.#breaker.pause();
    if (pause > 0 && !exchange.last) return this.#paused(exchange, pause);
    const deadlineAt = exchange.deadlineAt ?? this.clock.monotonic() + PATIENCE_MS;
    const own = limits(this.clock, deadlineAt, exchange.signal);
    this.#begin(own);
    try {
      const entry = await this.#gate.enter({ ...exchange, deadlineAt, signal: own.signal });
      if (entry === "full")
        return failure("Busy", `${exchange.attempt} on ${this.key}: too many requests wait already`);
      if (entry !== "in") return ended(exchange, own);
      return await this.#inside(exchange, own, perform).finally(() => this.#gate.leave());
    } finally {
      this.#end(own);
    }
  }

  async #inside<T>(
    exchange: Exchange,
    own: Limits,
    perform: (signal: AbortSignal) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    const pause = exchange.last ? 0 : this.#breaker.admit();
    if (pause > 0) return this.#paused(exchange, pause);
    this.#active?.set(own, true);
    const startedAt = this.clock.monotonic();
    let verdict: Verdict = "unknown";
    try {
      const outcome = await perform(own.signal);
      const judged = !outcome.ok && own.signal.aborted ? ended<T>(exchange, own, outcome.failure) : outcome;
      verdict = verdictOf(judged, own, this.clock.monotonic() - startedAt);
      this.#note(judged);
      return judged;
    } finally {
      if (exchange.changes) this.#reads.changed();
      this.#breaker.report(verdict);
      this.#sayBreaker();
    }
  }

  #note(outcome: Outcome<unknown>): void {
    const failed = outcome.ok ? undefined : outcome.failure;
    if (failed?.code === "Busy" && failed.retryAfterMs !== undefined) this.#breaker.hold(failed.retryAfterMs);
    if (outcome.ok) this.conditions.set("CertificateUntrusted", undefined);
    else if (failed?.code === "Untrusted") this.conditions.set("CertificateUntrusted", failed.message);
  }

  #sayBreaker(): void {
    const { state } = this.#breaker;
    if (state === this.#breakerState) return;
    this.metrics.breaker(this.#breakerState, state);
    this.#breakerState = state;
    this.conditions.set("Unresponsive", state === "closed" ? undefined : (this.#lastFailure ?? "no answer"));
  }

  #paused(exchange: Exchange, pauseMs: number): Outcome<never> {
    const why = this.#lastFailure === undefined ? "" : `; last: ${this.#lastFailure}`;
    const seconds = Math.ceil(pauseMs / 1000);
    const message = `${exchange.attempt} on ${this.key}: not sent, the BMC is left alone for ${seconds} s more${why}`;
    return failure("Busy", message, { retryAfterMs: pauseMs });
  }

  #begin(own: Limits): void {
    this.#active ??= new Map();
    this.#active.set(own, false);
  }

  #end(own: Limits): void {
    own.done();
    this.#active?.delete(own);
    if (this.#active?.size !== 0) return;
    this.#active = undefined;
    this.#idle?.();
  }
}

function verdictOf(outcome: Outcome<unknown>, own: Limits, tookMs: number): Verdict {
  if (outcome.ok) return "well";
  const { code, retryAfterMs } = outcome.failure;
  if (code === "Fenced") return "unknown";
  if (own.signal.aborted && !(own.late() && tookMs >= FAIR_CHANCE_MS)) return "unknown";
  // "Come back in ten seconds" is obeyed, not counted.
  if (code === "Busy" && retryAfterMs !== undefined) return "unknown";
  return sickCodes.has(code) ? "sick" : "well";
}

function ended<T>({ attempt }: Exchange, own: Limits, last?: Failure): Outcome<T> {
  const why = last === undefined ? "" : ` (${last.message})`;
  if (own.late()) return failure("TimedOut", `${attempt}: its deadline passed${why}`);
  const { reason } = own.signal;
  const said = reason instanceof Error ? reason.message : "called off";
  return failure(reason === CLOSING ? "Fenced" : "ConnectionLost", `${attempt}: ended early, ${said}${why}`);
}

function closed({ attempt }: Exchange, key: string): Outcome<never> {
  return failure("Fenced", `${attempt} on ${key}: not sent, the lane is closed`);
}
