/** The parts of a CustomResourceDefinition that the server reads. */
import type { Condition, KubeObject } from "#kinds";
import type { ScalePaths } from "../rest/resource.ts";
import type { JsonSchema } from "../schema/index.ts";
import type { PrinterColumn } from "../table/crd-columns.ts";

export interface CrdNames {
  plural: string;
  kind: string;
  singular?: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: JsonSchema };
  subresources?: { status?: object; scale?: ScalePaths };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string;
    scope: "Namespaced" | "Cluster";
    names: CrdNames;
    versions: CrdVersion[];
    conversion?: { strategy?: string };
    preserveUnknownFields?: boolean;
  };
  status?: {
    conditions?: CrdCondition[] | null;
    acceptedNames?: CrdNames;
    storedVersions?: string[] | null;
  };
}

export type CrdCondition = Pick<Condition, "type" | "status" | "lastTransitionTime" | "reason" | "message">;

export const CRD_STORAGE = "apiextensions.k8s.io/customresourcedefinitions";
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

export function conditionOf({ status }: CustomResourceDefinition, type: string): CrdCondition | undefined {
  return status?.conditions?.find((c) => c.type === type);
}

/** The version objects of this kind are stored in. */
export function storageVersion({ spec }: CustomResourceDefinition): CrdVersion | undefined {
  return spec.versions.find((v) => v.storage);
}
