/** Resources inside resources: they need an apiVersion and a kind of their own. */
import { type FieldError, invalid, required } from "../field-error.ts";
import { dns1035LabelProblems } from "../name-rules.ts";
import { hasKey, isJsonObject, type JsonObject, type SchemaNode } from "./schema-node.ts";

function kindProblem(kind: string): string | undefined {
  const problems = dns1035LabelProblems(kind.toLowerCase());
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(",")}`;
}

function checkApiVersion(value: unknown, path: string): FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  return value.split("/").length > 2 ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function checkKind(value: unknown, path: string): FieldError[] {
  if (typeof value !== "string") return [invalid(path, value, "must be a string")];
  if (value === "") return [invalid(path, value, "must not be empty")];
  const problem = kindProblem(value);
  return problem === undefined ? [] : [invalid(path, value, problem)];
}

function checkName(metadata: unknown, path: string): FieldError[] {
  if (!isJsonObject(metadata) || typeof metadata.name !== "string") return [];
  const name = metadata.name;
  if (name === "." || name === "..") return [invalid(`${path}.name`, name, `may not be '${name}'`)];
  const bad = ["/", "%"].filter((c) => name.includes(c));
  return bad.map((c) => invalid(`${path}.name`, name, `may not contain '${c}'`));
}

function checkResource(resource: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  if (!hasKey(resource, "apiVersion")) errors.push(required(at("apiVersion")));
  if (!hasKey(resource, "kind")) errors.push(required(at("kind")));
  if (hasKey(resource, "apiVersion")) errors.push(...checkApiVersion(resource.apiVersion, at("apiVersion")));
  if (hasKey(resource, "kind")) errors.push(...checkKind(resource.kind, at("kind")));
  if (hasKey(resource, "metadata")) {
    if (isJsonObject(resource.metadata)) errors.push(...checkName(resource.metadata, at("metadata")));
    else errors.push(invalid(at("metadata"), resource.metadata, goMetadataError(resource.metadata)));
  }
  return errors;
}

function goMetadataError(value: unknown): string {
  const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type v1.ObjectMeta`;
}

/** Checks every embedded resource at and below a value. */
export function checkEmbeddedResources(value: unknown, node: SchemaNode, path: string): FieldError[] {
  if (!node.below.embedded) return [];
  if (Array.isArray(value)) {
    const items = node.items;
    return items === undefined ? [] : value.flatMap((item, i) => checkEmbeddedResources(item, items, `${path}[${i}]`));
  }
  if (!isJsonObject(value)) return [];
  const errors = node.embedded ? checkResource(value, path) : [];
  for (const key in value) {
    const property = node.properties.get(key);
    if (property !== undefined)
      errors.push(...checkEmbeddedResources(value[key], property, path === "" ? key : `${path}.${key}`));
    else if (node.additional !== undefined && node.additional !== true)
      errors.push(...checkEmbeddedResources(value[key], node.additional, `${path}[${key}]`));
  }
  return errors;
}
