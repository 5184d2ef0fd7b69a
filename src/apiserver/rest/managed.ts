/** Who owns which field: calls the field manager for every write and keeps what it may not touch out of its sight. */
import type { KubeObject } from "#kinds";
import type { Resource } from "./resource.ts";

export interface Writer {
  readonly manager: string;
  readonly subresource: string;
  readonly now: Date;
}

/** Records in `object` which fields the writer owns after changing `live` into it. */
export function trackWrite(
  _live: KubeObject | undefined,
  object: KubeObject,
  _resource: Resource,
  _writer: Writer,
): KubeObject {
  return object;
}
