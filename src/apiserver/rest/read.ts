/** GET of one object and of lists. */
import type { KubeObject } from "#kinds";
import type { ApiResponse } from "../http/message.ts";
import { expired, futureRevision, notFound, type StatusError } from "../http/status-error.ts";
import type { Entry, Store } from "../store/index.ts";
import type { Call, Environment } from "./call.ts";
import { type ContinuePoint, decodeContinue, encodeContinue } from "./continue-token.ts";
import { type ListOptions, listOptions } from "./list-options.ts";
import { keyOf, prefixOf } from "./resource.ts";
import { type ListPage, respondEntry, respondList } from "./respond.ts";
import { type Selection, selectionOf } from "./selection.ts";

export function get(call: Call, environment: Environment): ApiResponse {
  const { resource, info, request } = call;
  const entry = environment.store.get(keyOf(resource, info.namespace, info.name));
  refuseFuture(environment.store, request.query.get("resourceVersion"));
  if (!entry) throw notFound(resource, info.name);
  return respondEntry(call, environment, 200, entry);
}

function refuseFuture(store: Store, version: string | null): void {
  if (version && /^\d+$/.test(version) && Number(version) > store.revision)
    throw futureRevision(version, store.revision);
}

export function list(call: Call, environment: Environment): ApiResponse {
  const options = listOptions(call);
  return respondList(call, environment, readPage(call, environment.store, options));
}

/** One page of a list, at the revision that the options or the continue token ask for. */
export function readPage({ resource, info }: Call, store: Store, options: ListOptions): ListPage {
  const point = options.continueToken ? decodeContinue(options.continueToken) : undefined;
  if (!point && options.revision !== undefined && options.revision > store.revision) {
    throw futureRevision(String(options.revision), store.revision);
  }
  const prefix = prefixOf(resource, info.namespace);
  const revision = revisionToRead(options, point, store);
  const after = point ? prefix + point.after : "";
  const source =
    revision === store.revision
      ? store.range(resource.storage, prefix, after)
      : pastEntries(store, { storage: resource.storage, prefix, revision, after, isContinued: point !== undefined });
  return takePage(source, { limit: options.limit, selection: selectionOf(options, resource), prefix, revision });
}

function revisionToRead(options: ListOptions, point: ContinuePoint | undefined, store: Store): number {
  if (point) return point.revision < 0 ? store.revision : point.revision;
  const { revision, match, limit } = options;
  const exact = match === "Exact" || (match === "" && limit > 0 && revision !== undefined && revision > 0);
  return exact && revision !== undefined ? revision : store.revision;
}

interface Past {
  readonly storage: string;
  readonly prefix: string;
  readonly revision: number;
  readonly after: string;
  readonly isContinued: boolean;
}

function pastEntries(store: Store, { storage, prefix, revision, after, isContinued }: Past): Entry[] {
  const entries = revision > store.revision ? undefined : store.rangeAt(storage, prefix, revision);
  if (entries) return entries.filter(({ key }) => key > after);
  if (!isContinued) throw expired("The resourceVersion for the provided list is too old.");
  throw inconsistentContinue(encodeContinue({ revision: -1, after: after.slice(prefix.length) }));
}

function inconsistentContinue(token: string): StatusError {
  const error = expired(
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without the " +
      "continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing " +
      "with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the " +
      "time the first chunk was returned and now may show up in the list.",
  );
  Object.assign(error.body, { metadata: { continue: token } });
  return error;
}

interface Window {
  readonly limit: number;
  readonly selection: Selection | undefined;
  readonly prefix: string;
  readonly revision: number;
}

function takePage(source: Iterable<Entry>, { limit, selection, prefix, revision }: Window): ListPage {
  const entries: Entry[] = [];
  let rest = 0;
  for (const entry of source) {
    if (selection && !selection(entry.object)) continue;
    if (limit > 0 && entries.length >= limit) {
      rest++;
      if (selection) break;
    } else entries.push(entry);
  }
  const last = entries.at(-1);
  if (rest === 0 || !last) return { entries, revision };
  const next = encodeContinue({ revision, after: last.key.slice(prefix.length) });
  return { entries, revision, next, ...(!selection && { remaining: rest }) };
}

/** All objects a list with these options would contain, for those who act on them. */
export function selectAll(call: Call, store: Store, options: ListOptions): KubeObject[] {
  return readPage(call, store, { ...options, limit: 0, continueToken: "" }).entries.map((e) => e.object);
}
