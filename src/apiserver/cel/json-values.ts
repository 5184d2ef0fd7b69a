/** Strings of objects that are more than strings to CEL: times, durations, bytes. */
import { parseDuration } from "../schema/go-duration.ts";
import { parseTimestamp } from "./timestamps.ts";
import { CelError, Duration, Timestamp, type Value } from "./values.ts";

const words: readonly (readonly [readonly string[], string, bigint])[] = [
  [["ns"], "nano", 1n],
  [["us", "µs"], "micro", 1_000n],
  [["ms"], "milli", 1_000_000n],
  [["s"], "sec", 1_000_000_000n],
  [["m"], "min", 60_000_000_000n],
  [["h", "hr"], "hour", 3_600_000_000_000n],
  [["d"], "day", 86_400_000_000_000n],
  [["w", "wk"], "week", 604_800_000_000_000n],
];

/** Durations in words, such as "5 days", which OpenAPI allows beside Go's. */
function wordedDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (const [, count = "0", unit = ""] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const name = unit.toLowerCase();
    const found = words.find(([exact, prefix]) => exact.includes(name) || name.startsWith(prefix));
    if (found !== undefined) total = (total ?? 0n) + BigInt(count) * found[2];
  }
  return total;
}

export function durationFromJson(json: unknown): Value {
  const text = String(json);
  const nanos = parseDuration(text) ?? wordedDuration(text);
  if (nanos === undefined) throw new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
  return new Duration(nanos);
}

export function timestampFromJson(json: unknown): Value {
  const text = String(json);
  const nanos = parseTimestamp(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text.toUpperCase());
  if (nanos === undefined) throw new CelError(`Invalid date-time formatted string ${text}`);
  return new Timestamp(nanos);
}

export function bytesFromJson(json: unknown): Value {
  return new Uint8Array(Buffer.from(String(json), "base64"));
}
