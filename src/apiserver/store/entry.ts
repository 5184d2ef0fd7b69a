/** What the store keeps: one immutable version of one object, and the events that lead from version to version. */
import type { KubeObject } from "#kinds";

/** One version of one object. Nobody changes `object` after it was stored; it is shared by every reader. */
export interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly object: KubeObject;
  /** `object` as JSON, encoded exactly once. */
  readonly json: string;
}

export type ChangeType = "ADDED" | "MODIFIED" | "DELETED";

/** One committed change. For DELETED, `entry` is the last state carrying the revision of the deletion. */
export interface Change {
  readonly type: ChangeType;
  readonly entry: Entry;
  readonly previous: Entry | undefined;
}

/** Keys are `resource/…`; the resource part (`group/plural`) selects the collection. */
export function resourceOf(key: string): string {
  const group = key.indexOf("/");
  return key.slice(0, key.indexOf("/", group + 1));
}
