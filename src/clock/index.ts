export { type Clock, hours, milliseconds, minutes, type Random, seconds, type Timer } from "./clock.ts";
export { Pacer } from "./pacer.ts";
export { systemClock, systemRandom } from "./system-clock.ts";
export { seededRandom, settle, VirtualClock } from "./virtual-clock.ts";
