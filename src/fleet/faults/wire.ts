/** What faults do to a request on its way: silence, resets, wrong answers, delay. */
import type { IncomingMessage } from "node:http";
import type { Bmc } from "../bmc/bmc.ts";
import { type Reply, refuse } from "../http/reply.ts";
import { type ActiveFault, type Fault, wireFaults } from "./fault.ts";

/** How the answer is spoilt. */
export interface Mangle {
  readonly silent?: true;
  readonly reset?: true;
  readonly reply?: Reply;
  readonly html?: string;
  readonly status?: number;
  readonly truncate?: true;
}

const sickPage = "<html><head><title>400 Bad Request</title></head><body><h1>Bad Request</h1></body></html>";

/** The first fault that hits this request; a fault with a number of hits counts down. */
export function wireFault(bmc: Bmc, request: IncomingMessage): Mangle | undefined {
  if (!bmc.faults) return undefined;
  for (const active of bmc.faults) {
    const { kind } = active.fault;
    if (!wireFaults.has(kind) || kind === "latency" || !hits(bmc, active, request)) continue;
    const mangle = mangles[kind]?.(active.fault);
    if (!mangle) continue;
    countDown(bmc, active);
    return mangle;
  }
  return undefined;
}

const mangles: Partial<Record<Fault["kind"], (fault: Fault) => Mangle>> = {
  "black-hole": () => ({ silent: true }),
  "connection-reset": () => ({ reset: true }),
  unauthorized: () => ({ reply: refuse(401, "NoValidSession") }),
  unavailable: (fault) => ({ reply: busy(503, fault, fault.retryAfterSeconds) }),
  throttled: (fault) => ({ reply: busy(429, fault, fault.retryAfterSeconds ?? 5) }),
  html: ({ status }) => ({ html: sickPage, status: status ?? 200 }),
  "truncated-json": () => ({ truncate: true }),
};

function busy(status: number, _fault: Fault, seconds: number | undefined): Reply {
  const headers = seconds === undefined ? {} : { "retry-after": String(seconds) };
  return { status, sayings: [{ key: "ServiceTemporarilyUnavailable", args: [String(seconds ?? 0)] }], headers };
}

/** Milliseconds before this request is answered: the fleet's or the vendor's latency, and what a fault adds. */
export function answerDelay(bmc: Bmc, request: IncomingMessage): number {
  const { latency } = bmc.world;
  const usual = latency === "realistic" ? vendorDelay(bmc, request.url ?? "") : latency;
  if (!bmc.faults) return usual;
  const slow = bmc.faults.find((active) => active.fault.kind === "latency" && hits(bmc, active, request));
  if (!slow) return usual;
  countDown(bmc, slow);
  return usual + (slow.fault.ms ?? 1_000);
}

function vendorDelay({ profile, world }: Bmc, url: string): number {
  const { medianMs, spread, slow } = profile.latency;
  const [, factor = 1] = Object.entries(slow).find(([part]) => url.includes(part)) ?? [];
  return medianMs * factor * (1 + spread * (world.random.next() * 2 - 1));
}

function hits(bmc: Bmc, { fault }: ActiveFault, request: IncomingMessage): boolean {
  if (fault.path !== undefined && !(request.url ?? "").includes(fault.path)) return false;
  if (fault.method !== undefined && request.method !== fault.method) return false;
  return fault.share === undefined || bmc.world.random.next() < fault.share;
}

function countDown(bmc: Bmc, active: ActiveFault): void {
  active.hits += 1;
  if (active.fault.times === undefined || active.hits < active.fault.times) return;
  const left = bmc.faults?.filter((other) => other !== active) ?? [];
  bmc.faults = left.length > 0 ? left : undefined;
}
