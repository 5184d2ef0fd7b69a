/** The CustomResourceDefinition: how an API server is taught a kind. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface CustomResourceColumn {
  name: string;
  type: string;
  jsonPath: string;
  description?: string;
  format?: string;
  priority?: number;
}

export interface CustomResourceVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: Record<string, unknown> };
  subresources?: {
    status?: Record<string, never>;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  additionalPrinterColumns?: CustomResourceColumn[];
  selectableFields?: { jsonPath: string }[];
}

export interface CustomResourceNames {
  kind: string;
  plural: string;
  listKind?: string;
  singular?: string;
  shortNames?: string[];
  categories?: string[];
}

export interface CustomResourceDefinition extends KubeObject {
  spec: {
    group: string;
    scope: string;
    names: CustomResourceNames;
    versions: CustomResourceVersion[];
    preserveUnknownFields?: boolean;
    conversion?: { strategy: string; webhook?: unknown };
  };
  status?: {
    conditions?: {
      type: string;
      status: string;
      reason?: string;
      message?: string;
      lastTransitionTime?: string | null;
    }[];
    acceptedNames?: CustomResourceNames;
    storedVersions?: string[];
  };
}

export const CustomResourceDefinition: Kind<CustomResourceDefinition> = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  scope: "Cluster",
};
