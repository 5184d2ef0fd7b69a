/** Decodes the body of a watch: bytes to lines to events. A line that was cut off is never an event. */
import type { KubeObject } from "#kinds";
import { ConnectionLost } from "../transport/transport.ts";
import { refusalByStatus } from "./answer.ts";
import type { WatchEvent } from "./client.ts";
import type { Status } from "./errors.ts";

const NEWLINE = 0x0a;
/** An event is one object; etcd stores none beyond a few megabytes. More without a line end is not a watch. */
export const MAX_LINE_BYTES = 32 * 1_048_576;
const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/** Splits on "\n" only, over bytes, so that no character and no U+2028 is ever cut. What follows the last "\n" is dropped. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<string, void, undefined> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      yield textOf(pending);
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
      pendingBytes += chunk.length - start;
    }
    if (pendingBytes > maxBytes) throw new ConnectionLost(`a watch sent ${pendingBytes} bytes without a line end`);
  }
}

/** The event of one line; throws `ApiError` for an ERROR event and `ConnectionLost` for what is no event at all. */
export function decodeEvent<T extends KubeObject>(attempt: string, line: string): WatchEvent<T> {
  const { type, object } = parseEvent(attempt, line);
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, object: object as T };
    case "BOOKMARK": {
      const { resourceVersion = "", annotations } = (object as KubeObject).metadata;
      return { type, resourceVersion, initialEventsEnd: annotations?.[INITIAL_EVENTS_END] === "true" };
    }
    case "ERROR":
      throw refusalByStatus(attempt, object as Status);
    default:
      throw new ConnectionLost(`${attempt}: an event of unknown type ${JSON.stringify(type)}`);
  }
}

function parseEvent(attempt: string, line: string): { readonly type?: unknown; readonly object: unknown } {
  let event: { type?: unknown; object?: unknown } | null;
  try {
    event = JSON.parse(line) as typeof event;
  } catch {
    throw new ConnectionLost(`${attempt}: a line of ${line.length} characters that is not JSON`);
  }
  if (typeof event?.object !== "object" || event.object === null)
    throw new ConnectionLost(`${attempt}: an event without an object`);
  return { type: event.type, object: event.object };
}

function textOf(parts: readonly Uint8Array[]): string {
  const [only] = parts;
  const bytes = parts.length === 1 && only ? only : Buffer.concat(parts);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
