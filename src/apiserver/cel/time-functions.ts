/** The parts of instants and durations. */

import { text } from "./string-functions.ts";
import { type DateParts, datePartsIn } from "./timestamps.ts";
import { Duration, noSuchOverload, Timestamp, type Value } from "./values.ts";

type Fn = (args: readonly Value[]) => Value;

function part(read: (parts: DateParts) => number, unitNanos?: bigint, modulo?: bigint): Fn {
  return ([value, zone]) => {
    if (value instanceof Timestamp)
      return BigInt(read(datePartsIn(value.nanos, zone === undefined ? "UTC" : text(zone))));
    if (!(value instanceof Duration) || unitNanos === undefined) throw noSuchOverload();
    const whole = value.nanos / unitNanos;
    return modulo === undefined ? whole : whole % modulo;
  };
}

export const timeFunctions: Readonly<Record<string, Fn>> = {
  getFullYear: part((p) => p.year),
  getMonth: part((p) => p.month),
  getDayOfYear: part((p) => p.dayOfYear),
  getDayOfMonth: part((p) => p.day - 1),
  getDate: part((p) => p.day),
  getDayOfWeek: part((p) => p.weekday),
  getHours: part((p) => p.hour, 3_600_000_000_000n),
  getMinutes: part((p) => p.minute, 60_000_000_000n),
  getSeconds: part((p) => p.second, 1_000_000_000n),
  getMilliseconds: part((p) => p.millisecond, 1_000_000n, 1_000n),
};
