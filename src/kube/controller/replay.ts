/** Runs `decide` on a recorded pass again and says where the decisions differ: a bug report becomes a test. */
import type { Decision } from "./decision.ts";
import type { PassRecord } from "./pass-recorder.ts";
import { fromRecorded, toRecorded } from "./record-format.ts";

export interface Replay {
  readonly same: boolean;
  readonly recorded: unknown;
  readonly replayed: unknown;
  /** Paths at which the two decisions differ, e.g. `writes[0].after.spec.power`. */
  readonly differences: readonly string[];
}

/** One line of a recording. Throws a sentence that says what is wrong with it. */
export function parsePassRecord<F = unknown, A = unknown>(line: string): PassRecord<F, A> {
  let parsed: unknown;
  try {
    parsed = fromRecorded(JSON.parse(line));
  } catch (error) {
    throw new TypeError(`not a recorded pass: ${(error as Error).message}`, { cause: error });
  }
  const record = parsed as Partial<PassRecord<F, A>> | null;
  const missing = ["controller", "key", "at", "facts", "decision"].filter((field) => !record || !(field in record));
  if (missing.length > 0) throw new TypeError(`not a recorded pass: it has no ${missing.join(", no ")}`);
  return record as PassRecord<F, A>;
}

/** Decides again on the recorded facts. What `decide` throws is thrown. */
export function replay<F, A>(record: PassRecord<F, A>, decide: (facts: F) => Decision<A>): Replay {
  const recorded = toRecorded(record.decision);
  const replayed = toRecorded(decide(record.facts));
  const differences = [...differencesOf(recorded, replayed, "")];
  return { same: differences.length === 0, recorded, replayed, differences };
}

function* differencesOf(a: unknown, b: unknown, path: string): Generator<string> {
  if (Object.is(a, b)) return;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b || Array.isArray(a) !== Array.isArray(b)) {
    yield path;
    return;
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const step = Array.isArray(a) ? `[${key}]` : `${path ? "." : ""}${key}`;
    yield* differencesOf(left[key], right[key], `${path}${step}`);
  }
}
