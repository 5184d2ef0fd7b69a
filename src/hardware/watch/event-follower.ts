/**
 * Listens to the BMC's own event stream while there is one, so that the watch hears of changes instead of asking. An
 * event is a reason to look, never a fact: what it says about the hardware is not believed.
 */
import { type Clock, minutes } from "#clock";
import type { RedfishEvent } from "#redfish";
import type { Driver } from "../driver/driver.ts";
import type { HardwareWatch } from "./hardware-watch.ts";

export interface FollowerOptions {
  readonly driver: Pick<Driver, "openEvents">;
  readonly watch: HardwareWatch;
  readonly clock: Clock;
  readonly onEvent?: (event: RedfishEvent) => void;
}

const FIRST_PAUSE_MS = minutes(1);
const LONGEST_PAUSE_MS = minutes(30);

export class EventFollower {
  readonly #options: FollowerOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #forget: (() => void) | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Begins once the watch knows the BMC. */
  start(): void {
    this.#forget ??= this.#options.watch.subscribe(({ parts }) => {
      if (parts.includes("servers")) this.#running ??= this.#follow();
    });
  }

  async stop(): Promise<void> {
    this.#forget?.();
    this.#stop.abort(new Error("the listening ends"));
    await this.#running;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const heard = await this.#listen();
      if (heard === "never") return;
      pauseMs = heard === "ended" ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      await this.#options.clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }

  /** `never`: there is no such stream. */
  async #listen(): Promise<"never" | "failed" | "ended"> {
    const { driver, watch, onEvent } = this.#options;
    const { signal } = this.#stop;
    const opened = await driver.openEvents({ signal });
    if (!opened.ok) return opened.failure.code === "NotSupported" ? "never" : "failed";
    const { events, close } = opened.value;
    const onAbort = (): void => void close();
    signal.addEventListener("abort", onAbort, { once: true });
    watch.eventsWork(true);
    for await (const event of events) {
      onEvent?.(event);
      watch.notify(this.#serverOf(event));
    }
    signal.removeEventListener("abort", onAbort);
    watch.eventsWork(false);
    return "ended";
  }

  /** The server whose resource, or a part of it, the event is about; undefined means all of them. */
  #serverOf({ origin }: RedfishEvent): string | undefined {
    const named = this.#options.watch.snapshot.servers.map(({ id }) => id);
    return named.find((id) => origin !== undefined && `${origin}/`.startsWith(`${id.replace(/\/$/, "")}/`));
  }
}
