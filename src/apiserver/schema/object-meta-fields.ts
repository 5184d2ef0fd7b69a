/** The names of ObjectMeta's fields: what an embedded resource's metadata may hold. */

const fields: ReadonlySet<string> = new Set([
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
]);

/** Whether ObjectMeta has a field of this name. */
export function isObjectMetaField(name: string): boolean {
  return fields.has(name);
}
