import { format, inspect } from "node:util";
import pino from "pino";
import { describe, expect, expectTypeOf, it } from "vitest";
import { Redacted, redacted } from "./redacted.ts";

const secret = redacted("hunter2");

function logged(write: (log: pino.Logger) => void): string {
  const lines: string[] = [];
  write(pino({}, { write: (line: string) => lines.push(line) }));
  return lines.join("");
}

describe("Redacted", () => {
  it.each<[string, () => string]>([
    ["a template string", () => `${secret}`],
    ["concatenation", () => `a${secret}`],
    ["String()", () => String(secret)],
    ["JSON", () => JSON.stringify({ secret, list: [secret] })],
    ["inspect", () => inspect({ secret }, { showHidden: true, depth: null })],
    [
      "inspect without custom functions",
      () => `${inspect(secret, { customInspect: false, showHidden: true })}[redacted]`,
    ],
    ["console's format", () => format("%s %o %O %j", secret, secret, secret, secret)],
    ["an error message", () => new Error(`login with ${secret} failed`).message],
    ["a pino field", () => logged((log) => log.info({ secret, nested: { secret } }, "m"))],
    ["a pino message", () => logged((log) => log.info("login %s %j %o", secret, secret, secret))],
    ["a map, a set and a wrapper", () => inspect([new Map([[1, secret]]), new Set([secret])])],
    ["object spread", () => `${JSON.stringify({ ...secret })}[redacted]`],
  ])("does not show in %s", (_, write) => {
    expect(write()).not.toContain("hunter2");
    expect(write()).toContain("[redacted]");
  });

  it("has no key to enumerate and does not survive a structured clone", () => {
    expect(Object.keys(secret)).toEqual([]);
    expect(JSON.stringify(structuredClone(secret))).not.toContain("hunter2");
  });

  it("reveals by the explicit call alone, with its type", () => {
    expect(secret.reveal()).toBe("hunter2");
    expectTypeOf(new Redacted({ user: "a" }).reveal()).toEqualTypeOf<{ user: string }>();
  });

  it("is equal to no string", () => {
    // @ts-expect-error comparing a secret with a string is a mistake the compiler sees
    expect(secret === "hunter2").toBe(false);
  });
});
