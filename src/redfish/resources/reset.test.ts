import { describe, expect, it } from "vitest";
import { resource, type TreeBmc, withTree } from "../testing/tree-bmc.ts";
import { type ResetType, resetManager, resetSystem } from "./reset.ts";

const SYSTEM = "/redfish/v1/Systems/1";
const TARGET = `${SYSTEM}/Actions/ComputerSystem.Reset`;

function system(PowerState: unknown, action: Record<string, unknown> = {}) {
  return resource(SYSTEM, { PowerState, Actions: { "#ComputerSystem.Reset": { target: TARGET, ...action } } });
}

const sent = ({ writes }: TreeBmc): readonly unknown[] => writes.map(({ body }) => body);

describe("a reset", () => {
  it.each<[ResetType, unknown, boolean]>([
    ["On", "Off", true],
    ["On", "On", false],
    ["On", "PoweringOn", true],
    ["On", "PoweringOff", true],
    ["On", undefined, true],
    ["On", "odd", true],
    ["ForceOff", "Off", false],
    ["ForceOff", "On", true],
    ["GracefulShutdown", "Off", false],
    ["GracefulShutdown", "PoweringOff", true],
    ["ForceRestart", "On", true],
    ["ForceRestart", "Off", true],
    ["Nmi", "On", true],
  ])("%s of a machine that is %s: sent is %s", (type, state, expected) =>
    withTree({ tree: {} }, async (bmc) => {
      expect(await resetSystem(bmc.service, system(state), type)).toMatchObject({
        ok: true,
        value: { sent: expected },
      });
      expect(sent(bmc)).toEqual(expected ? [{ ResetType: type }] : []);
    }),
  );

  const info = (values: readonly string[]) => ({
    "/info": { Parameters: [{ Name: "Other" }, { Name: "ResetType", AllowableValues: values }] },
  });

  it.each([
    ["listed by the action", { "ResetType@Redfish.AllowableValues": ["On"] }, {}, true],
    ["not listed by the action", { "ResetType@Redfish.AllowableValues": ["ForceOff"] }, {}, false],
    ["listed by ActionInfo", { "@Redfish.ActionInfo": "/info" }, info(["On"]), true],
    ["not listed by ActionInfo", { "@Redfish.ActionInfo": "/info" }, info(["ForceOff"]), false],
    ["listed nowhere", {}, {}, true],
    ["listed by an ActionInfo that is not there", { "@Redfish.ActionInfo": "/info" }, {}, true],
  ])("%s", (_, action, tree, expected) =>
    withTree({ tree }, async (bmc) => {
      const outcome = await resetSystem(bmc.service, system("Off", action), "On");
      expect(outcome.ok || outcome.failure.code).toBe(expected || "NotSupported");
      expect(sent(bmc)).toHaveLength(expected ? 1 : 0);
    }),
  );

  it("a 409 is a refusal where the machine is not as asked, also with the quirk", () =>
    withTree(
      {
        tree: { [SYSTEM]: { PowerState: "Off" } },
        quirks: { refusesSameState: true },
        behave: ({ method }) => (method === "POST" ? { status: 409 } : undefined),
      },
      async ({ service }) =>
        expect(await resetSystem(service, system("Off"), "On")).toMatchObject({ failure: { status: 409 } }),
    ));

  it("a system without the action says so", () =>
    withTree({ tree: {} }, async ({ service }) =>
      expect(await resetSystem(service, resource(SYSTEM, {}), "On")).toMatchObject({
        failure: { code: "NotSupported" },
      }),
    ));
});

describe("a restart of the manager", () => {
  const manager = (action: Record<string, unknown>) =>
    resource("/m", { Actions: { "#Manager.Reset": { target: "/m/Reset", ...action } } });

  it.each([
    [
      "a type that is offered",
      { "ResetType@Redfish.AllowableValues": ["GracefulRestart"] },
      [{ ResetType: "GracefulRestart" }],
    ],
    ["a type that is not", { "ResetType@Redfish.AllowableValues": ["ForceRestart"] }, []],
    ["nothing said", {}, [{ ResetType: "GracefulRestart" }]],
  ])("%s", (_, action, expected) =>
    withTree({ tree: {} }, async (bmc) => {
      await resetManager(bmc.service, manager(action));
      expect(sent(bmc)).toEqual(expected);
    }),
  );
});
