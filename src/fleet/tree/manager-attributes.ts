/** Dell's manager attributes: three resources that share one registry, written through their settings objects. */
import type { Bmc } from "../bmc/bmc.ts";
import type { Saying } from "../http/messages.ts";
import { below, head, type Place, type Resource, ref } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { BiosAttribute } from "../profiles/profile.ts";

const groups: Readonly<Record<string, readonly string[]>> = {
  "iDRAC.Embedded.1": ["NTPConfigGroup.", "SysLog.", "SNMP.", "WebServer.", "IPMILan."],
  "System.Embedded.1": ["ServerPwr.", "ThermalSettings."],
  "LifecycleController.Embedded.1": ["LCAttributes.", "EmailAlert."],
};

export const managerAttributeResources: readonly Resource[] = [
  { path: "/Managers/{manager}/Oem/Dell/DellAttributes/{group}", read: attributesBody, patch: write },
  { path: "/Managers/{manager}/Oem/Dell/DellAttributes/{group}/Settings", read: settingsBody, patch: write },
];

/** What the manager's Links.Oem shows. */
export function managerAttributeLinks(at: Place): JsonObject | undefined {
  if (!at.profile.managerAttributes) return undefined;
  const all = Object.keys(groups).map((group) =>
    ref(at, "Managers", at.profile.names.manager, "Oem", "Dell", "DellAttributes", group),
  );
  return { Dell: { DellAttributes: all, "DellAttributes@odata.count": all.length } };
}

function state(bmc: Bmc): NonNullable<Bmc["managerAttributes"]> {
  bmc.managerAttributes ??= { current: new Map(), pending: new Map() };
  return bmc.managerAttributes;
}

function attributesIn(at: Place): readonly BiosAttribute[] | undefined {
  const prefixes = groups[at.params.group ?? ""];
  if (at.params.manager !== at.profile.names.manager || !prefixes) return undefined;
  return at.profile.managerAttributes?.filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)));
}

/** iDRAC shows enumerations by their display names. */
function attributesBody(at: Place): JsonObject | undefined {
  const attributes = attributesIn(at);
  if (!attributes) return undefined;
  const { current } = state(at.bmc);
  const shown = ({ name, value, choices }: BiosAttribute): Json => {
    const now = (current.get(name) ?? value) as Json;
    return choices?.[String(now)] ?? now;
  };
  return {
    ...head(at, "DellAttributes", at.params.group ?? "", "OEMAttributeRegistry"),
    AttributeRegistry: "ManagerAttributeRegistry.v1_0_0",
    Attributes: Object.fromEntries(attributes.map((attribute) => [attribute.name, shown(attribute)])),
    "@Redfish.Settings": {
      "@odata.type": "#Settings.v1_3_0.Settings",
      SettingsObject: below(at, "Settings"),
      SupportedApplyTimes: ["Immediate", "OnReset"],
    },
  };
}

function settingsBody(at: Place): JsonObject | undefined {
  const attributes = attributesIn(at);
  if (!attributes) return undefined;
  const { pending } = state(at.bmc);
  const waiting = attributes
    .filter(({ name }) => pending.has(name))
    .map(({ name }) => [name, pending.get(name) as Json]);
  return { ...head(at, "DellAttributes", "Settings", "Pending attributes"), Attributes: Object.fromEntries(waiting) };
}

function write(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const attributes = attributesIn(at);
  const values = body.Attributes;
  if (!attributes) return refuse(404, "ResourceMissingAtURI", at.path);
  if (!isObject(values)) return refuse(400, "PropertyMissing", "Attributes");
  const sayings = Object.entries(values).flatMap(([name, value]): Saying[] => {
    const attribute = attributes.find((known) => known.name === name);
    if (!attribute) return [{ key: "PropertyUnknown", args: [name] }];
    if (attribute.readOnly) return [{ key: "PropertyNotWritable", args: [name] }];
    const isKnown = !attribute.choices || String(value) in attribute.choices;
    return isKnown ? [] : [{ key: "PropertyValueNotInList", args: [String(value), name] }];
  });
  if (sayings.length > 0) return { status: 400, sayings };
  const { current, pending } = state(at.bmc);
  for (const [name, value] of Object.entries(values)) {
    const needsReset = attributes.find((known) => known.name === name)?.reset === true;
    (needsReset ? pending : current).set(name, value);
  }
  return noContent;
}
