/** Makes a served resource out of one version of a CRD. */
import type { KubeObject } from "#kinds";
import { customResetFields } from "../builtins/reset-fields.ts";
import { objectMetaModel } from "../builtins/type-models.ts";
import type { Decoded } from "../decode/index.ts";
import { type FieldError, noField } from "../field-error.ts";
import type { JsonObject } from "../json.ts";
import { deduced, type ModelOf, modelFromSchema, type TypeModel } from "../managed-fields/index.ts";
import { subdomainName } from "../rest/names.ts";
import {
  ALL_VERBS,
  type FieldLabels,
  type Resource,
  type ScalePaths,
  type Strategy,
  type Subresource,
} from "../rest/resource.ts";
import { type CompiledSchema, compileSchema, equalJson } from "../schema/index.ts";
import { crdColumns } from "../table/crd-columns.ts";
import { compileJsonPath } from "../table/json-path.ts";
import { type CrdVersion, type CustomResourceDefinition, storageVersion } from "./definition.ts";
import { finalizerWarnings } from "./finalizer-warnings.ts";
import { decodeMetadata } from "./metadata.ts";
import { scaleErrors } from "./scale-errors.ts";

/** The resources a CRD serves, one per served version. */
export function customResources(crd: CustomResourceDefinition): Resource[] {
  const models = new Map<string, TypeModel>();
  const modelOf: ModelOf = (apiVersion) => models.get(apiVersion);
  for (const version of crd.spec.versions) {
    models.set(`${crd.spec.group}/${version.name}`, modelOfVersion(crd, version));
  }
  return crd.spec.versions.filter((v) => v.served).map((version) => customResource(crd, version, modelOf));
}

function modelOfVersion({ spec }: CustomResourceDefinition, { schema }: CrdVersion): TypeModel {
  if (!schema?.openAPIV3Schema || spec.preserveUnknownFields) return deduced;
  return modelFromSchema(schema.openAPIV3Schema as unknown as JsonObject, objectMetaModel());
}

function customResource(crd: CustomResourceDefinition, version: CrdVersion, modelOf: ModelOf): Resource {
  const { group, names, scope } = crd.spec;
  const compiled = compileSchema(version.schema?.openAPIV3Schema ?? { type: "object" });
  const kind = { group, version: version.name, kind: names.kind };
  return {
    ...kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    scope,
    verbs: ALL_VERBS,
    storage: `${group}/${names.plural}`,
    storedAs: `${group}/${storageVersion(crd)?.name ?? version.name}`,
    typedListItems: true,
    subresources: subresourcesOf(kind, version),
    strategy: strategyOf(compiled, version),
    modelOf,
    resetFields: (subresource) => customResetFields(version.subresources?.status !== undefined, subresource),
    columns: crdColumns(version.additionalPrinterColumns),
    fieldLabels: fieldLabelsOf(version, scope),
    ...(version.subresources?.scale && { scale: version.subresources.scale }),
    ...(version.deprecated && { deprecation: deprecationOf(kind, version) }),
    builtIn: false,
  };
}

function deprecationOf({ group, kind }: { group: string; kind: string }, version: CrdVersion): string {
  return version.deprecationWarning ?? `${group}/${version.name} ${kind} is deprecated`;
}

function subresourcesOf(kind: Subresource["kind"], { subresources }: CrdVersion): Map<string, Subresource> {
  const all = new Map<string, Subresource>();
  const verbs = ["get", "patch", "update"];
  if (subresources?.status) all.set("status", { kind, verbs });
  if (subresources?.scale) all.set("scale", { kind: { group: "autoscaling", version: "v1", kind: "Scale" }, verbs });
  return all;
}

function fieldLabelsOf({ selectableFields = [] }: CrdVersion, scope: string): FieldLabels {
  const labels: Record<string, (object: KubeObject) => string> = {
    "metadata.name": ({ metadata }) => metadata.name ?? "",
  };
  if (scope === "Namespaced") labels["metadata.namespace"] = ({ metadata }) => metadata.namespace ?? "";
  for (const { jsonPath } of selectableFields) {
    const path = compileJsonPath(jsonPath);
    labels[jsonPath.replace(/^\./, "")] = (object) => {
      const value = path?.(object)[0];
      return value === undefined || value === null ? "" : String(value);
    };
  }
  return labels;
}

type Fields = Record<string, unknown>;
const fields = (object: KubeObject): Fields => object as unknown as Fields;
const json = (object: KubeObject): JsonObject => object as unknown as JsonObject;

function strategyOf(compiled: CompiledSchema, version: CrdVersion): Strategy {
  const hasStatus = version.subresources?.status !== undefined;
  return {
    decode: (object) => decode(compiled, object),
    applyDefaults: (object) => compiled.applyDefaults(json(object)),
    prepareForCreate: (object) => {
      object.metadata.generation = 1;
      if (hasStatus) delete fields(object).status;
    },
    prepareForUpdate: (object, old, { subresource }) => {
      if (subresource === "status") keepAllButStatus(object, old);
      else keepStatusAndCount(object, old, hasStatus);
    },
    validateName: subdomainName,
    validate: (object, old, { subresource }) =>
      validate({ compiled, scale: version.subresources?.scale }, object, old, subresource),
    warnings: finalizerWarnings,
    createsOnUpdate: false,
    overwritesUnconditionally: false,
  };
}

function decode(compiled: CompiledSchema, object: KubeObject): Decoded<KubeObject> {
  const ofMetadata = decodeMetadata(object);
  const unknown = compiled.prune(json(object)).map((path) => `unknown field ${JSON.stringify(path)}`);
  return { value: object, strictErrors: [...ofMetadata, ...unknown].sort() };
}

function validate(
  { compiled, scale }: { compiled: CompiledSchema; scale: ScalePaths | undefined },
  object: KubeObject,
  old: KubeObject | undefined,
  subresource: string,
): FieldError[] {
  if (subresource === "status") return compiled.validateStatus(json(object), old);
  const errors = old === undefined ? compiled.validate(json(object)) : compiled.validate(json(object), old);
  return scale ? withScaleErrors(errors, scaleErrors(object, scale)) : errors;
}

/** The remark about rules that were not checked stays last. */
function withScaleErrors(errors: readonly FieldError[], ofScale: readonly FieldError[]): FieldError[] {
  const last = errors.at(-1);
  if (ofScale.length === 0 || last?.field !== noField) return [...errors, ...ofScale];
  return [...errors.slice(0, -1), ...ofScale, last];
}

/** A status update changes the status and who owns it, nothing else. */
function keepAllButStatus(object: KubeObject, old: KubeObject): void {
  const { status } = fields(object);
  const { managedFields } = object.metadata;
  for (const key of Object.keys(object)) delete fields(object)[key];
  Object.assign(object, structuredClone(old));
  if (managedFields) object.metadata.managedFields = managedFields;
  if (status === undefined) delete fields(object).status;
  else fields(object).status = status;
}

function keepStatusAndCount(object: KubeObject, old: KubeObject, hasStatus: boolean): void {
  if (hasStatus) {
    if (fields(old).status === undefined) delete fields(object).status;
    else fields(object).status = fields(old).status;
  }
  if (!equalJson(countedPart(object), countedPart(old))) {
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
}

/** What the generation counts: everything beside metadata; status is already the same where it does not count. */
function countedPart(object: KubeObject): unknown {
  const { metadata: _, ...rest } = object;
  return rest;
}
