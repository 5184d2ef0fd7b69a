/** The builder: a kind as one value, from which its type, its CRD and its documentation are read. */
import type { Kind, Scope } from "./kind.ts";
import type { KubeObject } from "./object.ts";
import type { Properties, Schema, StaticObject } from "./schema.ts";

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly path: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  /** Shown only by `-o wide` when above 0. */
  readonly priority?: number;
  /** Not part of the API we are compatible with. */
  readonly added?: true;
}

/** What `kind` is told. Spec and status are the usual case; `fields` are further properties at the top of the object. */
export interface KindDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** The lower-cased kind unless said otherwise. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: Scope;
  /** A sentence: what the object is for. */
  readonly describe: string;
  /** Sent as a Warning header with every answer. */
  readonly deprecationWarning?: string;
  readonly spec?: Schema;
  /** Whether an object without a spec is refused; it is not unless said so. */
  readonly specRequired?: boolean;
  readonly status?: Schema;
  readonly fields?: Properties;
  readonly columns?: readonly Column[];
  /** Paths that field selectors may use. */
  readonly selectableFields?: readonly string[];
}

/** A kind whose schema we own. */
export interface DefinedKind<T extends KubeObject = KubeObject> extends Kind<T> {
  readonly definition: KindDefinition;
}

type Flat<T> = { [K in keyof T]: T[K] };
type SpecPart<D> = D extends { readonly spec: Schema<infer S> } ? { spec: S } : unknown;
type StatusPart<D> = D extends { readonly status: Schema<infer S> } ? { status?: S } : unknown;
type FieldsPart<D> = D extends { readonly fields: infer F extends Properties } ? StaticObject<F> : unknown;
/** The TypeScript type of the objects a definition describes. */
export type DefinedObject<D> = Flat<KubeObject & SpecPart<D> & StatusPart<D> & FieldsPart<D>>;

/** Defines a kind. `export type X = ObjectOf<typeof X>` beside it names the type of its objects. */
export function kind<const D extends KindDefinition>(definition: D): DefinedKind<DefinedObject<D>> {
  const { group, version, kind, plural, scope } = definition;
  return { group, version, kind, plural, scope, definition };
}

export function column(name: string, path: string, more: Partial<Omit<Column, "name" | "path">> = {}): Column {
  return { name, path, type: "string", ...more };
}

/** The column every kind ends with. */
export const ageColumn = column("Age", ".metadata.creationTimestamp", { type: "date" });
