/** The scale subresource: one number of an object under a shape that every autoscaler knows. */
import type { KubeObject } from "#kinds";
import { type FieldError, invalid } from "../field-error.ts";
import type { ApiResponse } from "../http/message.ts";
import { notFound, unsupportedMediaType } from "../http/status-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { applyJsonPatch, applyMergePatch, decodeJsonPatch } from "../patch/index.ts";
import { BODY_TYPES, decodeBody } from "./body.ts";
import type { Call, Environment } from "./call.ts";
import { invalidObject } from "./invalid-object.ts";
import { keyOf, type ScalePaths } from "./resource.ts";
import { respondValue } from "./respond.ts";
import { served } from "./stored-form.ts";
import { change } from "./update.ts";
import { writeOptions } from "./write-options.ts";

export async function serveScale(call: Call, environment: Environment): Promise<ApiResponse> {
  const { resource, info } = call;
  const paths = resource.scale as ScalePaths;
  const current = environment.store.get(keyOf(resource, info.namespace, info.name));
  if (!current) throw notFound(resource, info.name);
  if (info.verb === "get") return respondValue(call, 200, scaleOf(served(current.object, resource), paths));
  const options = writeOptions(call, info.verb === "patch" ? "PatchOptions" : "UpdateOptions");
  const object = await change(call, environment, options, (live) => {
    const desired = desiredScale(call, scaleOf(live, paths));
    refuseInvalid(desired, info.name);
    const changed = structuredClone(live);
    write(changed, paths.specReplicasPath, replicasOf(desired));
    const version = isJsonObject(desired.metadata) ? desired.metadata.resourceVersion : undefined;
    if (typeof version === "string") changed.metadata.resourceVersion = version;
    return changed;
  });
  return respondValue(call, 200, scaleOf(object, paths));
}

function desiredScale({ request, info }: Call, current: JsonObject): JsonObject {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim();
  if (info.verb === "update") return decodeBody(request.body, type, "Scale").object;
  if (type === "application/json-patch+json") {
    return applyJsonPatch(current, decodeJsonPatch(Buffer.from(request.body).toString("utf8")).value);
  }
  if (type !== "application/merge-patch+json") throw unsupportedMediaType(BODY_TYPES);
  return applyMergePatch(current, decodeBody(request.body, "application/json", "Scale").object);
}

function refuseInvalid(scale: JsonObject, name: string): void {
  const replicas = replicasOf(scale);
  const errors: FieldError[] =
    replicas < 0 ? [invalid("spec.replicas", replicas, "should be a non-negative integer")] : [];
  if (errors.length > 0) throw invalidObject({ group: "autoscaling", kind: "Scale" }, name, errors);
}

function replicasOf({ spec }: JsonObject): number {
  return isJsonObject(spec) && typeof spec.replicas === "number" ? spec.replicas : 0;
}

function scaleOf(object: KubeObject, paths: ScalePaths): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  const selector = paths.labelSelectorPath ? read(object, paths.labelSelectorPath) : undefined;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: JSON.parse(JSON.stringify(metadata)),
    spec: { replicas: numberAt(object, paths.specReplicasPath) },
    status: { replicas: numberAt(object, paths.statusReplicasPath), ...(typeof selector === "string" && { selector }) },
  };
}

const stepsOf = (path: string): string[] => path.split(".").filter(Boolean);

function numberAt(object: KubeObject, path: string): number {
  const value = read(object, path);
  return typeof value === "number" ? value : 0;
}

function read(object: KubeObject, path: string): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => (isJsonObject(value) ? value[step] : undefined), object);
}

function write(object: KubeObject, path: string, value: Json): void {
  const steps = stepsOf(path);
  const last = steps.pop() ?? "";
  let at = object as unknown as JsonObject;
  for (const step of steps) {
    if (!isJsonObject(at[step])) at[step] = {};
    at = at[step] as JsonObject;
  }
  at[last] = value;
}
