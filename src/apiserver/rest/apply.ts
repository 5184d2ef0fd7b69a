/** Server-side apply: merges what one manager wants into the live object, or creates it. */
import { type KubeObject, wireTime } from "#kinds";
import { StatusError } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import { ApplyError, applyConfiguration } from "../managed-fields/index.ts";
import { admitObject } from "./body.ts";
import type { Call, Environment } from "./call.ts";
import { createObject } from "./create.ts";
import { apiVersionOfResource, keyOf } from "./resource.ts";
import { type Changed, change, nameFromUrl } from "./update.ts";
import type { WriteOptions } from "./write-options.ts";

export async function apply(
  call: Call,
  environment: Environment,
  config: JsonObject,
  options: WriteOptions,
): Promise<Changed> {
  const { resource, info } = call;
  const work: Work = { call, config, options, now: environment.clock.now() };
  const key = keyOf(resource, info.namespace, info.name);
  if (environment.store.head(key) || info.subresource !== "") {
    const object = await change(call, environment, options, (current) => merged(work, current));
    return { object, created: false };
  }
  const object = merged(work, undefined);
  return { object: await createObject(call, environment, object, options), created: true };
}

interface Work {
  readonly call: Call;
  readonly config: JsonObject;
  readonly options: WriteOptions;
  readonly now: Date;
}

function merged({ call, config, options, now }: Work, live: KubeObject | undefined): KubeObject {
  const { resource, info } = call;
  const result = refusing(() =>
    applyConfiguration({
      live: live as unknown as JsonObject | undefined,
      config,
      kind: resource.kind,
      apiVersion: apiVersionOfResource(resource),
      manager: options.manager,
      subresource: info.subresource,
      force: options.force,
      now: wireTime(now),
      modelOf: resource.modelOf,
      resetFields: resource.resetFields(info.subresource),
      ...(resource.empty && { empty: resource.empty }),
    }),
  );
  if (result.conflicts) {
    throw new StatusError(409, "Conflict", result.conflicts.message, { causes: result.conflicts.causes });
  }
  const object = admitObject(call, structuredClone(result.object), [], "Ignore");
  nameFromUrl(call, object);
  return object;
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApplyError) throw new StatusError(error.code, error.reason, error.message);
    throw error;
  }
}
