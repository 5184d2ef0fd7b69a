import { describe, expect, it, vi } from "vitest";
import { VirtualClock } from "#clock";
import { failure, type Outcome, success } from "#redfish";
import { AuditLog } from "../audit/audit-log.ts";
import type { HardwareAction, Performed } from "../driver/driver.ts";
import type { ServerSnapshot } from "../watch/snapshot.ts";
import { ActionDoor, type ActionRequest, type BehindTheDoor } from "./door.ts";

const reset: HardwareAction = { kind: "Reset", server: "/s", type: "ForceOff" };
const light: HardwareAction = { kind: "SetIndicator", server: "/s", indicator: "Lit" };

function scene(outcome: Outcome<Performed> = success({ sent: true })) {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const disk = { full: false };
  const sink = {
    append: async (line: string) => {
      if (disk.full) throw new Error("no space left");
      lines.push(line);
    },
    close: async () => undefined,
  };
  const door = new ActionDoor(new AuditLog({ clock, sink }));
  let power: "On" | "Off" = "On";
  const perform = vi.fn(async (): Promise<Outcome<Performed>> => {
    if (outcome.ok) power = "Off";
    return outcome;
  });
  const shown = (): ServerSnapshot => ({
    id: "/s",
    facts: { value: { id: "/s", power, lastResetTime: "then" }, at: clock.now(), atMs: clock.monotonic() },
  });
  const look = vi.fn(async () => undefined);
  const behind: BehindTheDoor = { bmc: "http://b:80", perform, server: shown, look };
  const ask = (action: HardwareAction, more: Partial<ActionRequest> = {}) =>
    door.perform(behind, {
      action,
      by: "controller/server",
      why: "the claim was deleted",
      object: { kind: "Server", name: "s", uid: "u1" },
      ...more,
    });
  return { ask, perform, look, disk, records: () => lines.map((line) => JSON.parse(line)) };
}

const intent = (nonce: string) => vi.fn(async () => ({ nonce }));

describe("the door for actions", () => {
  it("records who asked, why and for what, before and after", async () => {
    const { ask, records } = scene();
    expect(await ask(reset, { intent: intent("n1") })).toEqual(success({ sent: true }));
    expect(records()).toMatchObject([
      {
        phase: "begin",
        seq: 1,
        bmc: "http://b:80",
        by: "controller/server",
        why: "the claim was deleted",
        object: { kind: "Server", name: "s", uid: "u1" },
        action: { kind: "Reset", type: "ForceOff" },
        nonce: "n1",
        before: { power: "On" },
      },
      { phase: "end", seq: 2, nonce: "n1", before: { power: "On" }, after: { power: "Off" }, outcome: "sent" },
    ]);
  });

  it("opens an intent with what the hardware looks like before, and only then sends", async () => {
    const { ask, perform } = scene();
    const guard = vi.fn(async (before: Readonly<Record<string, string>>) => {
      expect(before).toEqual({ power: "On", lastResetTime: "then" });
      expect(perform).not.toHaveBeenCalled();
      return { nonce: "n" };
    });
    await ask(reset, { intent: guard });
    expect(guard).toHaveBeenCalledTimes(1);
    expect(perform).toHaveBeenCalledTimes(1);
  });

  it("sends nothing that cannot be repeated without an intent", async () => {
    const { ask, perform, records } = scene();
    await expect(ask(reset)).rejects.toThrow(/cannot be repeated safely/);
    await expect(ask({ kind: "ResetManager", manager: "/m" })).rejects.toThrow(TypeError);
    const flash = {
      kind: "Custom",
      name: "Flash/BIOS",
      repeatable: false,
      detail: {},
      run: async () => success(1),
    } as const;
    await expect(ask(flash)).rejects.toThrow(/Flash\/BIOS/);
    expect(perform).not.toHaveBeenCalled();
    expect(records()).toEqual([]);
    expect(await ask(light)).toMatchObject({ ok: true });
  });

  it("sends nothing when the intent is refused, and says so in the trail", async () => {
    const { ask, perform, records } = scene();
    const refuses = async () => Promise.reject(new Error("Reset/ForceOff not begun: another has not ended yet"));
    expect(await ask(reset, { intent: refuses })).toMatchObject({
      failure: { code: "Refused", message: expect.stringContaining("another has not ended yet") },
    });
    expect(perform).not.toHaveBeenCalled();
    expect(records()).toMatchObject([{ phase: "refused" }]);
  });

  it("sends the same nonce once", async () => {
    const { ask, perform } = scene();
    await ask(reset, { intent: intent("same") });
    expect(await ask(reset, { intent: intent("same") })).toMatchObject({ failure: { code: "Refused" } });
    expect(await ask(reset, { intent: intent("") })).toMatchObject({ failure: { code: "Refused" } });
    expect(perform).toHaveBeenCalledTimes(1);
  });

  it.each(["ConnectionLost", "TimedOut", "ServerError", "Unreachable"] as const)(
    "does not send again after %s",
    async (code) => {
      const { ask, perform, look, records } = scene(failure(code, "it went wrong"));
      expect(await ask(reset, { intent: intent("n") })).toMatchObject({ failure: { code } });
      expect(perform).toHaveBeenCalledTimes(1);
      expect(records().at(-1)).toMatchObject({ phase: "end", outcome: code, message: "it went wrong" });
      expect(look, "what may have happened is looked at").toHaveBeenCalledTimes(
        code === "ConnectionLost" || code === "TimedOut" ? 1 : 0,
      );
    },
  );

  it("sends nothing that cannot be recorded, and reports what was sent before the disk was full", async () => {
    const { ask, perform, disk } = scene();
    disk.full = true;
    expect(await ask(light)).toMatchObject({ failure: { message: expect.stringContaining("no space left") } });
    expect(perform).not.toHaveBeenCalled();

    const other = scene();
    other.perform.mockImplementation(async () => {
      other.disk.full = true;
      return success({ sent: true });
    });
    expect(await other.ask(light)).toEqual(success({ sent: true }));
    expect(await other.ask(light)).toMatchObject({ ok: false });
  });

  it("records no secret of an action", async () => {
    const { ask, records } = scene();
    const image = { url: "https://u:hunter22@h/i.iso?sig=hunter22", username: "u", password: () => "hunter22" };
    await ask({ kind: "InsertMedia", server: "/s", collection: "/m", image });
    const detail = { account: "admin", password: "hunter22" };
    await ask({ kind: "Custom", name: "CreateAccount", repeatable: true, detail, run: async () => success(1) });
    expect(records()).toHaveLength(4);
    expect(JSON.stringify(records())).not.toContain("hunter22");
  });
});
