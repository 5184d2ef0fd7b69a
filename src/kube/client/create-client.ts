/** The client's verbs: each says which request it is and how safely it can be repeated. */
import type { Clock, Random } from "#clock";
import { apiVersionOf, type Kind, type KubeObject } from "#kinds";
import { type Fence, fenced } from "../transport/fence.ts";
import type { Transport, TransportResponse } from "../transport/transport.ts";
import { decodeAnswer, refusal } from "./answer.ts";
import { type Call, Caller } from "./caller.ts";
import type { Client, DeleteOptions, ObjectName, Patch, WarningHandler, WriteOptions } from "./client.ts";
import { isNotFound } from "./errors.ts";
import { identified, priorityOf } from "./identity.ts";
import { listAll, listPages } from "./listing.ts";
import { objectDifference } from "./merge-difference.ts";
import { creationPath, displayName, objectPath, withQuery } from "./paths.ts";
import { isGoneByUid, repeatabilityOfDelete, repeatabilityOfPatch } from "./preconditions.ts";
import { watchKind } from "./watching.ts";

export interface ClientOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly userAgent: string;
  readonly onWarning?: WarningHandler;
  /** No request starts once it is closed. */
  readonly fence?: Fence;
}

const PATCH_TYPES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export function createClient(transport: Transport, options: ClientOptions): Client {
  const { clock, random, userAgent, onWarning, fence } = options;
  const caller = new Caller(fence ? fenced(transport, fence) : transport, { clock, random, userAgent, onWarning });
  const run = async <T extends KubeObject>(kind: Kind<T>, call: Call): Promise<T> =>
    identified(kind, (await caller.run(call)) as KubeObject);

  const client: Client = {
    get: async (kind, name, read = {}) =>
      run(kind, {
        attempt: `get ${kind.kind} ${displayName(name)}`,
        method: "GET",
        path: withQuery(objectPath(kind, name), { resourceVersion: read.resourceVersion }),
        repeatability: "read",
        priority: priorityOf(kind, read.priority),
        options: read,
      }),

    find: (kind, name, read) =>
      client.get(kind, name, read).catch((error: unknown) => {
        // Only an answer that names the object speaks of it; without a name it is the kind that is not there.
        if (isNotFound(error) && error.status.details?.name !== undefined) return undefined;
        throw error;
      }),

    list: async (kind, list = {}) => listAll(caller, kind, list),
    pages: (kind, list = {}) => listPages(caller, kind, list),

    create: async (kind, object, write = {}) =>
      run(kind, {
        attempt: `create ${kind.kind} ${displayName(nameIn(object.metadata))}`,
        method: "POST",
        path: withQuery(creationPath(kind, object.metadata.namespace), writeQuery(write)),
        body: JSON.stringify({ ...object, apiVersion: apiVersionOf(kind), kind: kind.kind }),
        repeatability: "never",
        priority: priorityOf(kind, write.priority),
        options: write,
      }),

    update: async (kind, object, write = {}) => {
      requireResourceVersion("update", kind, object);
      return run(kind, {
        attempt: `update ${kind.kind} ${displayName(nameIn(object.metadata))}`,
        method: "PUT",
        path: withQuery(objectPath(kind, nameIn(object.metadata), write.subresource), writeQuery(write)),
        body: JSON.stringify({ ...object, apiVersion: apiVersionOf(kind), kind: kind.kind }),
        repeatability: "precondition",
        priority: priorityOf(kind, write.priority, write.subresource),
        options: write,
      });
    },

    patch: async (kind, name, patch, write = {}) => run(kind, patchCall(kind, name, patch, write)),

    patchDifference: async (kind, before, after, write = {}) => {
      requireResourceVersion("patch", kind, before);
      const changed = objectDifference(before, after, write.subresource === "status" ? "status" : undefined);
      if (!changed) return before;
      const { resourceVersion } = before.metadata;
      const body = { ...changed, metadata: { ...(changed.metadata as object | undefined), resourceVersion } };
      return client.patch(kind, nameIn(before.metadata), { type: "merge", body }, write);
    },

    apply: async (kind, object, { force, ...write }) => {
      const body = { ...(object as KubeObject), apiVersion: apiVersionOf(kind), kind: kind.kind };
      const patch: Patch = { type: "apply", body, ...(force && { force }) };
      return client.patch(kind, nameIn(body.metadata), patch, write);
    },

    delete: async (kind, name, remove = {}) => {
      const settledBy = isGoneByUid(remove);
      await caller.run({
        attempt: `delete ${kind.kind} ${displayName(name)}`,
        method: "DELETE",
        path: objectPath(kind, name),
        body: JSON.stringify(deleteBody(remove)),
        repeatability: repeatabilityOfDelete(remove),
        priority: priorityOf(kind, remove.priority),
        options: remove,
        ...(settledBy && { settledBy }),
      });
    },

    watch: (kind, watch) => watchKind(caller, kind, watch),

    raw: (method, path, body, call = {}) =>
      caller.run({
        attempt: `${method} ${path}`,
        method,
        path,
        accept: "application/json, */*",
        ...(body !== undefined && { body: JSON.stringify(body) }),
        repeatability: method === "GET" ? "read" : "never",
        priority: call.priority ?? "normal",
        options: call,
        decode: decodeRaw,
      }),
  };
  return client;
}

