/** Who owns what after a write: the rules of server-side apply, on plain values. */
import type { Json, JsonObject } from "../json.ts";
import { type Comparison, compareTyped, excludeFields } from "./compare.ts";
import { type Conflict, conflictsWith } from "./conflict.ts";
import { FieldSet } from "./field-set.ts";
import type { Manager, Managers } from "./managers.ts";
import { mergeTyped } from "./merge.ts";
import { reconcileWithModel } from "./reconcile.ts";
import { removeItems } from "./remove-items.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { TypeModel } from "./type-model.ts";

/** The type models of one kind, by apiVersion; undefined for a version that is no longer served. */
export type ModelOf = (apiVersion: string) => TypeModel | undefined;

export interface Write {
  readonly apiVersion: string;
  readonly model: TypeModel;
  readonly modelOf: ModelOf;
  /** Fields that the endpoint resets, which nobody comes to own through it. */
  readonly resetFields: FieldSet | undefined;
}

/** Drops managers of versions nobody serves and adapts the others to the present schema. */
export function presentManagers(managers: Managers, modelOf: ModelOf): Managers {
  const present: Managers = new Map();
  for (const [id, manager] of managers) {
    const model = modelOf(manager.apiVersion);
    if (model !== undefined) present.set(id, { ...manager, set: reconcileWithModel(manager.set, model) });
  }
  return present;
}

interface Loss {
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** What each other manager would lose to a change from `before` to `after`. */
export class Takeover {
  readonly comparison: Comparison;
  private readonly losses = new Map<string, Loss>();

  constructor(
    before: Json,
    after: Json,
    { write, managers, self }: { write: Write; managers: Managers; self: string },
  ) {
    const compared = compareTyped(before, after, write.model);
    const byModel = new Map<TypeModel, Comparison>([[write.model, excludeFields(compared, write.resetFields)]]);
    this.comparison = byModel.get(write.model) as Comparison;
    for (const [id, manager] of managers) {
      const model = write.modelOf(manager.apiVersion);
      if (id === self || model === undefined) continue;
      const comparison = byModel.get(model) ?? excludeFields(compareTyped(before, after, model), write.resetFields);
      byModel.set(model, comparison);
      const changed = manager.set.intersection(comparison.modified.union(comparison.added));
      this.losses.set(id, { changed, removed: comparison.removed });
    }
  }

  /** The fields that other managers own and the writer would change. */
  conflicts(managers: Managers): Conflict[] {
    return [...this.losses].flatMap(([id, { changed }]) => conflictsWith(id, managers.get(id) as Manager, changed));
  }

  /** The other managers without what they lose; those left with nothing are gone. */
  settle(managers: Managers): Managers {
    const settled: Managers = new Map();
    for (const [id, manager] of managers) {
      const loss = this.losses.get(id);
      const set = loss === undefined ? manager.set : manager.set.difference(loss.changed).difference(loss.removed);
      if (!set.isEmpty) settled.set(id, { ...manager, set });
    }
    return settled;
  }
}

/** The live object with the configuration merged in, without what the applier owned before and no longer mentions. */
export function mergeAndPrune(live: JsonObject, config: JsonObject, { write, managers, last }: Pruning): Json {
  const merged = mergeTyped(live, config, write.model) ?? null;
  if (last === undefined || last.set.isEmpty) return merged;
  const model = write.modelOf(last.apiVersion);
  if (model === undefined) return merged;
  const lastFields = last.set.withNamedFields(model);
  const withoutLast = removeItems(merged, lastFields, model);
  const withOwned = addBackOwned(merged, withoutLast, { write, managers, last });
  return addBackDangling(merged, withOwned, { model, lastFields });
}

interface Pruning {
  readonly write: Write;
  /** The applier with its new set among them. */
  readonly managers: Managers;
  readonly last: Manager | undefined;
}

/** Nothing is removed that any manager still claims. */
function addBackOwned(merged: Json, pruned: Json, { write, managers, last }: Pruning): Json {
  const byVersion = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    byVersion.set(apiVersion, (byVersion.get(apiVersion) ?? new FieldSet()).union(set));
  }
  const versions = [...byVersion.keys()].sort(
    (a, b) => Number(b === last?.apiVersion) - Number(a === last?.apiVersion),
  );
  let result = pruned;
  for (const version of versions) {
    const model = write.modelOf(version);
    if (model === undefined) continue;
    const kept = namedFields(result, model).union((byVersion.get(version) as FieldSet).withNamedFields(model));
    result = removeItems(merged, namedFields(merged, model).difference(kept), model);
  }
  return result;
}

/** Nothing is removed that the applier did not own before. */
function addBackDangling(
  merged: Json,
  pruned: Json,
  { model, lastFields }: { model: TypeModel; lastFields: FieldSet },
): Json {
  const gone = namedFields(merged, model).difference(namedFields(pruned, model));
  return removeItems(merged, gone.intersection(lastFields), model);
}

const namedFields = (value: Json, model: TypeModel): FieldSet => toFieldSet(value, model).withNamedFields(model);
