/** Whether a CustomResourceDefinition may be stored: names, versions, schemas, rules. Upstream's checks in upstream's words. */
import { type FieldError, forbidden, invalid, notSupported, required } from "../field-error.ts";
import { GoRaw, goJson, goQuote } from "../go-text.ts";
import { dns1035LabelProblems, dns1123SubdomainProblems } from "../name-rules.ts";
import { equalJson } from "./correlation.ts";
import {
  type CrdConversion,
  type CrdSpec,
  type CrdVersion,
  type CustomResourceDefinition,
  defaultedNames,
} from "./crd.ts";
import {
  columnErrors,
  deprecationErrors,
  schemaErrors,
  selectableErrors,
  subresourceErrors,
} from "./crd-version-check.ts";
import { isRequestUri } from "./formats.ts";

type Part = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";

/** What all versions agree on is checked once, under the path upstream gives it then. */
function isShared(versions: readonly CrdVersion[], part: Part): boolean {
  return versions.every((version) => equalJson(version[part] ?? null, versions[0]?.[part] ?? null));
}

const hasStatus = (version: CrdVersion | undefined): boolean => isPresent(version?.subresources?.status);
const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

function partErrors(
  version: CrdVersion,
  parts: ReadonlySet<Part>,
  paths: Readonly<Record<Part, string>>,
  status: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const schema = version.schema?.openAPIV3Schema;
  if (parts.has("schema")) errors.push(...schemaErrors(schema, `${paths.schema}.openAPIV3Schema`, status));
  if (parts.has("subresources")) errors.push(...subresourceErrors(version.subresources, paths.subresources));
  if (parts.has("additionalPrinterColumns"))
    version.additionalPrinterColumns?.forEach((column, i) => {
      errors.push(...columnErrors(column, `${paths.additionalPrinterColumns}[${i}]`));
    });
  if (parts.has("selectableFields"))
    errors.push(...selectableErrors(version.selectableFields, schema, paths.selectableFields));
  return errors;
}

const parts: readonly Part[] = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"];

function versionErrors(versions: readonly CrdVersion[]): FieldError[] {
  const own = new Set(parts.filter((part) => !isShared(versions, part)));
  return versions.flatMap((version, i) => {
    const at = `spec.versions[${i}]`;
    const problems = dns1035LabelProblems(version.name ?? "");
    const paths = {
      schema: `${at}.schema`,
      subresources: `${at}.subresources`,
      additionalPrinterColumns: `${at}.additionalPrinterColumns`,
      selectableFields: `${at}.selectableFields`,
    };
    return [
      ...(problems.length > 0 ? [invalid(`${at}.name`, version.name ?? "", problems.join(","))] : []),
      ...deprecationErrors(version, `${at}.deprecationWarning`),
      ...partErrors(version, own, paths, hasStatus(version)),
    ];
  });
}

function sharedErrors(versions: readonly CrdVersion[]): FieldError[] {
  const [first] = versions;
  if (first === undefined) return [];
  const shared = new Set(parts.filter((part) => isShared(versions, part)));
  const paths = {
    schema: "spec.validation",
    subresources: "spec.subresources",
    additionalPrinterColumns: "spec.additionalPrinterColumns",
    selectableFields: "spec.selectableFields",
  };
  return partErrors(first, shared, paths, versions.some(hasStatus));
}

/** Versions as errors show them: by name, for upstream's own form is an internal one. */
const printVersions = (versions: readonly CrdVersion[]): GoRaw => new GoRaw(goJson(versions));

function setErrors(versions: readonly CrdVersion[]): FieldError[] {
  const errors: FieldError[] = [];
  const names = versions.map((version) => version.name);
  if (new Set(names).size < names.length)
    errors.push(invalid("spec.versions", printVersions(versions), "must contain unique version names"));
  if (versions.filter((version) => version.storage === true).length !== 1)
    errors.push(
      invalid("spec.versions", printVersions(versions), "must have exactly one version marked as storage version"),
    );
  const problems = versions[0] === undefined ? [] : dns1035LabelProblems(versions[0].name ?? "");
  if (problems.length > 0) errors.push(invalid("spec.version", versions[0]?.name ?? "", problems.join(",")));
  return errors;
}

