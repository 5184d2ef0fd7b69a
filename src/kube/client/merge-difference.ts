/** The smallest merge patch (RFC 7396) that leads from one state of an object to another. Pure. */

type Tree = Readonly<Record<string, unknown>>;

/** Of `metadata`, what only the server writes: differences in it are not ours to send. */
const SERVER_OWNED = new Set([
  "resourceVersion",
  "managedFields",
  "uid",
  "creationTimestamp",
  "generation",
  "selfLink",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
]);

/**
 * Undefined when nothing differs. Removed keys are null, lists are replaced whole.
 * A value that is undefined or null counts as absent: a merge patch can say nothing else.
 */
export function mergeDifference(before: unknown, after: unknown): Tree | undefined {
  return difference(asTree(before), asTree(after));
}

/** The same for whole Kubernetes objects: identity and server-owned metadata never differ. */
export function objectDifference(before: object, after: object, part?: "status"): Tree | undefined {
  return mergeDifference(comparable(before as Tree, part), comparable(after as Tree, part));
}

function comparable(object: Tree, part: "status" | undefined): Tree {
  if (part) return { [part]: object[part] };
  const { apiVersion: _, kind: __, metadata, ...rest } = object;
  const ours = Object.entries(asTree(metadata)).filter(([name]) => !SERVER_OWNED.has(name));
  return { ...rest, metadata: Object.fromEntries(ours) };
}

function difference(before: Tree, after: Tree): Tree | undefined {
  const removed = Object.keys(before)
    .filter((key) => isPresent(own(before, key)) && !isPresent(own(after, key)))
    .map((key) => [key, null] as const);
  const changed = Object.keys(after)
    .map((key) => [key, changeOf(own(before, key), own(after, key))] as const)
    .filter(([, change]) => change !== undefined);
  // fromEntries defines properties, so a key called "__proto__" stays a key.
  return removed.length + changed.length === 0 ? undefined : Object.fromEntries([...removed, ...changed]);
}

function changeOf(before: unknown, after: unknown): unknown {
  if (!isPresent(after) || isSame(before, after)) return undefined;
  if (!isTree(after)) return after;
  if (isTree(before)) return difference(before, after);
  return withoutAbsent(after);
}

/** An added subtree: nulls in it would mean removal. */
function withoutAbsent(tree: Tree): Tree {
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([, value]) => isPresent(value))
      .map(([key, value]) => [key, isTree(value) ? withoutAbsent(value) : value]),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  if (!isTree(a) || !isTree(b)) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => {
    const [left, right] = [own(a, key), own(b, key)];
    return isPresent(left) === isPresent(right) && (!isPresent(left) || isSame(left, right));
  });
}

function own(tree: Tree, key: string): unknown {
  return Object.hasOwn(tree, key) ? tree[key] : undefined;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asTree(value: unknown): Tree {
  return isTree(value) ? value : {};
}
