/** Pairs parts of a new object with the parts of the old one they came from, so that errors of unchanged parts can pass. */
import { goJson } from "../go-text.ts";
import { hasKey, isJsonObject, type JsonObject, type SchemaNode } from "./schema-node.ts";

/** Deep equality of JSON data. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i]));
  const [left, right] = [a as JsonObject, b as JsonObject];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((k) => hasKey(right, k) && equalJson(left[k], right[k]))
  );
}

/** The identity of an entry in a list of type map: its keys, defaulted from the schema where missing. */
export function mapListKey(item: unknown, node: SchemaNode): string | undefined {
  if (!isJsonObject(item)) return undefined;
  return goJson(node.listMapKeys.map((key) => (hasKey(item, key) ? item[key] : null)));
}

export class Correlation {
  private equal: boolean | undefined;
  private entries: Map<string, unknown> | undefined;
  readonly value: unknown;
  readonly oldValue: unknown;
  private readonly node: SchemaNode;

  constructor(value: unknown, oldValue: unknown, node: SchemaNode) {
    this.value = value;
    this.oldValue = oldValue;
    this.node = node;
  }

  /** Whether nothing changed here. Order in keyed lists does not matter to upstream, so it does not here. */
  get unchanged(): boolean {
    this.equal ??= this.compare();
    return this.equal;
  }

  /** The same key in the old object, if both have it and the schema describes it. */
  key(name: string): Correlation | undefined {
    const { value, oldValue, node } = this;
    if (!isJsonObject(value) || !isJsonObject(oldValue) || !hasKey(value, name) || !hasKey(oldValue, name))
      return undefined;
    const child = node.properties.get(name) ?? (node.additional === true ? undefined : node.additional);
    return child === undefined ? undefined : new Correlation(value[name], oldValue[name], child);
  }

  /** The old entry with the same keys; only lists of type map can be followed. */
  index(i: number): Correlation | undefined {
    const { value, oldValue, node } = this;
    if (node.listType !== "map" || node.items === undefined || !Array.isArray(value) || !Array.isArray(oldValue))
      return undefined;
    this.entries ??= new Map(
      oldValue.flatMap((item) => {
        const key = mapListKey(item, node);
        return key === undefined ? [] : [[key, item] as const];
      }),
    );
    const key = mapListKey(value[i], node);
    const old = key === undefined ? undefined : this.entries.get(key);
    return old === undefined ? undefined : new Correlation(value[i], old, node.items);
  }

  private compare(): boolean {
    const { value, oldValue, node } = this;
    if (node.listType !== "map" || !Array.isArray(value) || !Array.isArray(oldValue)) return equalJson(value, oldValue);
    return value.length === oldValue.length && value.every((_, i) => this.index(i)?.unchanged === true);
  }
}
