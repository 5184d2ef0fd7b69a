/** Puts faults on BMCs and takes them off again, now or on a script's schedule. */
import type { Clock, Timer } from "#clock";
import type { Bmc } from "../bmc/bmc.ts";
import type { Fault } from "./fault.ts";
import { type ScriptStep, select } from "./script.ts";

export interface Injection {
  readonly id: string;
  readonly on: string;
  readonly fault: Fault;
  /** Numbers of the BMCs that were hit. */
  readonly bmcs: readonly number[];
}

export class Injector {
  readonly #clock: Clock;
  readonly #bmcs: readonly Bmc[];
  readonly #active = new Map<string, Injection>();
  readonly #timers = new Set<Timer>();
  #made = 0;

  constructor(clock: Clock, bmcs: readonly Bmc[]) {
    this.#clock = clock;
    this.#bmcs = bmcs;
  }

  list(): readonly Injection[] {
    return [...this.#active.values()];
  }

  /** Hits the selected BMCs at once and returns the injection's id. */
  inject(fault: Fault, on: string | number = "*", forMs?: number): Injection {
    const injection: Injection = {
      id: String(++this.#made),
      on: String(on),
      fault,
      bmcs: select(String(on), this.#bmcs),
    };
    this.#active.set(injection.id, injection);
    for (const bmc of this.#hit(injection)) {
      bmc.faults = [...(bmc.faults ?? []), { id: injection.id, fault, hits: 0 }];
      this.#happen(bmc, fault);
    }
    if (forMs !== undefined) this.#later(forMs, () => this.clear(injection.id));
    return injection;
  }

  /** Takes one injection back, or all of them. */
  clear(id?: string): boolean {
    const gone = this.list().filter((injection) => id === undefined || injection.id === id);
    for (const injection of gone) {
      this.#active.delete(injection.id);
      for (const bmc of this.#hit(injection)) this.#relieve(bmc, injection.id);
    }
    return gone.length > 0;
  }

  /** Plans a script's steps on the fleet's clock. */
  run(script: readonly ScriptStep[]): void {
    for (const { atMs, on, fault, forMs } of script) this.#later(atMs, () => this.inject(fault, on, forMs));
  }

  close(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #hit({ bmcs }: Injection): readonly Bmc[] {
    return bmcs.flatMap((index) => this.#bmcs[index] ?? []);
  }

  #happen(bmc: Bmc, fault: Fault): void {
    if (fault.kind === "bmc-rebooting") bmc.reboot();
    const sick = {
      "fan-failing": "Fan 1 failed.",
      "disk-failing": `Drive ${fault.drive ?? 1} predicts its failure.`,
    } as const;
    const message = fault.kind in sick ? sick[fault.kind as keyof typeof sick] : undefined;
    if (message) {
      const severity = fault.kind === "fan-failing" ? "Critical" : "Warning";
      bmc.announce({ messageId: "ResourceEvent.1.0.ResourceErrorsDetected", message, severity, ...originOf(bmc) });
    }
    bmc.faultsChanged();
  }

  #relieve(bmc: Bmc, id: string): void {
    const left = bmc.faults?.filter((active) => active.id !== id) ?? [];
    bmc.faults = left.length > 0 ? left : undefined;
    bmc.faultsChanged();
  }

  #later(ms: number, run: () => void): void {
    const timer = this.#clock.after(ms, () => {
      this.#timers.delete(timer);
      run();
    });
    this.#timers.add(timer);
  }
}

function originOf(bmc: Bmc): { readonly origin?: string } {
  const [host] = bmc.hosts;
  return host ? { origin: host.path } : {};
}
