/** Status as every Redfish resource carries it. Owns the order of severities; reads nothing by itself. */
import { readRecord, readString, reported } from "../protocol/read.ts";

export type Severity = "OK" | "Warning" | "Critical";

export interface Status {
  /** Enabled, Disabled, Absent, StandbyOffline, …: as the BMC says it. */
  readonly state?: string;
  readonly health?: Severity;
  /** The worst of this resource and all that belongs to it. */
  readonly rollup?: Severity;
}

export function statusOf(body: unknown): Status {
  const status = readRecord(body, "Status");
  return reported({
    state: readString(status, "State"),
    health: severityOf(readString(status, "Health")),
    // The first schemas spelled it with another capital letter, and some firmware still does.
    rollup: severityOf(readString(status, "HealthRollup") ?? readString(status, "HealthRollUp")),
  });
}

/** The severity a word means; undefined for a word we do not know. */
export function severityOf(word: string | undefined): Severity | undefined {
  switch (word?.toLowerCase()) {
    case "ok":
    case "informational":
      return "OK";
    case "warning":
      return "Warning";
    case "critical":
    case "fatal":
      return "Critical";
    default:
      return undefined;
  }
}

const rank: Readonly<Record<Severity, number>> = { OK: 0, Warning: 1, Critical: 2 };

/** Undefined when nobody reported anything. */
export function worst(severities: readonly (Severity | undefined)[]): Severity | undefined {
  const known = severities.filter((one) => one !== undefined);
  return known.reduce<Severity | undefined>(
    (sofar, one) => (sofar === undefined || rank[one] > rank[sofar] ? one : sofar),
    undefined,
  );
}

/** A slot without a part in it. */
export function isAbsent(body: unknown): boolean {
  return readString(readRecord(body, "Status"), "State") === "Absent";
}
