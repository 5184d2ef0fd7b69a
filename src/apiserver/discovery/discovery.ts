/** Tells clients which groups, versions and resources there are: the lists of old, and all of it in one document. */
import { createHash } from "node:crypto";
import type { Registry } from "../rest/registry.ts";
import type { Resource } from "../rest/resource.ts";
import { reviewResources } from "./review-resources.ts";
import { compareVersions } from "./version-order.ts";

/** A resource as discovery describes it; reviews have no storage, so they are only this. */
export type DiscoveredResource = Pick<
  Resource,
  "group" | "version" | "kind" | "plural" | "singular" | "shortNames" | "categories" | "scope" | "subresources"
> & { readonly verbs: readonly string[] };

export interface GroupVersions {
  readonly name: string;
  /** Preferred version first. */
  readonly versions: readonly string[];
}

function everything(registry: Registry): DiscoveredResource[] {
  return [...registry.all(), ...reviewResources];
}

export function groupsOf(registry: Registry): GroupVersions[] {
  const groups = new Map<string, Set<string>>();
  for (const { group, version } of everything(registry)) {
    groups.set(group, (groups.get(group) ?? new Set()).add(version));
  }
  return [...groups].map(([name, versions]) => ({ name, versions: [...versions].sort(compareVersions) }));
}

function resourcesIn(registry: Registry, group: string, version: string): DiscoveredResource[] {
  return everything(registry)
    .filter((r) => r.group === group && r.version === version)
    .sort((a, b) => (a.plural < b.plural ? -1 : 1));
}

/** GET /api */
export function legacyVersions(serverAddress: string): unknown {
  const clients = [{ clientCIDR: "0.0.0.0/0", serverAddress }];
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: clients };
}

function apiGroup({ name, versions }: GroupVersions): { name: string; versions: unknown[]; preferredVersion: unknown } {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

/** GET /apis */
export function groupList(registry: Registry): unknown {
  const groups = groupsOf(registry).filter(({ name }) => name !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(apiGroup) };
}

/** GET /apis/GROUP */
export function oneGroup(registry: Registry, name: string): unknown {
  const group = groupsOf(registry).find((g) => g.name === name);
  return group && { kind: "APIGroup", apiVersion: "v1", ...apiGroup(group) };
}

/** GET /api/v1 and /apis/GROUP/VERSION */
export function resourceList(registry: Registry, group: string, version: string): unknown {
  const found = resourcesIn(registry, group, version);
  if (found.length === 0) return undefined;
  const groupVersion = group === "" ? version : `${group}/${version}`;
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources: found.flatMap(listed) };
}

function listed(resource: DiscoveredResource): unknown[] {
  const { plural, singular, scope, kind, verbs, shortNames, categories, subresources } = resource;
  const namespaced = scope === "Namespaced";
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(verbs.includes("get") && { storageVersionHash: storageHash(resource) }),
  };
  const below = [...subresources].map(([name, sub]) => ({
    name: `${plural}/${name}`,
    singularName: "",
    namespaced,
    ...(sub.kind.group !== resource.group && sub.kind.version && { group: sub.kind.group, version: sub.kind.version }),
    kind: sub.kind.kind,
    verbs: sub.verbs,
  }));
  return [own, ...below];
}

function storageHash({ group, version, kind }: DiscoveredResource): string {
  return createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64");
}

/** GET /api or /apis in the aggregated form. */
export function aggregated(registry: Registry, version: string, isLegacy: boolean): unknown {
  const groups = groupsOf(registry).filter(({ name }) => (name === "") === isLegacy);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: { ...(name && { name }), creationTimestamp: null },
      versions: versions.map((v) => ({
        version: v,
        resources: resourcesIn(registry, name, v).map(discovered),
        freshness: "Current",
      })),
    })),
  };
}

function discovered({
  plural,
  singular,
  scope,
  kind,
  verbs,
  shortNames,
  categories,
  subresources,
}: DiscoveredResource): unknown {
  return {
    resource: plural,
    responseKind: { group: "", version: "", kind },
    scope: scope === "Namespaced" ? "Namespaced" : "Cluster",
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.size > 0 && {
      subresources: [...subresources].map(([subresource, { kind: responseKind, verbs: subVerbs }]) => ({
        subresource,
        responseKind,
        verbs: subVerbs,
      })),
    }),
  };
}
