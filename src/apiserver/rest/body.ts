/** Reads an object out of a request body: its encoding, its kind, and the fields its schema does not know. */
import type { KubeObject } from "#kinds";
import { type Decoded, DecodeError, decodeJsonObject, decodeYaml, strictDecodingMessage } from "../decode/index.ts";
import { invalid } from "../field-error.ts";
import { badRequest, unsupportedMediaType } from "../http/status-error.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { decodeProtobuf } from "../protobuf/index.ts";
import type { Call } from "./call.ts";
import { invalidObject } from "./invalid-object.ts";
import { apiVersionOfResource, type Resource } from "./resource.ts";
import type { FieldValidation } from "./write-options.ts";

export const BODY_TYPES = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

const PROTOBUF = "application/vnd.kubernetes.protobuf";

export interface DecodedBody {
  readonly object: JsonObject;
  readonly strictErrors: readonly string[];
}

/** Bytes to one JSON object, by content type. */
export function decodeBody(body: Uint8Array, contentType: string | undefined, kind: string): DecodedBody {
  const type = (contentType ?? "application/json").split(";")[0]?.trim();
  const text = Buffer.from(body).toString("utf8");
  try {
    if (type === "application/json" || type === "") {
      const { value, strictErrors } = decodeJsonObject(text);
      return { object: value, strictErrors };
    }
    if (type === PROTOBUF) return { object: decodeProtobuf(body), strictErrors: [] };
    if (type === "application/yaml") {
      const { value, strictErrors } = decodeYaml(text);
      if (!isJsonObject(value)) throw new DecodeError("the body is not an object");
      return { object: value, strictErrors };
    }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(type === PROTOBUF ? error.message : unrecognized(kind, error, text));
  }
  throw unsupportedMediaType(BODY_TYPES);
}

/** What Go reads first of any body, as it prints that type. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const SUMMARY_BYTES = 30;

/** The beginning of a body: as it is when it looks like JSON, in hexadecimal otherwise. */
function summary(text: string): string {
  if (text === "") return "<empty>";
  const bytes = Buffer.from(text);
  const shown = bytes.subarray(0, SUMMARY_BYTES).toString(text.startsWith("{") ? "utf8" : "hex");
  return bytes.length > SUMMARY_BYTES ? `${shown} ...` : shown;
}

function unrecognized(kind: string, error: DecodeError, text: string): string {
  const why = error.message.replace("map[string]interface {}", TYPE_META);
  return `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${summary(text)})`;
}

/** The object of a create or update, checked to be of the resource's kind; its `apiVersion` and `kind` come first. */
export function readObject(call: Call, fieldValidation: FieldValidation): KubeObject {
  const { request, resource } = call;
  const { object, strictErrors } = decodeBody(request.body, request.headers["content-type"], resource.kind);
  if (!object.kind && !resource.builtIn) throw missingKind(Buffer.from(request.body).toString("utf8"), resource);
  return admitObject(call, object, strictErrors, fieldValidation);
}

/** Checks kind and fields of a decoded object. */
export function admitObject(
  call: Pick<Call, "resource" | "warnings">,
  decoded: JsonObject,
  strictErrors: readonly string[],
  fieldValidation: FieldValidation,
): KubeObject {
  const { resource } = call;
  let given: KubeObject;
  try {
    given = ofKind(decoded, resource);
  } catch (error) {
    refuseWrongKind(error, decoded, resource);
  }
  const { value: object, strictErrors: unknown } = decodeFields(given, resource);
  // Upstream names unknown fields of built-ins before duplicate ones, and those of custom resources after.
  const problems = resource.builtIn ? [...unknown, ...strictErrors] : [...strictErrors, ...unknown];
  if (fieldValidation === "Strict" && problems.length > 0) {
    throw badRequest(cannotBeHandled(object, resource, strictDecodingMessage(problems)));
  }
  if (fieldValidation === "Warn") call.warnings.push(...problems);
  return object;
}

function decodeFields(object: KubeObject, resource: Resource): Decoded<KubeObject> {
  try {
    return resource.strategy.decode(object);
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(cannotBeHandled(object, resource, error.message));
    throw error;
  }
}

function ofKind(object: JsonObject, resource: Resource): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = object;
  const expected = apiVersionOfResource(resource);
  const given = { apiVersion: apiVersion || expected, kind: kind || resource.kind };
  if (given.apiVersion !== expected || given.kind !== resource.kind) throw wrongKind(given, resource);
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) {
    throw badRequest(cannotBeHandled(given, resource, "metadata must be an object"));
  }
  return { apiVersion: expected, kind: resource.kind, metadata: metadata ?? {}, ...rest } as KubeObject;
}

function missingKind(text: string, resource: Resource): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): Object 'Kind' is missing in '${text}' (${summary(text)})`,
  );
}

function wrongKind({ apiVersion, kind }: { apiVersion: unknown; kind: unknown }, resource: Resource): Error {
  if (resource.builtIn) {
    const problem = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    return badRequest(cannotBeHandled({ apiVersion, kind }, resource, problem));
  }
  const expected = apiVersionOfResource(resource);
  if (apiVersion === expected) return new WrongKind(String(kind), resource.kind);
  return badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
  );
}

/** A custom resource of another kind; upstream finds out only when it validates, when the object has a name. */
class WrongKind extends Error {
  readonly given: string;
  constructor(given: string, expected: string) {
    super(`must be ${expected}`);
    this.given = given;
  }
}

function refuseWrongKind(error: unknown, object: JsonObject, resource: Resource): never {
  if (!(error instanceof WrongKind)) throw error;
  const name = isJsonObject(object.metadata) ? String(object.metadata.name ?? "") : "";
  throw invalidObject({ group: resource.group, kind: error.given }, name, [
    invalid("kind", error.given, error.message),
  ]);
}

function versionOf(apiVersion: unknown): string {
  return String(apiVersion).split("/").at(-1) ?? "";
}

export function cannotBeHandled(
  { apiVersion, kind }: { apiVersion: unknown; kind: unknown },
  resource: Pick<Resource, "kind">,
  why: string,
): string {
  return `${kind} in version ${JSON.stringify(versionOf(apiVersion))} cannot be handled as a ${resource.kind}: ${why}`;
}
