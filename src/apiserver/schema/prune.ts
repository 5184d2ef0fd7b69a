/** Removes what the schema does not know, in place, and names it. Never touches what the schema preserves. */
import { isObjectMetaField } from "./object-meta-fields.ts";
import { hasKey, isJsonObject, type JsonObject, type SchemaNode } from "./schema-node.ts";

const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

type Schema = SchemaNode | undefined;

const childPath = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

function additionalSchema(node: SchemaNode): Schema {
  return node.additional === true ? undefined : node.additional;
}

class Pruner {
  readonly unknown: string[] = [];

  prune(value: unknown, node: Schema, path: string): void {
    if (typeof value !== "object" || value === null) return;
    const keep = node?.preserveUnknown === true;
    if (!Array.isArray(value)) this.pruneObject(value as JsonObject, node, path, keep);
    else if (keep) this.keepItems(value, node, path);
    else for (let i = 0; i < value.length; i++) this.prune(value[i], node?.items, `${path}[${i}]`);
  }

  private pruneObject(object: JsonObject, node: Schema, path: string, keepUnknown: boolean): void {
    for (const key in object) {
      const at = childPath(path, key);
      if (node?.embedded === true && metaFields.has(key)) {
        if (path !== "" && key === "metadata") this.pruneMetadata(object[key], at);
        continue;
      }
      const property = node?.properties.get(key);
      if (property !== undefined) this.prune(object[key], property, at);
      else if (node?.additional !== undefined) this.prune(object[key], additionalSchema(node), at);
      else if (!keepUnknown) {
        this.unknown.push(at);
        delete object[key];
      }
    }
  }

  /** The items of a preserved list are preserved too, whatever their own schema says. */
  private keepItems(list: readonly unknown[], node: SchemaNode, path: string): void {
    const items = node.items;
    if (items === undefined) return;
    list.forEach((item, i) => {
      if (Array.isArray(item)) this.keepItems(item, items, `${path}[${i}]`);
      else if (isJsonObject(item)) this.pruneObject(item, items, `${path}[${i}]`, true);
    });
  }

  private pruneMetadata(metadata: unknown, path: string): void {
    if (!isJsonObject(metadata)) return;
    for (const key in metadata) {
      if (isObjectMetaField(key) || !hasKey(metadata, key)) continue;
      this.unknown.push(childPath(path, key));
      delete metadata[key];
    }
  }
}

/** Prunes a whole resource; returns the sorted paths of what was removed. The root's own metadata is left alone. */
export function pruneResource(object: JsonObject, root: SchemaNode): string[] {
  const pruner = new Pruner();
  pruner.prune(object, root.embedded ? root : { ...root, embedded: true }, "");
  return pruner.unknown.sort();
}

/** Prunes a value that is not a resource, such as a default. */
export function pruneValue(value: unknown, node: SchemaNode): string[] {
  const pruner = new Pruner();
  pruner.prune(value, node, "");
  return pruner.unknown.sort();
}
