/** What all simulated BMCs share: time, randomness, pace and the way out. Holds nothing of any single BMC. */
import type { Clock, Random } from "#clock";
import type { Outbound } from "./net/outbound.ts";

/** How long things take, in milliseconds of the fleet's clock. */
export interface Timing {
  readonly powerOnMs: number;
  readonly powerOffMs: number;
  readonly shutdownMs: number;
  readonly postMs: number;
  readonly osBootMs: number;
  /** Between one round through the boot order and the next. */
  readonly bootRetryMs: number;
  readonly bmcRebootMs: number;
  readonly flashMs: number;
  readonly wipeMs: number;
  readonly taskStepMs: number;
  readonly probeEveryMs: number;
  readonly reportEveryMs: number;
}

export const realTiming: Timing = {
  powerOnMs: 4_000,
  powerOffMs: 3_000,
  shutdownMs: 20_000,
  postMs: 60_000,
  osBootMs: 30_000,
  bootRetryMs: 30_000,
  bmcRebootMs: 90_000,
  flashMs: 120_000,
  wipeMs: 60_000,
  taskStepMs: 10_000,
  probeEveryMs: 30_000,
  reportEveryMs: 60_000,
};

/** The same order of things, `speed` times faster. */
export function atSpeed(timing: Timing, speed: number): Timing {
  const scaled = Object.entries(timing).map(([name, ms]) => [name, ms / speed]);
  return Object.fromEntries(scaled) as unknown as Timing;
}

/** Where booting machines look for what to boot. */
export interface BootEnvironment {
  /** Base address of the boot service; machines ask below it for /ipxe/, /httpboot and /ignition/. */
  readonly url: string;
  /** Where a booted operating system reports, if its Ignition does not say. */
  readonly registryUrl?: string;
}

export interface World {
  readonly seed: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly timing: Timing;
  readonly boot: BootEnvironment | undefined;
  readonly outbound: Outbound;
  /** Milliseconds every answer takes; "realistic" takes the vendor's own. */
  readonly latency: number | "realistic";
}
