/**
 * Tells people what happened to an object, as Events. Recording is instant and cannot fail: the server is written to in
 * the background, repeats become one series, chatter about one object is bounded, and so is the memory for all of it.
 */
import { type Clock, minutes, seconds } from "#clock";
import { Event, type KubeObject, wireMicroTime } from "#kinds";
import type { Client } from "../client/client.ts";
import { ApiError, isNotFound } from "../client/errors.ts";
import type { Announcement } from "../controller/decision.ts";
import { Fenced } from "../transport/fence.ts";
import { eventAbout, type Reporter, seriesKey } from "./event-about.ts";
import { TokenBuckets } from "./token-bucket.ts";

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly reporter: Reporter;
  /** Repeats within this long of each other are one series. */
  readonly seriesWindowMs?: number;
  /** A series that keeps growing is written no more often than this. */
  readonly seriesEveryMs?: number;
  readonly maxSeries?: number;
  /** New events about one object: a burst, then one per refill time. */
  readonly burst?: number;
  readonly refillMs?: number;
  /** Told of every event that was given up, and why. */
  readonly onDropped?: (reason: "spam" | "overflow" | "refused" | "stopped") => void;
}

interface Series {
  event: Event;
  count: number;
  last: Date;
  lastSeen: number;
  /** Occurrences the server knows of; 0 before the event exists. */
  written: number;
  writtenAt: number;
  attempts: number;
}

const MAX_ATTEMPTS = 5;
const CALL_TIMEOUT_MS = seconds(10);

export class EventRecorder {
  readonly #o: Required<EventRecorderOptions>;
  readonly #series = new Map<string, Series>();
  readonly #due = new Set<string>();
  readonly #buckets: TokenBuckets;
  #wake: (() => void) | undefined;
  #stopped = false;

