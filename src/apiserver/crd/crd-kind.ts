/** CustomResourceDefinition itself: a built-in kind that defines others. */
import { type KubeObject, wireTime } from "#kinds";
import { builtIn } from "../builtins/define.ts";
import type { FieldError } from "../field-error.ts";
import type { Resource, Strategy, WriteContext } from "../rest/resource.ts";
import { checkCustomResourceDefinition, equalJson } from "../schema/index.ts";
import { CLEANUP_FINALIZER, type CustomResourceDefinition, storageVersion } from "./definition.ts";

const GROUP = "apiextensions.k8s.io";

function asCrd(object: KubeObject): CustomResourceDefinition {
  return object as CustomResourceDefinition;
}

function applyDefaults(object: KubeObject): void {
  const { spec } = asCrd(object);
  if (!spec) return;
  const { names } = spec;
  if (names?.kind) {
    names.singular ||= names.kind.toLowerCase();
    names.listKind ||= `${names.kind}List`;
  }
  spec.conversion ??= { strategy: "None" };
}

function prepareForCreate(object: KubeObject): void {
  const crd = asCrd(object);
  crd.metadata.generation = 1;
  const stored = crd.spec ? storageVersion(crd)?.name : undefined;
  crd.status = { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: stored ? [stored] : null };
}

function prepareForUpdate(object: KubeObject, old: KubeObject): void {
  const [crd, before] = [asCrd(object), asCrd(old)];
  if (!equalJson(crd.spec, before.spec)) crd.metadata.generation = (old.metadata.generation ?? 0) + 1;
  const stored = crd.spec ? storageVersion(crd)?.name : undefined;
  const versions = crd.status?.storedVersions ?? [];
  if (stored && crd.status && !versions.includes(stored)) {
    crd.status = { ...crd.status, storedVersions: [...versions, stored] };
  }
}

function markDeleted(object: KubeObject, now: Date): void {
  const crd = asCrd(object);
  const finalizers = crd.metadata.finalizers ?? [];
  if (!finalizers.includes(CLEANUP_FINALIZER)) crd.metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
  const terminating = {
    type: "Terminating",
    status: "True",
    lastTransitionTime: wireTime(now),
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  } as const;
  crd.status = { ...crd.status, conditions: [...(crd.status?.conditions ?? []), terminating] };
}

function validate(object: KubeObject, old: KubeObject | undefined, { subresource }: WriteContext): FieldError[] {
  // A status write changes nothing that was not judged before.
  if (subresource === "status") return [];
  return checkCustomResourceDefinition(asCrd(object) as Checked, old && (asCrd(old) as Checked));
}

type Checked = Parameters<typeof checkCustomResourceDefinition>[0];

const strategy: Partial<Strategy> = {
  applyDefaults,
  prepareForCreate,
  prepareForUpdate,
  validate,
  isHeld: (object) => !object.metadata.deletionTimestamp || (object.metadata.finalizers ?? []).length > 0,
  markDeleted,
  overwritesUnconditionally: false,
};

export const customResourceDefinitions: Resource = builtIn({
  group: GROUP,
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  cluster: true,
  status: true,
  strategy,
});
