/** PATCH: JSON patch, merge patch and server-side apply, each turned into the state they ask for. */
import type { KubeObject } from "#kinds";
import { structOfKind } from "../builtins/builtin-kinds.ts";
import { DecodeError, decodeApplyConfiguration, decodeJsonObject } from "../decode/index.ts";
import { invalid } from "../field-error.ts";
import type { ApiResponse } from "../http/message.ts";
import { badRequest, StatusError, unsupportedMediaType } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  decodeJsonPatch,
  PatchError,
  unsupportedStrategicMerge,
} from "../patch/index.ts";
import { apply } from "./apply.ts";
import { admitObject } from "./body.ts";
import type { Call, Environment } from "./call.ts";
import { invalidObject } from "./invalid-object.ts";
import { apiVersionOfResource } from "./resource.ts";
import { respondObject } from "./respond.ts";
import { change, nameFromUrl } from "./update.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC_PATCH = "application/strategic-merge-patch+json";
const APPLY_PATCH = "application/apply-patch+yaml";

type Patcher = (object: JsonObject) => JsonObject;

export async function patch(call: Call, environment: Environment): Promise<ApiResponse> {
  const type = (call.request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
  refuseUnknownType(call, type);
  const options = writeOptions(call, "PatchOptions", type === APPLY_PATCH);
  const text = Buffer.from(call.request.body).toString("utf8");
  if (type === APPLY_PATCH) {
    const applied = await apply(call, environment, readApply(text, call, options), options);
    return respondObject(call, environment, applied.created ? 201 : 200, applied.object);
  }
  const { patcher, strictErrors } = readPatch(type, text, call);
  const object = await change(call, environment, options, (current) =>
    patched(call, current, { patcher, strictErrors }, options),
  );
  return respondObject(call, environment, 200, object);
}

function refuseUnknownType({ resource }: Call, type: string): void {
  const accepted = [JSON_PATCH, MERGE_PATCH, ...(resource.builtIn ? [STRATEGIC_PATCH] : []), APPLY_PATCH];
  if (accepted.includes(type)) return;
  if (!resource.builtIn || type === "") throw unsupportedMediaType(accepted.join(", "));
  throw new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

interface ReadPatch {
  readonly patcher: Patcher;
  readonly strictErrors: readonly string[];
}

function readPatch(type: string, text: string, call: Call): ReadPatch {
  return refusing(() => {
    if (type === JSON_PATCH) {
      const { value, strictErrors } = decodeJsonPatch(text);
      return { patcher: (object) => applyJsonPatch(object, value), strictErrors };
    }
    const { value, strictErrors } = decodePatch(text);
    if (type === STRATEGIC_PATCH) return { patcher: strategicPatcher(call, value), strictErrors };
    return { patcher: (object) => applyMergePatch(object, value), strictErrors };
  });
}

function decodePatch(text: string): ReturnType<typeof decodeJsonObject> {
  try {
    return decodeJsonObject(text);
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(`error decoding patch: ${error.message}`);
    throw error;
  }
}

function strategicPatcher({ resource }: Call, value: JsonObject): Patcher {
  const struct = structOfKind(apiVersionOfResource(resource), resource.kind);
  if (struct === undefined) throw unsupportedStrategicMerge();
  return (object) => applyStrategicMergePatch(object, value, struct);
}

function patched(
  call: Call,
  current: KubeObject,
  { patcher, strictErrors }: ReadPatch,
  options: WriteOptions,
): KubeObject {
  const result = refusing(() => patcher(structuredClone(current) as unknown as JsonObject));
  const text = JSON.stringify(result);
  const object = refusingStrict(() => admitObject(call, result, strictErrors, options.fieldValidation), text);
  nameFromUrl(call, object);
  return object;
}

/** What a patch leads to is judged like any body, but refused as a bad patch. */
function refusingStrict<T>(work: () => T, text: string): T {
  try {
    return work();
  } catch (error) {
    const strict = error instanceof StatusError && /strict decoding error.*$/.exec(error.message);
    if (!strict) throw error;
    throw invalidObject({ group: "", kind: "" }, "", [invalid("patch", text, strict[0])]);
  }
}

function readApply(text: string, call: Call, options: WriteOptions): JsonObject {
  return refusing(() => {
    const { value, strictErrors } = decodeApplyConfiguration(text);
    if (options.fieldValidation === "Strict" && strictErrors.length > 0) throw badRequest(strictErrors.join(", "));
    if (options.fieldValidation === "Warn") call.warnings.push(...strictErrors);
    return value;
  });
}

/** Lets refusals of the pure functions leave as the answers upstream gives. */
function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    if (error instanceof PatchError) {
      throw new StatusError(error.code, error.reason, error.message, error.reason === "Invalid" ? {} : undefined);
    }
    throw error;
  }
}
