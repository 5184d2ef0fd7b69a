/** Ages as people read them: two units at most, fewer the longer ago. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

function join(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`;
}

/** A duration in whole seconds, in the words of kubectl. */
export function humanDuration(totalSeconds: number): string {
  const s = Math.floor(totalSeconds);
  if (s < -1) return "<invalid>";
  if (s < 0) return "0s";
  if (s < 2 * MINUTE) return `${s}s`;
  if (s < 10 * MINUTE) return join(Math.floor(s / MINUTE), "m", s % MINUTE, "s");
  if (s < 3 * HOUR) return `${Math.floor(s / MINUTE)}m`;
  if (s < 8 * HOUR) return join(Math.floor(s / HOUR), "h", Math.floor(s / MINUTE) % 60, "m");
  if (s < 2 * DAY) return `${Math.floor(s / HOUR)}h`;
  if (s < 8 * DAY) return join(Math.floor(s / DAY), "d", Math.floor(s / HOUR) % 24, "h");
  if (s < 2 * YEAR) return `${Math.floor(s / DAY)}d`;
  if (s < 8 * YEAR) return join(Math.floor(s / YEAR), "y", Math.floor(s / DAY) % 365, "d");
  return `${Math.floor(s / YEAR)}y`;
}

/** How long ago a timestamp was. */
export function age(timestamp: unknown, now: Date): string {
  if (typeof timestamp !== "string" || timestamp === "") return "<unknown>";
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? "<unknown>" : humanDuration((now.getTime() - then) / 1000);
}
