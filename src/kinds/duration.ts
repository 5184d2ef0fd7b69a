/** Go's duration text (`1h30m`, `250ms`), as flags and `metav1.Duration` fields carry it. Exact to the nanosecond. */

const unitNs: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n, // U+00B5
  μs: 1_000n, // U+03BC
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const part = /^(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/;
const maxNs = 2n ** 63n - 1n;

/** Nanoseconds, or undefined when Go would refuse the text too. */
export function parseDurationNs(text: string): bigint | undefined {
  const negative = text.startsWith("-");
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === "0") return 0n;
  if (rest === "") return undefined;
  let total = 0n;
  while (rest !== "") {
    const match = part.exec(rest);
    const ns = match ? partNs(match) : undefined;
    if (!match || ns === undefined) return undefined;
    total += ns;
    rest = rest.slice(match[0].length);
  }
  if (total > (negative ? maxNs + 1n : maxNs)) return undefined;
  return negative ? -total : total;
}

function partNs([, whole = "", fraction = "", unit = ""]: RegExpExecArray): bigint | undefined {
  const scale = unitNs[unit];
  if (scale === undefined || whole + fraction === "") return undefined;
  return BigInt(whole || "0") * scale + (BigInt(fraction || "0") * scale) / 10n ** BigInt(fraction.length);
}

/** As Go prints it: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDurationNs(ns: bigint): string {
  if (ns < 0n) return `-${formatDurationNs(-ns)}`;
  if (ns === 0n) return "0s";
  const small = (["ns", "µs", "ms"] as const).find((_, i) => ns < 1_000n ** BigInt(i + 1));
  if (small !== undefined) return decimal(ns, unitNs[small] ?? 1n) + small;
  const minutes = ns / 60_000_000_000n;
  const seconds = `${decimal(ns % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, scale: bigint): string {
  const digits = String(scale).length - 1;
  const fraction = String(value % scale)
    .padStart(digits, "0")
    .slice(0, digits)
    .replace(/0+$/, "");
  return fraction === "" ? `${value / scale}` : `${value / scale}.${fraction}`;
}

/** Milliseconds, for timers; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const ns = parseDurationNs(text);
  return ns === undefined ? undefined : Number(ns) / 1e6;
}

export function formatDuration(milliseconds: number): string {
  return formatDurationNs(BigInt(Math.round(milliseconds * 1e6)));
}
