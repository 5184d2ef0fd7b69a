import { describe, expect, it } from "vitest";
import { failIntent, IntentOpen, isDone, isOpen, NonceReused, observeIntent, openIntent } from "./intent.ts";

const now = new Date("2026-01-01T00:00:00Z");
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const request = { action: "Reset", targetUID: "u1", nonce: "n1", timeoutMs: 60_000, fingerprint: { boots: "7" } };
const open = openIntent(undefined, request, now);
const counted = (before: Record<string, string>, seen: Record<string, string>) =>
  Number(seen.boots) > Number(before.boots);

describe("intent", () => {
  it("says what, for whom, until when, and what the target looked like before", () => {
    expect(open).toEqual({
      action: "Reset",
      targetUID: "u1",
      nonce: "n1",
      issued: "2026-01-01T00:00:00Z",
      deadline: "2026-01-01T00:01:00Z",
      fingerprint: { boots: "7" },
    });
  });

  it("is refused while another is open", () => {
    expect(() => openIntent(open, { ...request, nonce: "n2" }, now)).toThrow(IntentOpen);
  });

  it("is refused with a nonce that was used, and welcome with a new one", () => {
    const failed = failIntent(open, "refused", now);
    expect(() => openIntent(failed, request, now)).toThrow(NonceReused);
    expect(openIntent(failed, { ...request, nonce: "n2" }, now).nonce).toBe("n2");
  });

  const target = { targetUID: "u1", ended: counted };
  const cases: [string, Parameters<typeof observeIntent>[1], number, string | undefined][] = [
    ["nothing seen yet", { ...target, fingerprint: { boots: "7" } }, 10, undefined],
    ["target unreadable before the deadline", { ...target, fingerprint: undefined }, 10, undefined],
    ["the end seen", { ...target, fingerprint: { boots: "8" } }, 10, "Done"],
    ["the end seen late counts as the end", { ...target, fingerprint: { boots: "8" } }, 90, "Done"],
    ["nothing seen until the deadline", { ...target, fingerprint: { boots: "7" } }, 60, "Failed"],
    ["target unreadable until the deadline", { ...target, fingerprint: undefined }, 60, "Failed"],
    ["found on another target", { ...target, targetUID: "u2", fingerprint: { boots: "9" } }, 10, "Failed"],
  ];
  it.each(cases)("%s", (_, seen, afterSeconds, outcome) => {
    const observed = observeIntent(open, seen, later(afterSeconds));
    expect(observed.outcome?.replace(/:.*/, "")).toBe(outcome);
    expect(isDone(observed)).toBe(outcome === "Done");
    expect(isOpen(observed)).toBe(outcome === undefined);
  });

  it("stays as it ended", () => {
    const done = observeIntent(open, { ...target, fingerprint: { boots: "8" } }, later(1));
    expect(observeIntent(done, { ...target, fingerprint: { boots: "7" } }, later(999))).toBe(done);
    expect(failIntent(done, "too late", later(5))).toBe(done);
  });
});
