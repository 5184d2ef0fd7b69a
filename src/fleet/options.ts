/** What a fleet is started with: every option, its default, and all that is wrong with them at once. */
import { type Clock, type Random, seededRandom, systemClock } from "#clock";
import type { ScriptStep } from "./faults/script.ts";
import { type ProfileName, profileNames } from "./profiles/profile.ts";
import { drawSerial } from "./seed.ts";
import { atSpeed, type BootEnvironment, realTiming, type Timing } from "./world.ts";

export interface FleetOptions {
  /** How many machines; BMCs with several systems count each of them. */
  readonly servers: number;
  readonly seed?: number;
  readonly profile?: ProfileName | "mixed";
  /** Systems per BMC; by default what the profile has (one, or a draw of 1, 2 and 4 where vendors sell that). */
  readonly systemsPerBmc?: 1 | 2 | 4;
  /** An address of 127.0.0.0/8 each on one port, or a port each of 127.0.0.1. Chosen by itself when left out. */
  readonly addressing?: "ip" | "port";
  /** 0 takes a free one. */
  readonly port?: number;
  readonly tls?: boolean;
  /** Milliseconds every answer takes, or the vendors' own. */
  readonly latency?: number | "realistic";
  /** How many times faster than real machines these are. */
  readonly speed?: number;
  readonly timing?: Partial<Timing>;
  readonly boot?: BootEnvironment;
  /** One password for all BMCs; drawn from the seed when left out. */
  readonly password?: string;
  /** Opens the control API; made up when left out. */
  readonly token?: string;
  /** Machines that are already running at the start. */
  readonly powered?: "On" | "Off";
  readonly script?: readonly ScriptStep[];
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface ResolvedOptions
  extends Required<Omit<FleetOptions, "systemsPerBmc" | "addressing" | "boot" | "token" | "timing" | "speed">> {
  readonly systemsPerBmc: 1 | 2 | 4 | undefined;
  readonly addressing: "ip" | "port" | undefined;
  readonly boot: BootEnvironment | undefined;
  readonly token: string | undefined;
  readonly timing: Timing;
}

/** 127.1.0.1 upwards leaves this many addresses. */
const MOST_SERVERS = 100_000;

/** Fills in the defaults; throws one error that names every problem. */
export function resolveOptions(options: FleetOptions): ResolvedOptions {
  const wrong = problems(options);
  if (wrong.length > 0) throw new RangeError(`cannot start the fleet: ${wrong.join("; ")}`);
  const seed = options.seed ?? 1;
  return {
    servers: options.servers,
    seed,
    profile: options.profile ?? "mixed",
    systemsPerBmc: options.systemsPerBmc,
    addressing: options.addressing,
    port: options.port ?? 0,
    tls: options.tls ?? false,
    latency: options.latency ?? 0,
    timing: { ...atSpeed(realTiming, options.speed ?? 1), ...options.timing },
    boot: options.boot,
    password: options.password ?? `Sim-${drawSerial(12, seed, "password")}`,
    token: options.token,
    powered: options.powered ?? "Off",
    script: options.script ?? [],
    clock: options.clock ?? systemClock,
    random: options.random ?? seededRandom(seed),
  };
}

function problems({
  servers,
  port = 0,
  profile = "mixed",
  speed = 1,
  latency = 0,
  password = "12345678",
}: FleetOptions): string[] {
  const names: readonly string[] = [...profileNames, "mixed"];
  return [
    ...(Number.isInteger(servers) && servers >= 1 && servers <= MOST_SERVERS
      ? []
      : [`servers must be 1 to ${MOST_SERVERS}, not ${servers}`]),
    ...(Number.isInteger(port) && port >= 0 && port <= 65_535 ? [] : [`port must be 0 to 65535, not ${port}`]),
    ...(names.includes(profile) ? [] : [`profile must be one of ${names.join(", ")}, not ${profile}`]),
    ...(speed > 0 ? [] : [`speed must be above 0, not ${speed}`]),
    ...(latency === "realistic" || latency >= 0 ? [] : [`latency must be milliseconds or "realistic", not ${latency}`]),
    ...(password.length >= 8 && password.length <= 32 ? [] : ["password must have 8 to 32 characters"]),
  ];
}