  constructor(options: EventRecorderOptions) {
    this.#o = {
      seriesWindowMs: minutes(6),
      seriesEveryMs: seconds(30),
      maxSeries: 4096,
      burst: 25,
      refillMs: minutes(5),
      onDropped: () => {},
      ...options,
    };
    const { burst, refillMs, maxSeries, clock } = this.#o;
    this.#buckets = new TokenBuckets(clock, { burst, refillMs, maxBuckets: maxSeries });
  }

  /** Returns at once, never throws; what it does with the server happens in `run`. */
  record(regarding: KubeObject, said: Announcement): void {
    const key = seriesKey(regarding, said);
    const refused = this.#stopped ? "stopped" : this.#note(key, regarding, said);
    if (refused) {
      this.#o.onDropped(refused);
      return;
    }
    this.#due.add(key);
    this.#wake?.();
  }

  /** Writes until stopped, then what is left within `flushMs`; never rejects. */
  async run(stop: AbortSignal, flushMs = seconds(5)): Promise<void> {
    while (!stop.aborted) {
      const key = this.#nextDue();
      if (key !== undefined) await this.#write(key, stop);
      else await this.#pause(stop);
    }
    this.#stopped = true;
    await this.#flush(flushMs);
  }

  /** Series held in memory: bounded by `maxSeries`. */
  get size(): number {
    return this.#series.size;
  }

  #note(key: string, regarding: KubeObject, said: Announcement): "spam" | undefined {
    const now = this.#o.clock.monotonic();
    const known = this.#series.get(key);
    if (known && now - known.lastSeen <= this.#o.seriesWindowMs) {
      Object.assign(known, { count: known.count + 1, last: this.#o.clock.now(), lastSeen: now });
      this.#series.delete(key);
      this.#series.set(key, known);
      return undefined;
    }
    const { uid, name } = regarding.metadata;
    if (!this.#buckets.take(uid ?? `${regarding.kind}/${name}`)) return "spam";
    this.#begin(key, regarding, said);
    return undefined;
  }

  #begin(key: string, regarding: KubeObject, said: Announcement): void {
    const { clock, reporter, maxSeries } = this.#o;
    const last = clock.now();
    const event = eventAbout(regarding, said, reporter, last);
    const lastSeen = clock.monotonic();
    this.#series.set(key, { event, count: 1, last, lastSeen, written: 0, writtenAt: 0, attempts: 0 });
    if (this.#series.size <= maxSeries) return;
    for (const [oldest, { written, count }] of this.#series) {
      this.#series.delete(oldest);
      if (this.#due.delete(oldest) && written < count) this.#o.onDropped("overflow");
      break;
    }
  }

  #readyAt({ written, writtenAt, attempts }: Series): number {
    if (attempts > 0) return writtenAt + Math.min(seconds(1) * 2 ** (attempts - 1), seconds(30));
    return written < 2 ? 0 : writtenAt + this.#o.seriesEveryMs;
  }

  #nextDue(): string | undefined {
    const now = this.#o.clock.monotonic();
    for (const key of this.#due) {
      const series = this.#series.get(key);
      if (!series) this.#due.delete(key);
      else if (this.#readyAt(series) <= now) return key;
    }
    return undefined;
  }

  /** Until something is recorded or a series may be written again. */
  async #pause(stop: AbortSignal): Promise<void> {
    const now = this.#o.clock.monotonic();
    const waits = [...this.#due].flatMap((key) => this.#series.get(key) ?? []).map((s) => this.#readyAt(s) - now);
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        timer?.cancel();
        stop.removeEventListener("abort", wake);
        resolve();
      };
      const timer = waits.length > 0 ? this.#o.clock.after(Math.max(1, Math.min(...waits)), wake) : undefined;
      this.#wake = wake;
      stop.addEventListener("abort", wake);
      if (stop.aborted) wake();
    });
    this.#wake = undefined;
  }

  async #write(key: string, signal: AbortSignal): Promise<void> {
    const series = this.#series.get(key);
    this.#due.delete(key);
    if (!series || series.written >= series.count) return;
    const { count } = series;
    const attempt = series.attempts;
    series.writtenAt = this.#o.clock.monotonic();
    try {
      await this.#send(series, signal);
      series.written = count;
      series.attempts = 0;
      if (series.count > count) this.#due.add(key);
    } catch (error) {
      series.attempts = attempt + 1;
      this.#afterFailure(key, series, error);
    }
  }

  async #send(series: Series, signal: AbortSignal): Promise<void> {
    const { client } = this.#o;
    const { event, count, last } = series;
    const call = { signal, timeoutMs: CALL_TIMEOUT_MS, priority: "bulk" } as const;
    if (series.written === 0) {
      await client.create(Event, event, call);
      series.written = 1;
    }
    if (count < 2) return;
    const { name = "", namespace = "default" } = event.metadata;
    const body = { series: { count, lastObservedTime: wireMicroTime(last) } };
    await client.patch(Event, { name, namespace }, { type: "merge", body }, call);
  }

  #afterFailure(key: string, series: Series, error: unknown): void {
    if (series.written > 0 && isNotFound(error)) {
      // The server forgets events after an hour; the series starts over under a new name.
      series.event = renamed(series.event, series.last);
      series.written = 0;
    } else if (error instanceof ApiError && error.reason === "AlreadyExists") series.written = 1;
    else if (error instanceof Fenced || isRefusal(error) || series.attempts >= MAX_ATTEMPTS) {
      this.#series.delete(key);
      this.#o.onDropped("refused");
      return;
    }
    this.#due.add(key);
  }

  async #flush(flushMs: number): Promise<void> {
    const overdue = new AbortController();
    const timer = this.#o.clock.after(flushMs, () => overdue.abort(new Error("the time to write last events is over")));
    for (const key of [...this.#due]) {
      if (overdue.signal.aborted) this.#o.onDropped("stopped");
      else await this.#write(key, overdue.signal);
    }
    timer.cancel();
  }
}

/** The server will not take it, now or later: not worth another attempt. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.code >= 400 && error.code < 500 && error.code !== 429 && error.code !== 404;
}

function renamed(event: Event, at: Date): Event {
  const stem = `${event.metadata.name}`.replace(/\.[^.]*$/, "");
  return { ...event, metadata: { ...event.metadata, name: `${stem}.${at.getTime().toString(16)}` } };
}
