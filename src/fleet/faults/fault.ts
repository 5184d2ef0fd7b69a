/** The ways a simulated BMC or machine can go wrong, and how a fault is written down. Decides nothing. */

/** Each kind with what it does; the guide prints this table. */
export const faultKinds = {
  latency: "every answer takes `ms` longer",
  "black-hole": "requests are read and never answered",
  "connection-reset": "the connection is reset in the middle of the request",
  "tls-expired": "the certificate is past its date",
  unauthorized: "right credentials are answered with 401",
  unavailable: "503, with Retry-After when `retryAfterSeconds` is given",
  throttled: "429 with Retry-After",
  html: "a page of HTML with status 200, or `status`",
  "truncated-json": "the answer ends in the middle",
  "stuck-power": "resets are accepted and nothing happens",
  "lying-power": "PowerState always says `state`",
  "boot-override-ignored": "the one-time override is accepted and forgotten at the next boot",
  "always-network-boot": "the machine network-boots whatever it is told",
  "task-stuck": "tasks stop at 50 %",
  "task-fails": "tasks end in Exception at 99 %",
  "event-storm": "`perSecond` events a second to every subscriber",
  "sessions-full": "someone else holds every session slot",
  "bmc-rebooting": "the BMC restarts once, now, dropping every connection and session",
  "never-boots": "the machine stays in POST",
  "ignores-shutdown": "the operating system ignores a graceful shutdown",
  "wipe-fails": "wiping `drive` (default the first) fails",
  "duplicate-uuid": "every system of the BMC shows the same UUID, also across BMCs",
  "board-swap": "the mainboard was replaced: other MAC addresses and serial number",
  "fan-failing": "a fan reads 0 and its health is Critical",
  "disk-failing": "`drive` (default the first) predicts its failure",
} as const;

export type FaultKind = keyof typeof faultKinds;

export interface Fault {
  readonly kind: FaultKind;
  /** Only requests whose path contains this. */
  readonly path?: string;
  readonly method?: string;
  /** Share of the requests that are hit, 0 to 1; all when absent. */
  readonly share?: number;
  /** Gone after this many hits. */
  readonly times?: number;
  readonly ms?: number;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly state?: string;
  readonly drive?: number;
  readonly perSecond?: number;
}

/** A fault at work on one BMC. */
export interface ActiveFault {
  readonly id: string;
  readonly fault: Fault;
  hits: number;
}

/** Kinds that the HTTP side acts on, request by request. */
export const wireFaults: ReadonlySet<FaultKind> = new Set<FaultKind>([
  "latency",
  "black-hole",
  "connection-reset",
  "unauthorized",
  "unavailable",
  "throttled",
  "html",
  "truncated-json",
]);
