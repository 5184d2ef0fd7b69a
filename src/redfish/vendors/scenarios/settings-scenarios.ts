/** For tests: how BIOS and manager settings are read, judged and written, where vendors differ. */
import type { Quirks } from "../../protocol/quirks.ts";
import { checkBios, readBios, readBiosRegistry, writeBios } from "../../resources/bios.ts";
import { openManagerSettings } from "../../resources/manager-settings/manager-settings.ts";
import { collection, link, resource, withTree } from "../../testing/tree-bmc.ts";
import type { Scenario } from "./scenario.ts";

const SYSTEM = "/redfish/v1/Systems/1";
const MANAGER = "/redfish/v1/Managers/1";
const REGISTRIES = "/redfish/v1/Registries";

const biosTree = (entry: Record<string, unknown>): Record<string, Record<string, unknown>> => ({
  [`${SYSTEM}/Bios`]: {
    AttributeRegistry: "BiosAttributeRegistry.v1",
    Attributes: { Turbo: "On", Cores: 4 },
    "@Redfish.Settings": { SettingsObject: link(`${SYSTEM}/Bios/Settings`) },
  },
  [`${SYSTEM}/Bios/Settings`]: { Attributes: { Turbo: "Off" } },
  [REGISTRIES]: collection(`${REGISTRIES}/Bios`),
  [`${REGISTRIES}/Bios`]: { Id: "BiosAttributeRegistry.v1", Location: [{ Uri: "/registry.json" }] },
  "/registry.json": { RegistryEntries: { Attributes: [{ AttributeName: "Cores", Type: "Integer", ...entry }] } },
});

async function biosCheck(quirks: Quirks): Promise<unknown> {
  return withTree({ quirks, tree: biosTree({ ResetRequired: false }) }, async ({ service }) => {
    const bios = await readBios(service, `${SYSTEM}/Bios`);
    if (!bios.ok) return bios.failure.code;
    const registry = await readBiosRegistry(service, REGISTRIES, bios.value);
    return registry.ok && checkBios(service, registry.value, bios.value, { Cores: 8 }).needsReset;
  });
}

const dellManager = {
  Links: { Oem: { Dell: { DellAttributes: [link(`${MANAGER}/A`)] } } },
};
const dellTree = (entry: Record<string, unknown>): Record<string, Record<string, unknown>> => ({
  [`${MANAGER}/A`]: { Attributes: { "Ntp.1.Enable": "Enabled", "SNMP.1.AgentCommunity": "public" } },
  [REGISTRIES]: collection(`${REGISTRIES}/M`),
  [`${REGISTRIES}/M`]: { Id: "ManagerAttributeRegistry.v1", Location: [{ Uri: "/registry.json" }] },
  "/registry.json": {
    RegistryEntries: {
      Attributes: [
        {
          AttributeName: "Ntp.1.Enable",
          Type: "Enumeration",
          Value: [
            { ValueName: "0", ValueDisplayName: "Disabled" },
            { ValueName: "1", ValueDisplayName: "Enabled" },
          ],
          ...entry,
        },
      ],
    },
  },
});

type Settings = Extract<Awaited<ReturnType<typeof openManagerSettings>>, { ok: true }>["value"];

async function dellSettings(
  quirks: Quirks,
  entry: Record<string, unknown>,
  look: (settings: Settings) => unknown,
): Promise<unknown> {
  return withTree({ quirks, tree: dellTree(entry) }, async ({ service }) => {
    const settings = await openManagerSettings(service, resource(MANAGER, dellManager), REGISTRIES);
    return settings.ok ? look(settings.value) : settings.failure.code;
  });
}

async function settingsByAddress(quirks: Quirks): Promise<unknown> {
  const path = `${MANAGER}/NetworkProtocol`;
  return withTree({ quirks, tree: { [path]: { NTP: { ProtocolEnabled: true, Port: 123 } } } }, async ({ service }) => {
    const settings = await openManagerSettings(service, resource(MANAGER, {}), REGISTRIES);
    if (!settings.ok) return settings.failure.code;
    return settings.value.read({ [`PATCH ${path}`]: '{"NTP":{"ProtocolEnabled":true}}' });
  });
}

const plainManager = {
  Attributes: { abc: "bar" },
  "@Redfish.Settings": { SettingsObject: link(`${MANAGER}/Settings`) },
};

/** One scenario for each row, by its id. */
export const settingsScenarios: Readonly<Record<string, Scenario>> = {
  "dell-one-bios-job": {
    see: (quirks) =>
      withTree({ quirks, tree: biosTree({}) }, async ({ service, writes }) => {
        const bios = await readBios(service, `${SYSTEM}/Bios`);
        const written = bios.ok ? await writeBios(service, bios.value, { Cores: 8 }) : bios;
        return { written: written.ok ? "yes" : written.failure.code, sent: writes.length };
      }),
    withRow: { written: "Busy", sent: 0 },
  },
  "dell-manager-attributes": { see: (quirks) => dellSettings(quirks, {}, () => "opened"), withRow: "opened" },
  "dell-display-names": {
    see: (quirks) => dellSettings(quirks, {}, (settings) => settings.read({ "Ntp.1.Enable": "1" })),
    withRow: { ok: true, value: { "Ntp.1.Enable": "1" } },
  },
  "dell-attributes-beside-the-registry": {
    see: (quirks) =>
      dellSettings(quirks, {}, (settings) => settings.check({ "SNMP.1.AgentCommunity": "x" }).problems.length),
    withRow: 0,
  },
  "dell-unsaid-reset-means-none": {
    see: (quirks) => dellSettings(quirks, {}, (settings) => settings.check({ "Ntp.1.Enable": "0" }).needsReset),
    withRow: false,
  },
  "dell-readonly-spelling": {
    see: (quirks) =>
      dellSettings(quirks, { Readonly: true }, (settings) => settings.check({ "Ntp.1.Enable": "0" }).problems),
    withRow: [{ name: "Ntp.1.Enable", message: "Ntp.1.Enable cannot be changed" }],
  },
  "hpe-bios-always-resets": { see: biosCheck, withRow: true },
  "hpe-manager-settings-by-address": {
    see: settingsByAddress,
    withRow: { ok: true, value: { [`PATCH ${MANAGER}/NetworkProtocol`]: '{"NTP":{"ProtocolEnabled":true}}' } },
  },
  "lenovo-manager-settings-by-address": {
    see: settingsByAddress,
    withRow: { ok: true, value: { [`PATCH ${MANAGER}/NetworkProtocol`]: '{"NTP":{"ProtocolEnabled":true}}' } },
  },
  "contoso-manager-attributes": {
    see: (quirks) => {
      const tree = {
        [REGISTRIES]: collection(`${REGISTRIES}/B`),
        [`${REGISTRIES}/B`]: { Id: "BMCAttributeRegistry", Location: [{ Uri: "/registry.json" }] },
        "/registry.json": { RegistryEntries: { Attributes: [{ AttributeName: "abc", Type: "String" }] } },
        [`${MANAGER}/Settings`]: { Attributes: { abc: "waiting" } },
      };
      return withTree({ quirks, tree }, async ({ service }) => {
        const settings = await openManagerSettings(service, resource(MANAGER, plainManager), REGISTRIES);
        return settings.ok ? settings.value.pending() : settings.failure.code;
      });
    },
    withRow: { ok: true, value: { abc: "waiting" } },
  },
};
