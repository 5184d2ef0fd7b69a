/** A CustomResourceDefinition as it arrives on the wire, as far as its validation looks at it. */
import type { JsonSchema } from "./json-schema.ts";

export interface CrdNames {
  readonly plural?: string;
  readonly singular?: string;
  readonly kind?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface CrdColumn {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
}

export interface CrdScale {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
}

export interface CrdSubresources {
  readonly status?: object;
  readonly scale?: CrdScale;
}

export interface CrdVersion {
  readonly name: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: CrdSubresources;
  readonly additionalPrinterColumns?: readonly CrdColumn[];
  readonly selectableFields?: readonly { readonly jsonPath?: string }[];
}

export interface CrdConversion {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: { readonly url?: string; readonly service?: object; readonly caBundle?: string };
    readonly conversionReviewVersions?: readonly string[];
  };
}

export interface CrdSpec {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: CrdNames;
  readonly versions?: readonly CrdVersion[];
  readonly conversion?: CrdConversion;
  readonly preserveUnknownFields?: boolean;
}

export interface CustomResourceDefinition {
  readonly metadata?: { readonly name?: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: CrdSpec;
  readonly status?: {
    readonly storedVersions?: readonly string[];
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
  };
}

/** The names with the defaults that upstream fills in before it looks at them. */
export function defaultedNames(names: CrdNames | undefined): Required<CrdNames> {
  const kind = names?.kind ?? "";
  return {
    plural: names?.plural ?? "",
    singular: names?.singular || kind.toLowerCase(),
    kind,
    listKind: names?.listKind || (kind === "" ? "" : `${kind}List`),
    shortNames: names?.shortNames ?? [],
    categories: names?.categories ?? [],
  };
}
