/** Watch events as bytes. One event is encoded once per form, however many watchers receive it. */
import type { ChangeType, Entry } from "../store/entry.ts";

const cache = new WeakMap<Entry, Map<string, Buffer>>();

/** The bytes of an event; `encode` runs only for the first watcher that needs this form of it. */
export function encodedEvent(type: ChangeType, entry: Entry, form: string, encode: (entry: Entry) => string): Buffer {
  let forms = cache.get(entry);
  if (!forms) {
    forms = new Map();
    cache.set(entry, forms);
  }
  const id = `${type} ${form}`;
  let bytes = forms.get(id);
  if (!bytes) {
    bytes = Buffer.from(`{"type":"${type}","object":${encode(entry)}}\n`);
    forms.set(id, bytes);
  }
  return bytes;
}

/** An event that belongs to one watcher only: bookmarks and errors. */
export function ownEvent(type: "BOOKMARK" | "ERROR", object: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}
