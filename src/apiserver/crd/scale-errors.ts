/** A kind that can be scaled must have a number where its scale says it is. */
import type { KubeObject } from "#kinds";
import { type FieldError, invalid } from "../field-error.ts";
import { isJsonObject } from "../json.ts";
import type { ScalePaths } from "../rest/resource.ts";

export function scaleErrors(object: KubeObject, { specReplicasPath }: ScalePaths): FieldError[] {
  const steps = specReplicasPath.split(".").filter(Boolean);
  let value: unknown = object;
  for (const step of steps) {
    if (value === undefined || value === null) return [];
    if (!isJsonObject(value)) return [accessorError(specReplicasPath, value, "map[string]interface{}")];
    value = value[step];
  }
  if (value === undefined) return [];
  if (!Number.isInteger(value)) return [accessorError(specReplicasPath, value, "int64")];
  return (value as number) < 0 ? [invalid(specReplicasPath, value, "should be a non-negative integer")] : [];
}

function accessorError(path: string, value: unknown, expected: string): FieldError {
  const shown = typeof value === "object" ? JSON.stringify(value) : String(value);
  return invalid(path, 0, `${path} accessor error: ${shown} is of the type ${goType(value)}, expected ${expected}`);
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "object" ? "map[string]interface {}" : typeof value;
}
