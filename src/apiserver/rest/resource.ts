/** What the server knows about one served resource in one version. Built-ins and CRDs both become this. */
import type { KubeObject, Scope } from "#kinds";
import type { Decoded } from "../decode/index.ts";
import type { FieldError } from "../field-error.ts";
import type { UserInfo } from "../http/message.ts";
import type { JsonObject } from "../json.ts";
import type { FieldSet, ModelOf } from "../managed-fields/index.ts";
import type { Column } from "../table/column.ts";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

export const ALL_VERBS: readonly Verb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** What a subresource answers with and which verbs it has. */
export interface Subresource {
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly string[];
}

export interface WriteContext {
  readonly user: UserInfo;
  readonly now: Date;
  readonly subresource: string;
}

/** How the objects of one resource are read, completed and judged. All functions are pure but may change `object`. */
export interface Strategy {
  /** The object without what its schema does not know, which is named in the strict errors; throws `DecodeError`. */
  readonly decode: (object: KubeObject) => Decoded<KubeObject>;
  /** Fills in defaults. */
  readonly applyDefaults: (object: KubeObject) => void;
  /** Sets what a client may not choose, on an object about to be created. */
  readonly prepareForCreate: (object: KubeObject, context: WriteContext) => void;
  /** Carries over from `old` what this kind of update may not touch. */
  readonly prepareForUpdate: (object: KubeObject, old: KubeObject, context: WriteContext) => void;
  readonly validateName: (name: string, isPrefix: boolean) => string[];
  readonly validate: (object: KubeObject, old: KubeObject | undefined, context: WriteContext) => FieldError[];
  readonly warnings: (object: KubeObject, old: KubeObject | undefined) => string[];
  /** Kinds that have work to do before they go: whether this object, marked for deletion, must still stay. */
  readonly isHeld?: (object: KubeObject) => boolean;
  /** What else changes when such an object is marked for deletion. */
  readonly markDeleted?: (object: KubeObject, now: Date) => void;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** PUT of an object that does not exist creates it. */
  readonly createsOnUpdate: boolean;
  /** PUT without a resourceVersion overwrites. */
  readonly overwritesUnconditionally: boolean;
}

/** Dotted paths into the object, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface Conversion {
  readonly toStored: (served: KubeObject) => KubeObject;
  readonly fromStored: (stored: KubeObject) => KubeObject;
}

/** Maps the labels usable in a field selector to an object's values. */
export type FieldLabels = Readonly<Record<string, (object: KubeObject) => string>>;

export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: Scope;
  readonly verbs: readonly Verb[];
  /** `group/plural` under which objects are stored, whatever version they are served in. */
  readonly storage: string;
  /** The `apiVersion` stored objects carry. */
  readonly storedAs: string;
  /** CRD objects keep `apiVersion` and `kind` inside lists; built-ins do not. */
  readonly typedListItems: boolean;
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly strategy: Strategy;
  /** The type model of a version of this kind, by `apiVersion`; field ownership is recorded per version. */
  readonly modelOf: ModelOf;
  /** The fields that writes through an endpoint reset, so that nobody owns them through it. */
  readonly resetFields: (subresource: string) => FieldSet | undefined;
  /** An object of this kind before anything is set. */
  readonly empty?: JsonObject;
  /** For kinds served under two shapes: between what is served and what is stored. */
  readonly conversion?: Conversion;
  readonly columns: readonly Column[];
  readonly fieldLabels: FieldLabels;
  /** Where the numbers of the scale subresource are, for kinds that have it. */
  readonly scale?: ScalePaths;
  /** Said with every answer about a deprecated version. */
  readonly deprecation?: string;
  /** Whether a client may send strategic merge patches and protobuf. */
  readonly builtIn: boolean;
}

/** Where an object of a resource is stored. */
export function keyOf(resource: Pick<Resource, "storage" | "scope">, namespace: string, name: string): string {
  return resource.scope === "Namespaced" ? `${resource.storage}/${namespace}/${name}` : `${resource.storage}/${name}`;
}

/** What the keys of a list start with. */
export function prefixOf(resource: Pick<Resource, "storage">, namespace: string): string {
  return namespace === "" ? `${resource.storage}/` : `${resource.storage}/${namespace}/`;
}

export function apiVersionOfResource({ group, version }: Pick<Resource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}
