/** Which address belongs to which BMC: 127.1.0.1 upwards on one port, or one port each. */
import { createServer } from "node:net";

const FIRST_ADDRESS = (127 << 24) | (1 << 16) | 1;

/** The loopback address of the BMC with this number. */
export function addressOf(index: number): string {
  const value = FIRST_ADDRESS + index;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".");
}

/** The number of the BMC an address belongs to; undefined for any other address, -1 for 127.0.0.1. */
export function indexOf(address: string): number | undefined {
  const parts = address
    .replace(/^::ffff:/, "")
    .split(".")
    .map(Number);
  if (parts.length !== 4 || parts[0] !== 127) return undefined;
  const value = parts.reduce((sum, part) => (sum << 8) | part, 0);
  return value === ((127 << 24) | 1) ? -1 : value - FIRST_ADDRESS;
}

/** Whether this machine answers on all of 127.0.0.0/8, as Linux does and macOS does not. */
export function rangeIsRouted(): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(0, addressOf(0), () => probe.close(() => resolve(true)));
  });
}
