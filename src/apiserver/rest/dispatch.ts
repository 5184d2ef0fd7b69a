/** Sends a request about a resource to the verb that answers it. */
import type { ApiResponse } from "../http/message.ts";
import { badRequest, methodUnknown, notFound, unknownResource } from "../http/status-error.ts";
import { watch } from "../watch/watch.ts";
import type { Call, Environment } from "./call.ts";
import { create } from "./create.ts";
import { deleteCollection, deleteOne } from "./delete.ts";
import { patch } from "./patch.ts";
import { get, list } from "./read.ts";
import { serveScale } from "./scale.ts";
import { update } from "./update.ts";

type Verb = (call: Call, environment: Environment) => ApiResponse | Promise<ApiResponse>;

const VERBS: Readonly<Record<string, Verb>> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
};

export async function dispatch(call: Call, environment: Environment): Promise<ApiResponse> {
  const { info, resource } = call;
  const allowed: readonly string[] = info.subresource === "" ? resource.verbs : subresourceVerbs(call);
  const run = VERBS[info.verb];
  if (!run || !allowed.includes(info.verb)) throw methodUnknown();
  if (info.name === "" && NEEDS_NAME.has(info.verb)) {
    throw resource.builtIn ? methodUnknown() : badRequest("name must be provided");
  }
  if (info.namespace === "" && resource.scope === "Namespaced" && !READS.has(info.verb)) throw methodUnknown();
  return info.subresource === "scale" ? serveScale(call, environment) : run(call, environment);
}

const NEEDS_NAME: ReadonlySet<string> = new Set(["update", "patch"]);
const READS: ReadonlySet<string> = new Set(["list", "watch"]);

function subresourceVerbs({ resource, info }: Call): readonly string[] {
  const subresource = resource.subresources.get(info.subresource);
  if (!subresource) throw resource.builtIn ? unknownResource() : notFound(resource, info.name);
  return subresource.verbs;
}