function patchCall(kind: Kind, name: ObjectName, patch: Patch, write: WriteOptions): Call {
  if (patch.type === "apply" && !write.fieldManager)
    throw new TypeError(`apply ${kind.kind} ${displayName(name)}: a fieldManager is required`);
  const force = patch.type === "apply" ? patch.force : undefined;
  return {
    attempt: `${patch.type === "apply" ? "apply" : "patch"} ${kind.kind} ${displayName(name)}`,
    method: "PATCH",
    path: withQuery(objectPath(kind, name, write.subresource), { ...writeQuery(write), force }),
    contentType: PATCH_TYPES[patch.type],
    body: patchBody(patch),
    repeatability: repeatabilityOfPatch(patch),
    priority: priorityOf(kind, write.priority, write.subresource),
    options: write,
  };
}

/** The server reads an apply body as YAML, where these characters would be folded or refused unless escaped. */
const UNSAFE_IN_YAML = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

function patchBody(patch: Patch): string {
  if (patch.type === "json") return JSON.stringify(patch.operations);
  const text = JSON.stringify(patch.body);
  if (patch.type === "merge") return text;
  return text.replace(UNSAFE_IN_YAML, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function writeQuery({ dryRun, fieldManager, fieldValidation }: WriteOptions) {
  return { dryRun: dryRun ? "All" : undefined, fieldManager, fieldValidation };
}

function deleteBody({ preconditions, propagation, gracePeriodSeconds, dryRun }: DeleteOptions): object {
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    preconditions,
    propagationPolicy: propagation,
    gracePeriodSeconds,
    dryRun: dryRun ? ["All"] : undefined,
  };
}

function nameIn({ name, generateName, namespace }: KubeObject["metadata"]): { name: string; namespace?: string } {
  return { name: name ?? (generateName ? `${generateName}*` : ""), ...(namespace && { namespace }) };
}

/** Without one, the server would overwrite whatever is there: never what "compare-and-swap" means. */
function requireResourceVersion(verb: string, kind: Kind, { metadata }: KubeObject): void {
  if (!metadata.resourceVersion)
    throw new TypeError(
      `${verb} ${kind.kind} ${displayName(nameIn(metadata))}: metadata.resourceVersion is missing; read the object first`,
    );
}

async function decodeRaw(attempt: string, response: TransportResponse): Promise<unknown> {
  if (/json/.test(response.headers["content-type"] ?? "")) return decodeAnswer(attempt, response);
  const text = await response.text();
  if (response.status >= 300) throw refusal(attempt, response, text);
  return text;
}
