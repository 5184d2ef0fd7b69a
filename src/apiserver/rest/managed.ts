/** Who owns which field: hands every write that is not an apply to the field manager. */
import { type KubeObject, wireTime } from "#kinds";
import type { JsonObject } from "../json.ts";
import { keepUnchangedTimestamps, trackUpdate } from "../managed-fields/index.ts";
import { apiVersionOfResource, type Resource } from "./resource.ts";

export interface Writer {
  readonly manager: string;
  readonly subresource: string;
  readonly now: Date;
}

/** The object with a record of which fields the writer owns after changing `live` into it. */
export function trackWrite(
  live: KubeObject | undefined,
  object: KubeObject,
  resource: Resource,
  { manager, subresource, now }: Writer,
): KubeObject {
  const tracked = trackUpdate({
    live: live as unknown as JsonObject | undefined,
    updated: object as unknown as JsonObject,
    manager,
    subresource,
    now: wireTime(now),
    apiVersion: apiVersionOfResource(resource),
    modelOf: resource.modelOf,
    resetFields: resource.resetFields(subresource),
    ...(resource.empty && { empty: resource.empty }),
  });
  return asObject(tracked);
}

/** A write that changed nothing must not touch the times of ownership either. */
export function settleTimes(object: KubeObject, live: KubeObject): KubeObject {
  return asObject(keepUnchangedTimestamps(object as unknown as JsonObject, live as unknown as JsonObject));
}

function asObject(object: JsonObject): KubeObject {
  return object as unknown as KubeObject;
}
