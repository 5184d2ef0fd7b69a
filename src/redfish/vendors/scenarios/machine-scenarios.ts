/** For tests: how a machine is started and what is put into its drives, where vendors differ. */
import { systemClock } from "#clock";
import type { Quirks } from "../../protocol/quirks.ts";
import { RedfishService } from "../../protocol/service.ts";
import { lostBootOptions, setBootOrder, setBootOverride } from "../../resources/boot.ts";
import { bootSettingsOf } from "../../resources/boot-settings.ts";
import { resetManager, resetSystem } from "../../resources/reset.ts";
import { remedyForStall } from "../../resources/task.ts";
import { insertMedia, virtualMediumOf } from "../../resources/virtual-media.ts";
import { type Behaviour, collection, link, resource, type TreeBmc, withTree } from "../../testing/tree-bmc.ts";
import type { Scenario } from "./scenario.ts";

const SYSTEM = "/redfish/v1/Systems/1";
const MANAGER = "/redfish/v1/Managers/1";
const MEDIA = `${MANAGER}/VirtualMedia`;

const boot = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  Boot: { BootSourceOverrideEnabled: "Disabled", BootSourceOverrideTarget: "None", ...more },
});

async function overrideBodies(quirks: Quirks, mode: string): Promise<unknown> {
  const system = boot({ BootSourceOverrideMode: mode });
  return withTree({ quirks, tree: { [SYSTEM]: system } }, async ({ service, writes }) => {
    await setBootOverride(service, resource(SYSTEM, system), { target: "Pxe", lasts: "Once" });
    return writes.map(({ body }) => body);
  });
}

/** Takes the override only through the settings object, as if nothing were wrong. */
const ignoresDirect: Behaviour = ({ method, path, body }, tree) => {
  if (method !== "PATCH") return undefined;
  if (path.endsWith("/Settings")) tree[SYSTEM] = { ...tree[SYSTEM], ...(body as object) };
  return { status: 204 };
};

async function sameState(quirks: Quirks): Promise<unknown> {
  const reset = { Actions: { "#ComputerSystem.Reset": { target: `${SYSTEM}/Reset` } } };
  const behave: Behaviour = ({ method }) => (method === "POST" ? { status: 409 } : undefined);
  return withTree({ quirks, behave, tree: { [SYSTEM]: { PowerState: "On", ...reset } } }, async ({ service }) => {
    const outcome = await resetSystem(service, resource(SYSTEM, { PowerState: "Off", ...reset }), "On");
    return outcome.ok ? outcome.value : outcome.failure.status;
  });
}

const drive = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  Id: "CD1",
  MediaTypes: ["CD"],
  Image: null,
  Inserted: false,
  ConnectedVia: "NotConnected",
  Actions: {
    "#VirtualMedia.InsertMedia": { target: `${MEDIA}/Insert` },
    "#VirtualMedia.EjectMedia": { target: `${MEDIA}/Eject` },
  },
  ...more,
});

async function mediaWrites(
  quirks: Quirks,
  drives: Record<string, Record<string, unknown>>,
  behave?: Behaviour,
): Promise<{ bmc: TreeBmc["writes"]; ok: boolean }> {
  const tree = { [MEDIA]: collection(...Object.keys(drives)), ...drives };
  return withTree({ quirks, tree, ...(behave ? { behave } : {}) }, async ({ service, writes }) => {
    const outcome = await insertMedia(service, MEDIA, { url: "http://i/new.iso" });
    return { bmc: [...writes], ok: outcome.ok };
  });
}

/** Refuses a second medium, as strict firmware does. */
const strictDrive: Behaviour = ({ method, path }, tree) => {
  if (method !== "POST") return undefined;
  const now = tree[`${MEDIA}/1`];
  const insert = path.endsWith("/Insert");
  if (!now || (insert && now.Inserted === true)) return { status: 500 };
  Object.assign(now, insert ? { Inserted: true, Image: "http://i/new.iso" } : { Inserted: false, Image: null });
  return { status: 204 };
};

