/** Fault scripts: what goes wrong when, and on whom. Decodes and schedules; refuses a bad script in full. */
import { isObject, type JsonObject } from "../json.ts";
import { type Fault, type FaultKind, faultKinds } from "./fault.ts";

export interface ScriptStep {
  /** Milliseconds after the start. */
  readonly atMs: number;
  /** Ends after this many milliseconds; stays when left out. */
  readonly forMs?: number;
  /** Who is hit: "*", numbers and ranges ("0-9,12"), a share ("5%") or a profile's name. */
  readonly on: string;
  readonly fault: Fault;
}

const numbers = ["share", "times", "ms", "status", "retryAfterSeconds", "drive", "perSecond"] as const;
const texts = ["path", "method", "state"] as const;
const stepWords = ["at", "for", "on", "fault", ...numbers, ...texts];

/** A script as people write it, `{ steps: [{ at, for, on, fault, … }] }` or the list itself; throws with every problem. */
export function parseScript(value: unknown): readonly ScriptStep[] {
  const steps = isObject(value) ? value.steps : value;
  if (!Array.isArray(steps)) throw new TypeError("a fault script is a list of steps");
  const problems: string[] = [];
  const parsed = steps.map((step: unknown, at) => parseStep(step, (why) => problems.push(`step ${at + 1}: ${why}`)));
  if (problems.length > 0) throw new TypeError(`the fault script cannot be used: ${problems.join("; ")}`);
  return parsed.filter((step) => step !== undefined);
}

/** One step; `complain` hears every problem, and a step with one is undefined. */
export function parseStep(step: unknown, complain: (why: string) => void): ScriptStep | undefined {
  const problems = isObject(step) ? stepProblems(step) : ["is not an object"];
  for (const why of problems) complain(why);
  if (!isObject(step) || problems.length > 0) return undefined;
  const given = [...numbers, ...texts].filter((name) => step[name] !== undefined);
  const settings = Object.fromEntries(given.map((name) => [name, step[name]]));
  const forMs = duration(step.for);
  return {
    atMs: duration(step.at ?? 0) ?? 0,
    on: String(step.on ?? "*"),
    fault: { kind: step.fault as FaultKind, ...settings } as Fault,
    ...(forMs === undefined ? {} : { forMs }),
  };
}

function stepProblems(step: JsonObject): string[] {
  const on = String(step.on ?? "*");
  const is = (name: string, type: string): boolean => step[name] === undefined || typeof step[name] === type;
  const checks: readonly (readonly [boolean, string])[] = [
    ...Object.keys(step).map((name) => [stepWords.includes(name), `knows no "${name}"`] as const),
    [String(step.fault) in faultKinds, `must name its fault, one of ${Object.keys(faultKinds).join(", ")}`],
    [duration(step.at ?? 0) !== undefined, 'needs for "at" a duration such as "90s"'],
    [duration(step.for ?? 0) !== undefined, 'needs for "for" a duration such as "5m"'],
    ...numbers.map((name) => [is(name, "number"), `needs a number for "${name}"`] as const),
    ...texts.map((name) => [is(name, "string"), `needs text for "${name}"`] as const),
    [selectorForm.test(on), `needs for "on" one of "*", numbers, ranges, a share or a profile, not "${on}"`],
  ];
  return checks.flatMap(([isFine, why]) => (isFine ? [] : [why]));
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** "90s", "250ms", "5m", or plain milliseconds. */
export function duration(value: unknown): number | undefined {
  if (typeof value === "number") return value >= 0 ? value : undefined;
  const form = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(String(value));
  return form ? Number(form[1]) * (units[form[2] ?? ""] ?? 0) : undefined;
}

const selectorForm = /^(\*|\d+(-\d+)?(,\d+(-\d+)?)*|\d+(\.\d+)?%|[a-z][a-z0-9-]*)$/;

/** The numbers of the BMCs a selector means. A share is spread evenly, so it is the same every time. */
export function select(
  on: string,
  bmcs: readonly { readonly profile: { readonly name: string } }[],
): readonly number[] {
  const all = bmcs.map((_, at) => at);
  if (on === "*") return all;
  if (on.endsWith("%")) {
    const step = 100 / Number(on.slice(0, -1));
    return all.filter((at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  }
  if (/^[a-z]/.test(on)) return all.filter((at) => bmcs[at]?.profile.name === on);
  return on.split(",").flatMap((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return all.slice(from, to + 1);
  });
}
