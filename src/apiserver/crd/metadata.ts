/** Metadata of custom resources: typed like that of any other object, whatever the CRD's schema says. */
import type { KubeObject, ObjectMeta } from "#kinds";
import { decodeObjectMeta } from "../builtins/go-decode.ts";
import type { Json } from "../json.ts";

/** Decodes `metadata` in place; returns what strict validation holds against it. */
export function decodeMetadata(object: KubeObject): readonly string[] {
  const { value, strictErrors } = decodeObjectMeta(object.metadata as unknown as Json);
  object.metadata = value as ObjectMeta;
  return strictErrors;
}