/** One scenario for each row, by its id. */
export const machineScenarios: Readonly<Record<string, Scenario>> = {
  "dell-boot-override-in-settings": {
    see: (quirks) => {
      const system = { ...boot(), "@Redfish.Settings": { SettingsObject: link(`${SYSTEM}/Settings`) } };
      const tree = { [SYSTEM]: system, [`${SYSTEM}/Settings`]: {} };
      return withTree({ quirks, behave: ignoresDirect, tree }, async ({ service }) => {
        const armed = await setBootOverride(service, resource(SYSTEM, system), { target: "Pxe", lasts: "Once" });
        return armed.ok ? armed.value.settings.overrideTarget : armed.failure.code;
      });
    },
    withRow: "Pxe",
  },
  "dell-same-state-conflict": { see: sameState, withRow: { sent: false } },
  "hpe-same-state-conflict": { see: sameState, withRow: { sent: false } },
  "dell-stalled-jobs": {
    see: async (quirks) => remedyForStall(new RedfishService({ send: () => Promise.reject() }, systemClock, quirks)),
    withRow: "ResetManager",
  },
  "dell-media-eject-first": {
    see: async (quirks) => {
      const full = drive({ Inserted: true, Image: "http://i/old.iso", ConnectedVia: "URI" });
      const { bmc, ok } = await mediaWrites(quirks, { [`${MEDIA}/1`]: full }, strictDrive);
      return { ok, paths: bmc.map(({ path }) => path) };
    },
    withRow: { ok: true, paths: [`${MEDIA}/Eject`, `${MEDIA}/Insert`] },
  },
  "hpe-manager-reset-without-type": {
    see: (quirks) =>
      withTree({ quirks, tree: {} }, async ({ service, writes }) => {
        const manager = resource(MANAGER, { Actions: { "#Manager.Reset": { target: `${MANAGER}/Reset` } } });
        await resetManager(service, manager);
        return writes.map(({ body }) => body);
      }),
    withRow: [{}],
  },
  "hpe-boot-order-read-only": {
    see: (quirks) => {
      const system = boot({ BootOrder: ["Boot1", "Boot2"] });
      return withTree({ quirks, tree: { [SYSTEM]: system } }, async ({ service, writes }) => {
        const set = await setBootOrder(service, resource(SYSTEM, system), ["Boot2", "Boot1"]);
        return { set: set.ok ? "yes" : set.failure.code, sent: writes.length };
      });
    },
    withRow: { set: "NotSupported", sent: 0 },
  },
  "lenovo-boot-override-sticks": {
    see: (quirks) =>
      withTree({ quirks, tree: { [SYSTEM]: boot() } }, async ({ service }) => {
        const armed = await setBootOverride(service, resource(SYSTEM, boot()), { target: "Pxe", lasts: "Once" });
        return armed.ok && armed.value.disarmAfterBoot;
      }),
    withRow: true,
  },
  "sushy-override-shown-continuous": {
    see: (quirks) => {
      const behave: Behaviour = ({ method }, tree) => {
        if (method !== "PATCH") return undefined;
        tree[SYSTEM] = boot({ BootSourceOverrideEnabled: "Continuous", BootSourceOverrideTarget: "Pxe" });
        return { status: 204 };
      };
      return withTree({ quirks, behave, tree: { [SYSTEM]: boot() } }, async ({ service }) => {
        const armed = await setBootOverride(service, resource(SYSTEM, boot()), { target: "Pxe", lasts: "Once" });
        return armed.ok;
      });
    },
    withRow: true,
  },
  "lenovo-media-by-patch": {
    see: async (quirks) => {
      const { bmc } = await mediaWrites(quirks, { [`${MEDIA}/1`]: drive({ Id: "EXT1" }) });
      return bmc.map(({ method, body }) => ({ method, body }));
    },
    withRow: [{ method: "PATCH", body: { Image: "http://i/new.iso", Inserted: true } }],
  },
  "lenovo-media-slots": {
    see: async (quirks) => {
      const drives = { [`${MEDIA}/RDOC1`]: drive({ Id: "RDOC1" }), [`${MEDIA}/EXT1`]: drive({ Id: "EXT1" }) };
      return (await mediaWrites(quirks, drives)).bmc.map(({ path }) => path);
    },
    withRow: [`${MEDIA}/EXT1`],
  },
  "supermicro-boot-mode-always": {
    see: (quirks) => overrideBodies(quirks, "UEFI"),
    withRow: [
      {
        Boot: {
          BootSourceOverrideEnabled: "Once",
          BootSourceOverrideTarget: "Pxe",
          BootSourceOverrideMode: "UEFI",
        },
      },
    ],
  },
  "supermicro-x10-no-boot-mode": {
    see: (quirks) => overrideBodies(quirks, "Legacy"),
    withRow: [{ Boot: { BootSourceOverrideEnabled: "Once", BootSourceOverrideTarget: "Pxe" } }],
  },
  "supermicro-boot-order-drifts": {
    see: async (quirks) => {
      const service = new RedfishService({ send: () => Promise.reject() }, systemClock, quirks);
      return lostBootOptions(service, ["Net", "Disk"], bootSettingsOf({ Boot: { BootOrder: ["Net"] } }));
    },
    withRow: ["Disk"],
  },
  "supermicro-media-image-only": {
    see: async (quirks) => (await mediaWrites(quirks, { [`${MEDIA}/1`]: drive() })).bmc.map(({ body }) => body),
    withRow: [{ Image: "http://i/new.iso" }],
  },
  "supermicro-media-name-lingers": {
    see: async (quirks) => {
      const service = new RedfishService({ send: () => Promise.reject() }, systemClock, quirks);
      return virtualMediumOf(
        service,
        resource(`${MEDIA}/1`, { Image: "http://i/old.iso", ConnectedVia: "NotConnected" }),
      );
    },
    withRow: { path: `${MEDIA}/1`, mediaTypes: [], inserted: false },
  },
};
