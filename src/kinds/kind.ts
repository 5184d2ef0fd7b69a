/** What a kind is to those who talk about it: its name on the wire, and in the type system the shape of its objects. */
import type { KubeObject } from "./object.ts";

export type Scope = "Namespaced" | "Cluster";

/**
 * A kind as one value. `T` is the TypeScript type of its objects and exists only at compile time:
 * `client.get(Server, "a")` returns a `Server` because `Server` is a `Kind<Server>`.
 */
export interface Kind<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
  /** Never present; carries `T`. */
  readonly objectType?: T;
}

/** The object type of a kind value: `type Server = ObjectOf<typeof Server>`. */
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

/** `group/version`, or `version` for the core group: what stands in an object's `apiVersion`. */
export function apiVersionOf(kind: Pick<Kind, "group" | "version">): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}
