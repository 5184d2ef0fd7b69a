/** Judges `metadata` for every kind alike, in upstream's order and words. */
import type { KubeObject, ObjectMeta, OwnerReference } from "#kinds";
import { type FieldError, forbidden, invalid, required, tooLong } from "../field-error.ts";
import { equalJson } from "../schema/index.ts";
import { labelKeyProblems, labelValueProblems } from "../selector/index.ts";
import { labelProblems, type NameCheck, pathSegmentName } from "./names.ts";

const MAX_ANNOTATIONS_BYTES = 262_144;
const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/** Problems of the metadata of any object; `checkName` is the kind's own rule. */
export function validateMeta(meta: ObjectMeta, namespaced: boolean, checkName: NameCheck): FieldError[] {
  return [
    ...nameErrors(meta, checkName),
    ...namespaceErrors(meta.namespace ?? "", namespaced),
    ...labelErrors(meta.labels ?? {}),
    ...annotationErrors(meta.annotations ?? {}),
    ...ownerErrors(meta.ownerReferences ?? []),
    ...finalizerErrors(meta.finalizers ?? []),
  ];
}

function nameErrors({ name = "", generateName = "" }: ObjectMeta, check: NameCheck): FieldError[] {
  const prefix = generateName
    ? check(generateName, true).map((why) => invalid("metadata.generateName", generateName, why))
    : [];
  if (name === "") return [...prefix, required("metadata.name", "name or generateName is required")];
  return [...prefix, ...check(name, false).map((why) => invalid("metadata.name", name, why))];
}

function namespaceErrors(namespace: string, namespaced: boolean): FieldError[] {
  if (!namespaced) return namespace ? [forbidden("metadata.namespace", "not allowed on this type")] : [];
  if (namespace === "") return [required("metadata.namespace")];
  return labelProblems(namespace).map((why) => invalid("metadata.namespace", namespace, why));
}

function labelErrors(labels: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKeyProblems(key).map((why) => invalid("metadata.labels", key, why)),
    ...labelValueProblems(value).map((why) => invalid("metadata.labels", value, why)),
  ]);
}

function annotationErrors(annotations: Readonly<Record<string, string>>): FieldError[] {
  let size = 0;
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    errors.push(...labelKeyProblems(key.toLowerCase()).map((why) => invalid("metadata.annotations", key, why)));
  }
  return size > MAX_ANNOTATIONS_BYTES ? [...errors, tooLong("metadata.annotations", MAX_ANNOTATIONS_BYTES)] : errors;
}

function ownerErrors(owners: readonly OwnerReference[]): FieldError[] {
  const path = "metadata.ownerReferences";
  const errors = owners.flatMap((owner) => {
    const empty = (field: "kind" | "name" | "uid"): FieldError[] =>
      owner[field] ? [] : [invalid(`${path}.${field}`, owner[field] ?? "", "must not be empty")];
    const version = (owner.apiVersion ?? "").split("/").at(-1);
    const versionError = version
      ? []
      : [invalid(`${path}.apiVersion`, owner.apiVersion ?? "", "version must not be empty")];
    const banned =
      owner.apiVersion === "v1" && owner.kind === "Event"
        ? [invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner")]
        : [];
    return [...versionError, ...empty("kind"), ...empty("name"), ...empty("uid"), ...banned];
  });
  return [...errors, ...controllerErrors(owners, path)];
}

function controllerErrors(owners: readonly OwnerReference[], path: string): FieldError[] {
  const [first, ...others] = owners.filter((o) => o.controller).map((o) => `${o.kind}/${o.name}`);
  return others.map((other) =>
    invalid(
      path,
      owners,
      `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${other}`,
    ),
  );
}

function finalizerErrors(finalizers: readonly string[]): FieldError[] {
  const path = "metadata.finalizers";
  const errors = finalizers.flatMap((f) => labelKeyProblems(f).map((why) => invalid(path, f, why)));
  if (!finalizers.includes(ORPHAN) || !finalizers.includes(FOREGROUND)) return errors;
  return [...errors, invalid(path, finalizers, `finalizer ${ORPHAN} and ${FOREGROUND} cannot be both set`)];
}

/** Problems of changing `old` metadata into the new one. */
export function validateMetaUpdate({ metadata: meta }: KubeObject, { metadata: old }: KubeObject): FieldError[] {
  const common = validateMeta(meta, old.namespace !== undefined && old.namespace !== "", pathSegmentName);
  const changes = changeErrors(meta, old);
  // Upstream looks twice, once for all kinds and once for each, and says so twice.
  return [...common, ...changes, ...changes];
}

function changeErrors(meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) errors.push(...newFinalizerErrors(meta.finalizers ?? [], old.finalizers ?? []));
  if (!meta.resourceVersion) {
    errors.push(invalid("metadata.resourceVersion", meta.resourceVersion ?? "", "must be specified for an update"));
  }
  const immutable = [
    "name",
    "namespace",
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
  ];
  for (const field of immutable as (keyof ObjectMeta)[]) {
    if (!equalJson(meta[field] ?? null, old[field] ?? null)) {
      errors.push(invalid(`metadata.${field}`, meta[field] ?? null, "field is immutable"));
    }
  }
  return errors;
}

function newFinalizerErrors(finalizers: readonly string[], old: readonly string[]): FieldError[] {
  const added = finalizers.filter((f) => !old.includes(f)).sort();
  if (added.length === 0) return [];
  const list = `[]string{${added.map((f) => JSON.stringify(f)).join(", ")}}`;
  return [
    forbidden(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
    ),
  ];
}
