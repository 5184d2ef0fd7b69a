/** Durations as Go's time.ParseDuration reads and prints them, in nanoseconds. */

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const part = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/;
const largest = 1n << 63n;

function fractionOf(digits: string, unit: bigint): bigint {
  const kept = digits.slice(0, 18);
  return kept === "" ? 0n : (BigInt(kept) * unit) / 10n ** BigInt(kept.length);
}

function partOf(match: RegExpExecArray): bigint | undefined {
  const [, whole = "", fraction = "", name = ""] = match;
  const unit = units[name];
  if (unit === undefined || (whole === "" && fraction === "")) return undefined;
  return BigInt(whole === "" ? 0 : whole) * unit + fractionOf(fraction, unit);
}

function sumOf(text: string): bigint | undefined {
  let total = 0n;
  for (let rest = text; rest !== ""; ) {
    const match = part.exec(rest);
    const nanos = match === null ? undefined : partOf(match);
    if (match === null || nanos === undefined) return undefined;
    total += nanos;
    if (total > largest) return undefined;
    rest = rest.slice(match[0].length);
  }
  return total;
}

/** Nanoseconds, or undefined when the text is no Go duration or does not fit 64 bits. */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith("-");
  const size = negative || text.startsWith("+") ? text.slice(1) : text;
  if (size === "0") return 0n;
  if (size === "" || size.length > 256) return undefined;
  const total = sumOf(size);
  if (total === undefined || negative) return total === undefined ? undefined : -total;
  return total === largest ? undefined : total;
}
