/** Makes a served resource out of the few words that tell one built-in kind from another. */
import type { KubeObject } from "#kinds";
import {
  ALL_VERBS,
  type Conversion,
  type FieldLabels,
  type Resource,
  type Strategy,
  type Subresource,
} from "../rest/resource.ts";
import { builtInColumns } from "./columns.ts";
import { emptyBuiltin } from "./go-decode.ts";
import { builtinResetFields } from "./reset-fields.ts";
import { builtInStrategy } from "./strategy.ts";
import { builtinModel } from "./type-models.ts";

export interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly cluster?: boolean;
  readonly verbs?: Resource["verbs"];
  /** Where the objects are stored, when not under their own group. */
  readonly storage?: string;
  readonly storedAs?: string;
  readonly status?: boolean;
  readonly subresources?: Readonly<Record<string, Subresource>>;
  readonly fieldLabels?: FieldLabels;
  readonly strategy?: Partial<Strategy>;
  readonly conversion?: Conversion;
}

const COMMON_LABELS: FieldLabels = {
  "metadata.name": ({ metadata }) => metadata.name ?? "",
  "metadata.namespace": ({ metadata }) => metadata.namespace ?? "",
};

export function builtIn(definition: Definition): Resource {
  const { group, kind, plural, cluster = false } = definition;
  const storage = definition.storage ?? `${group || "core"}/${plural}`;
  const version = "v1";
  const apiVersion = group ? `${group}/${version}` : version;
  const empty = emptyBuiltin(apiVersion, kind);
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: definition.singular ?? kind.toLowerCase(),
    shortNames: definition.shortNames ?? [],
    categories: definition.categories ?? [],
    scope: cluster ? "Cluster" : "Namespaced",
    verbs: definition.verbs ?? ALL_VERBS,
    storage,
    storedAs: definition.storedAs ?? apiVersion,
    typedListItems: false,
    subresources: subresourcesOf(definition),
    strategy: builtInStrategy(strategyOf(definition)),
    modelOf: (version) => builtinModel(version, kind),
    resetFields: (subresource) => builtinResetFields(kind, subresource),
    ...(empty && { empty }),
    ...(definition.conversion && { conversion: definition.conversion }),
    columns: builtInColumns[storage] ?? [],
    fieldLabels: { ...COMMON_LABELS, ...definition.fieldLabels },
    builtIn: true,
  };
}

function subresourcesOf({ group, kind, status, subresources = {} }: Definition): Map<string, Subresource> {
  const all = new Map(Object.entries(subresources));
  const own = { group: group === "" ? "" : group, version: "v1", kind };
  if (status) all.set("status", { kind: own, verbs: ["get", "patch", "update"] });
  return all;
}

/** With a status subresource, each of the two endpoints leaves the other's half alone. */
function strategyOf({ status, strategy = {} }: Definition): Partial<Strategy> {
  if (!status) return strategy;
  return {
    ...strategy,
    prepareForCreate: (object, context) => {
      strategy.prepareForCreate?.(object, context);
    },
    prepareForUpdate: (object, old, context) => {
      keep(object, old, context.subresource === "status" ? "spec" : "status");
      strategy.prepareForUpdate?.(object, old, context);
    },
  };
}

function keep(object: KubeObject, old: KubeObject, field: "spec" | "status"): void {
  const [to, from] = [object, old] as unknown as Record<string, unknown>[];
  if (!to || !from) return;
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}
