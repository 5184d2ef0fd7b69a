/** Dell: attributes spread over several resources that share one registry. */
import { failure, type Outcome, success } from "../../protocol/outcome.ts";
import { readLinks, readRecord } from "../../protocol/read.ts";
import type { CallOptions, RedfishService, Resource } from "../../protocol/service.ts";
import { type Attribute, type AttributeRegistry, readRegistry } from "../attribute-registry.ts";
import { type Values, validateChange } from "../attribute-validation.ts";
import { attributesOf } from "../bios.ts";
import { pendingOf, writeAttributes } from "./attribute-group.ts";
import type { ManagerSettings } from "./manager-settings.ts";

export async function dellSettings(
  service: RedfishService,
  manager: Resource,
  registries: string | undefined,
  options: CallOptions,
): Promise<Outcome<ManagerSettings>> {
  const links = readRecord(manager.body, "Links");
  const paths = readLinks(readRecord(readRecord(links, "Oem"), "Dell"), "DellAttributes");
  if (paths.length === 0 || registries === undefined)
    return failure("NotSupported", `${manager.path} names no DellAttributes`);
  const registry = await readRegistry(service, { registries, family: "ManagerAttributeRegistry" }, options);
  if (!registry.ok) return registry;
  const groups: Resource[] = [];
  for (const path of paths) {
    const group = await service.get(path, options);
    if (!group.ok) return group;
    groups.push(group.value);
  }
  const owners = ownersOf(groups);
  return owners.ok ? success(settings(service, withExtras(service, registry.value), owners.value)) : owners;
}

type Owners = ReadonlyMap<string, Resource>;

/** Which resource has which attribute; two that claim the same one leave no safe place to write it. */
function ownersOf(groups: readonly Resource[]): Outcome<Owners> {
  const owners = new Map<string, Resource>();
  for (const group of groups) {
    for (const name of Object.keys(attributesOf(group.body))) {
      const other = owners.get(name);
      if (other) return failure("BrokenAnswer", `${name} is in ${other.path} and in ${group.path}`);
      owners.set(name, group);
    }
  }
  return success(owners);
}

function withExtras({ quirks }: RedfishService, registry: AttributeRegistry): AttributeRegistry {
  const extras = (quirks.extraManagerAttributes ?? []).map(
    (extra): Attribute => ({ ...extra, readOnly: false, hidden: false, immutable: false, values: new Map() }),
  );
  const attributes = new Map([...extras.map((extra) => [extra.name, extra] as const), ...registry.attributes]);
  return { ...registry, attributes };
}

function settings(service: RedfishService, registry: AttributeRegistry, owners: Owners): ManagerSettings {
  const { quirks } = service;
  const groups = [...new Set(owners.values())];
  return {
    async read(wanted) {
      const missing = Object.keys(wanted).filter((name) => !owners.has(name));
      if (missing.length > 0) return failure("NotFound", `the manager has no attribute ${missing.join(", ")}`);
      const current = Object.assign({}, ...groups.map(({ body }) => attributesOf(body))) as Values;
      const shown = quirks.managerAttributesShowDisplayNames
        ? (name: string) => comparable(registry.attributes.get(name), current[name] ?? null, wanted[name] ?? null)
        : (name: string) => current[name] ?? null;
      return success(Object.fromEntries(Object.keys(wanted).map((name) => [name, shown(name)])));
    },
    async pending(options = {}) {
      const found: Values[] = [];
      for (const group of groups) {
        const pending = await pendingOf(service, group, options);
        if (!pending.ok) return pending;
        found.push(pending.value);
      }
      return success(Object.assign({}, ...found) as Values);
    },
    check: (change) =>
      validateChange(
        registry,
        change,
        {},
        {
          unsaidNeedsReset: !quirks.managerResetUnsaidMeansNo,
          acceptDisplayNames: quirks.managerAttributesShowDisplayNames === true,
        },
      ),
    async write(change, options = {}) {
      for (const group of groups) {
        const own = Object.fromEntries(Object.entries(change).filter(([name]) => owners.get(name) === group));
        if (Object.keys(own).length === 0) continue;
        const written = await writeAttributes(service, group, own, options);
        if (!written.ok) return written;
      }
      return success(undefined);
    },
  };
}

type Value = Values[string];

/** A display name becomes the value name when that is what was wanted; else both are display names and compare. */
function comparable(attribute: Attribute | undefined, current: Value, wanted: Value): Value {
  if (!attribute || typeof wanted !== "string" || !attribute.values.has(wanted)) return current;
  const byDisplay = [...attribute.values].find(([, display]) => display === current);
  return byDisplay ? byDisplay[0] : current;
}
