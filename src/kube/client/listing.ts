/** Lists of any length, page by page, and what happens when the server forgets where we were. */
import type { Kind, KubeObject, ListMeta } from "#kinds";
import type { Caller } from "./caller.ts";
import type { List, ListOptions } from "./client.ts";
import { isExpired } from "./errors.ts";
import { identified, isLease } from "./identity.ts";
import { collectionPath, withQuery } from "./paths.ts";

const DEFAULT_PAGE_SIZE = 500;
const METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1, application/json;q=0.1";

interface WireList {
  readonly metadata?: ListMeta;
  readonly items?: KubeObject[] | null;
}

/**
 * Each page as it comes; all of them show the same moment. When the server has compacted that moment away in the middle it
 * throws `Expired`: what was already given out cannot be taken back, so it is for the caller to begin again.
 * (The server's offer to continue at a later moment is never taken up: it would mix two states of the world.)
 */
export async function* listPages<T extends KubeObject>(
  caller: Caller,
  kind: Kind<T>,
  options: ListOptions,
): AsyncGenerator<List<T>, void, undefined> {
  for (let token: string | undefined = ""; token !== undefined; ) {
    const page: List<T> = await listPage(caller, kind, options, token);
    yield page;
    token = page.metadata.continue || undefined;
  }
}

/** All of it, at one moment. When that moment expires between pages, the whole is asked for once more, in one answer. */
export async function listAll<T extends KubeObject>(
  caller: Caller,
  kind: Kind<T>,
  options: ListOptions,
): Promise<List<T>> {
  const items: T[] = [];
  let metadata: ListMeta = {};
  const remainingMs = caller.countdown(options.timeoutMs);
  try {
    for (let token: string | undefined = ""; token !== undefined; ) {
      const page: List<T> = await listPage(caller, kind, { ...options, timeoutMs: remainingMs() }, token);
      for (const item of page.items) items.push(item);
      metadata = page.metadata;
      token = page.metadata.continue || undefined;
    }
  } catch (error) {
    if (!isExpired(error) || items.length === 0) throw error;
    return listPage(caller, kind, { ...options, pageSize: 0, timeoutMs: remainingMs() }, "");
  }
  const { resourceVersion } = metadata;
  return { items, metadata: resourceVersion === undefined ? {} : { resourceVersion } };
}

async function listPage<T extends KubeObject>(
  caller: Caller,
  kind: Kind<T>,
  options: ListOptions,
  token: string,
): Promise<List<T>> {
  const { namespace, labelSelector, fieldSelector, metadataOnly, priority, pageSize = DEFAULT_PAGE_SIZE } = options;
  // A continue token carries its own moment; naming another beside it is an error.
  const moment =
    token === ""
      ? { resourceVersion: options.resourceVersion, resourceVersionMatch: options.resourceVersionMatch }
      : { continue: token };
  const answer = (await caller.run({
    attempt: `list ${kind.plural}${namespace ? ` in ${namespace}` : ""}`,
    method: "GET",
    path: withQuery(collectionPath(kind, namespace), {
      labelSelector,
      fieldSelector,
      limit: pageSize > 0 ? pageSize : undefined,
      ...moment,
    }),
    repeatability: "read",
    priority: priority ?? (isLease(kind) ? "lease" : "bulk"),
    options,
    ...(metadataOnly && { accept: METADATA_LIST }),
  })) as WireList;
  const items = answer.items ?? [];
  for (const item of items) identified(kind, item);
  return { items: items as T[], metadata: answer.metadata ?? {} };
}