function groupErrors(group: string): FieldError[] {
  if (group === "") return [required("spec.group")];
  const problems = dns1123SubdomainProblems(group);
  if (problems.length > 0) return [invalid("spec.group", group, problems.join(","))];
  return group.includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function oneOfErrors(value: string, path: string, allowed: readonly string[]): FieldError[] {
  if (value === "") return [required(path)];
  return allowed.includes(value) ? [] : [notSupported(path, value, allowed)];
}

function nameErrors(spec: CrdSpec): FieldError[] {
  const names = defaultedNames(spec.names);
  const errors: FieldError[] = [];
  for (const key of ["plural", "singular", "kind", "listKind"] as const)
    if (names[key] === "") errors.push(required(`spec.names.${key}`));
  const label = (value: string, path: string, mixedCase: boolean): void => {
    const problems = value === "" ? [] : dns1035LabelProblems(mixedCase ? value.toLowerCase() : value);
    const prefix = mixedCase ? "may have mixed case, but should otherwise match: " : "";
    if (problems.length > 0) errors.push(invalid(path, value, prefix + problems.join(",")));
  };
  label(names.plural, "spec.names.plural", false);
  label(names.singular, "spec.names.singular", false);
  label(names.kind, "spec.names.kind", true);
  label(names.listKind, "spec.names.listKind", true);
  const list = (key: "shortNames" | "categories"): void =>
    names[key].forEach((value, i) => {
      const problems = dns1035LabelProblems(value);
      if (problems.length > 0) errors.push(invalid(`spec.names.${key}[${i}]`, value, problems.join(",")));
    });
  list("shortNames");
  if (names.kind !== "" && names.kind === names.listKind)
    errors.push(invalid("spec.names.listKind", names.listKind, "kind and listKind may not be the same"));
  list("categories");
  return errors;
}

function webhookErrors(webhook: CrdConversion["webhook"]): FieldError[] {
  const config = webhook?.clientConfig;
  const errors: FieldError[] = [];
  if (config === undefined || config === null)
    errors.push(required("spec.conversion.webhookClientConfig", "required when strategy is set to Webhook"));
  else if (isPresent(config.url) === isPresent(config.service))
    errors.push(required("spec.conversion.webhookClientConfig", "exactly one of url or service is required"));
  const versions = webhook?.conversionReviewVersions ?? [];
  const path = "spec.conversion.conversionReviewVersions";
  if (versions.length === 0) errors.push(required(path));
  else if (!versions.some((v) => v === "v1" || v === "v1beta1"))
    errors.push(invalid(path, versions, "must include at least one of v1, v1beta1"));
  return errors;
}

function conversionErrors(conversion: CrdConversion | undefined): FieldError[] {
  if (conversion === undefined || conversion === null) return [];
  const strategy = conversion.strategy ?? "None";
  const errors = oneOfErrors(strategy, "spec.conversion.strategy", ["None", "Webhook"]);
  if (strategy === "Webhook") return [...errors, ...webhookErrors(conversion.webhook)];
  if (isPresent(conversion.webhook?.clientConfig))
    errors.push(
      forbidden("spec.conversion.webhookClientConfig", "should not be set when strategy is not set to Webhook"),
    );
  if ((conversion.webhook?.conversionReviewVersions ?? []).length > 0)
    errors.push(
      forbidden("spec.conversion.conversionReviewVersions", "should not be set when strategy is not set to Webhook"),
    );
  return errors;
}

function metadataErrors(crd: CustomResourceDefinition, spec: CrdSpec): FieldError[] {
  const name = crd.metadata?.name ?? "";
  if (name === "") return [required("metadata.name", "name or generateName is required")];
  const problems = dns1123SubdomainProblems(name);
  if (name !== `${spec.names?.plural ?? ""}.${spec.group ?? ""}`)
    problems.push('must be spec.names.plural+"."+spec.group');
  return problems.map((problem) => invalid("metadata.name", name, problem));
}

const approvedBy = "api-approved.kubernetes.io";

/** Groups of the Kubernetes community need a word of approval. */
function approvalErrors(crd: CustomResourceDefinition, group: string): FieldError[] {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return [];
  const path = `metadata.annotations[${approvedBy}]`;
  const approval = crd.metadata?.annotations?.[approvedBy] ?? "";
  const see = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (approval === "")
    return [required(path, `protected groups must have approval annotation ${goQuote(approvedBy)}, ${see}`)];
  if (approval.startsWith("unapproved") || (isRequestUri(approval) && /^[a-z]+:\/\/[^/]/i.test(approval))) return [];
  const detail = `protected groups must have approval annotation ${goQuote(approvedBy)} with either a URL or a reason starting with "unapproved", ${see}`;
  return [invalid(path, approval, detail)];
}

function missingSchemas(versions: readonly CrdVersion[]): FieldError[] {
  if (isShared(versions, "schema") && isPresent(versions[0]?.schema?.openAPIV3Schema)) return [];
  return versions.flatMap((version, i) =>
    isPresent(version.schema?.openAPIV3Schema) ? [] : [required(`spec.versions[${i}].schema.openAPIV3Schema`)],
  );
}

function storedVersionErrors(
  crd: CustomResourceDefinition,
  versions: readonly CrdVersion[],
  isUpdate: boolean,
): FieldError[] {
  const storage = versions.find((version) => version.storage === true)?.name;
  const stored = isUpdate ? (crd.status?.storedVersions ?? []) : storage === undefined ? [] : [storage];
  const path = "status.storedVersions";
  if (stored.length === 0) return [invalid(path, stored, "must have at least one stored version")];
  const errors = versions
    .filter((version) => version.storage === true && !stored.includes(version.name))
    .map((version) => invalid(path, stored, `must have the storage version ${version.name}`));
  stored.forEach((name, i) => {
    if (versions.some((version) => version.name === name)) return;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.push(invalid(`${path}[${i}]`, name, detail));
  });
  return errors;
}

function preserveErrors(spec: CrdSpec): FieldError[] {
  if (spec.preserveUnknownFields !== true) return [];
  const detail =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid("spec.preserveUnknownFields", true, detail)];
}

