/** Metadata of custom resources: typed like that of any other object, whatever the CRD's schema says. */
import type { KubeObject, ObjectMeta } from "#kinds";
import { decodeObjectMeta } from "../builtins/go-decode.ts";
import { DecodeError } from "../decode/index.ts";
import type { Json } from "../json.ts";

/** Decodes `metadata` in place; returns what strict validation holds against it. */
export function decodeMetadata(object: KubeObject): readonly string[] {
  const { value, strictErrors } = decode(object.metadata as unknown as Json);
  object.metadata = value as ObjectMeta;
  return strictErrors;
}

/** Upstream decodes the metadata of custom resources by itself, so that paths begin there. */
function decode(metadata: Json): ReturnType<typeof decodeObjectMeta> {
  try {
    return decodeObjectMeta(metadata);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(error.message.replace("ObjectMeta.metadata.", "ObjectMeta."), { cause: error });
  }
}
