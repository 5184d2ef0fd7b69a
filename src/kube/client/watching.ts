/** One watch request, from opening it to its last event. Starting over is the informer's business. */
import type { Kind, KubeObject } from "#kinds";
import type { Caller } from "./caller.ts";
import type { WatchEvent, WatchOptions } from "./client.ts";
import { identified } from "./identity.ts";
import { collectionPath, withQuery } from "./paths.ts";
import { decodeEvent, splitLines } from "./watch-stream.ts";

const METADATA_EVENTS = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1, application/json;q=0.1";

/** Ends when the server ends it. Throws `ApiError` for a refusal or an ERROR event, `ConnectionLost` when it is cut, and the signal's reason. */
export async function* watchKind<T extends KubeObject>(
  caller: Caller,
  kind: Kind<T>,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const { namespace, signal, metadataOnly, onActivity } = options;
  const attempt = `watch ${kind.plural}${namespace ? ` in ${namespace}` : ""}`;
  const stream = await caller.open({
    attempt,
    method: "GET",
    path: withQuery(collectionPath(kind, namespace), watchQuery(options)),
    repeatability: "read",
    priority: "normal",
    options: { signal },
    ...(metadataOnly && { accept: METADATA_EVENTS }),
  });
  onActivity?.();
  try {
    for await (const line of splitLines(noticed(stream.chunks(), onActivity))) {
      const event = decodeEvent<T>(attempt, line);
      if (event.type !== "BOOKMARK") identified(kind, event.object);
      yield event;
    }
  } finally {
    stream.close();
  }
}

function watchQuery(options: WatchOptions) {
  const { labelSelector, fieldSelector, resourceVersion, timeoutSeconds, sendInitialEvents } = options;
  return {
    watch: true,
    allowWatchBookmarks: true,
    labelSelector,
    fieldSelector,
    resourceVersion,
    timeoutSeconds,
    sendInitialEvents,
    resourceVersionMatch: sendInitialEvents ? "NotOlderThan" : undefined,
  };
}

async function* noticed(chunks: AsyncIterable<Uint8Array>, onActivity: (() => void) | undefined) {
  for await (const chunk of chunks) {
    onActivity?.();
    yield chunk;
  }
}
