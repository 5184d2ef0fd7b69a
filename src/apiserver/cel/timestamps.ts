/** Instants: parsing and printing RFC 3339, and the parts of a date in a time zone. */
import { CelError } from "./values.ts";

const second = 1_000_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(Z|[+-]\d{2}:\d{2})$/;

/** Whether an instant lies within the years 1 to 9999. */
export function inRange(nanos: bigint): boolean {
  return nanos >= minSeconds * second && nanos < (maxSeconds + 1n) * second;
}

function offsetSeconds(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/** Nanoseconds since 1970 of an RFC 3339 text, or undefined. */
export function parseTimestamp(text: string): bigint | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, sec, fraction = "", zone = "Z"] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(sec));
  const offset = offsetSeconds(zone);
  const sane =
    date.getUTCDate() === Number(day) &&
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCHours() === Number(hour);
  if (!sane || offset === undefined || Number(minute) > 59 || Number(sec) > 59) return undefined;
  return BigInt(date.getTime() / 1000 - offset) * second + BigInt(fraction.padEnd(9, "0"));
}

const floorDiv = (a: bigint, b: bigint): bigint => (a < 0n && a % b !== 0n ? a / b - 1n : a / b);

/** An instant as RFC 3339 in UTC, with as many decimals as it needs. */
export function formatTimestamp(nanos: bigint): string {
  const seconds = floorDiv(nanos, second);
  const rest = nanos - seconds * second;
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${text}${rest === 0n ? "" : `.${rest.toString().padStart(9, "0").replace(/0+$/, "")}`}Z`;
}

export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  readonly weekday: number;
  readonly dayOfYear: number;
}

function zoneOffsetMillis(millis: number, zone: string): number {
  if (zone === "UTC" || zone === "") return 0;
  const fixed = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (fixed !== null) return (fixed[1] === "-" ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const part = Object.fromEntries(format.formatToParts(millis).map((p) => [p.type, Number(p.value)]));
    const local = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second);
    return local - Math.floor(millis / 1000) * 1000;
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

/** The parts of an instant in a zone: an IANA name or an offset such as +02:00. */
export function datePartsIn(nanos: bigint, zone: string): DateParts {
  const millis = Number(floorDiv(nanos, 1_000_000n));
  const date = new Date(millis + zoneOffsetMillis(millis, zone));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    weekday: date.getUTCDay(),
    dayOfYear:
      Math.floor((Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) - Date.UTC(2000, 0, 1)) / 86_400_000) -
      leapShift(date),
  };
}

/** The count above is in a leap year; other years have no 29 February. */
function leapShift(date: Date): number {
  const year = date.getUTCFullYear();
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return !leap && date.getUTCMonth() > 1 ? 1 : 0;
}
