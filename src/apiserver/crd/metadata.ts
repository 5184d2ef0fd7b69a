/** Metadata of custom resources: typed like that of any other object, whatever the CRD's schema says. */
import type { KubeObject } from "#kinds";
import { schemas } from "../builtins/schemas.ts";
import { pruneTyped, TypeMismatch } from "../builtins/typed-fields.ts";
import { badRequest } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import { modelFromSchema, type TypeModel } from "../managed-fields/index.ts";

const META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** Removes unknown fields of `metadata` and returns their paths. */
export function pruneMetadata({ metadata }: KubeObject): string[] {
  try {
    return pruneTyped(metadata as unknown as JsonObject, META).map((path) => `metadata.${path}`);
  } catch (error) {
    if (error instanceof TypeMismatch) throw badRequest(error.message);
    throw error;
  }
}

let model: TypeModel | undefined;

/** How the parts of `metadata` are owned. */
export function metadataModel(): TypeModel {
  model ??= modelFromSchema(schemas[META] as unknown as JsonObject, {});
  return model;
}