function specErrors(spec: CrdSpec): FieldError[] {
  const versions = spec.versions ?? [];
  return [
    ...groupErrors(spec.group ?? ""),
    ...oneOfErrors(spec.scope ?? "", "spec.scope", ["Cluster", "Namespaced"]),
    ...missingSchemas(versions),
    ...versionErrors(versions),
    ...setErrors(versions),
    ...nameErrors(spec),
    ...sharedErrors(versions),
    ...conversionErrors(spec.conversion),
  ];
}

function immutableErrors(spec: CrdSpec, old: CustomResourceDefinition): FieldError[] {
  const before = old.spec ?? {};
  const established = old.status?.conditions?.some((c) => c.type === "Established" && c.status === "True") === true;
  const changed = (value: unknown, was: unknown, path: string): FieldError[] =>
    value === was ? [] : [invalid(path, value ?? "", "field is immutable")];
  return [
    ...(established ? changed(spec.scope, before.scope, "spec.scope") : []),
    ...(established ? changed(spec.names?.kind, before.names?.kind, "spec.names.kind") : []),
    ...changed(spec.group, before.group, "spec.group"),
    ...changed(spec.names?.plural, before.names?.plural, "spec.names.plural"),
  ];
}

/** Everything wrong with a definition; with `old` it is an update of that one. */
export function checkCustomResourceDefinition(
  crd: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): FieldError[] {
  const spec = crd.spec ?? {};
  return [
    ...(old === undefined ? metadataErrors(crd, spec) : []),
    ...specErrors(spec),
    ...(old === undefined ? [] : immutableErrors(spec, old)),
    ...storedVersionErrors(crd, spec.versions ?? [], old !== undefined),
    ...approvalErrors(crd, spec.group ?? ""),
    ...preserveErrors(spec),
  ];
}
