/** What the wipe agent reports: one line of evidence per disk. Wire types only; no I/O. */

export interface DiskEvidence {
  readonly path: string;
  readonly serial: string;
  readonly method: "quick" | "secure";
  readonly wiped: boolean;
  readonly error?: string;
}

/** Body of POST to the agent's report address. */
export interface WipeReport {
  readonly systemUUID: string;
  readonly finished: string;
  readonly disks: readonly DiskEvidence[];
}
