/** Keeps managedFields from growing with every client that ever wrote. */
import { compareTimes, type Manager, type Managers, managerId } from "./managers.ts";

const MAX_UPDATERS = 10;
const BUCKET = "ancient-changes";

/** Merges the oldest updaters of each version into one entry until ten updaters are left. Appliers are not touched. */
export function capUpdateManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  if (updaters.length <= MAX_UPDATERS) return managers;
  updaters.sort(([aId, a], [bId, b]) => compareTimes(a, b) || (aId < bId ? -1 : 1));
  const capped: Managers = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [id, manager] of updaters) {
    if (count <= MAX_UPDATERS) break;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) firstOfVersion.set(manager.apiVersion, id);
    else {
      mergeIntoBucket(capped, first, [id, manager]);
      count--;
    }
  }
  return capped;
}

function mergeIntoBucket(managers: Managers, first: string, [id, manager]: readonly [string, Manager]): void {
  const identity = { manager: BUCKET, operation: "Update" as const, apiVersion: manager.apiVersion, subresource: "" };
  const bucketId = managerId(identity);
  const oldest = managers.get(bucketId) ?? managers.get(first);
  if (!managers.has(bucketId)) managers.delete(first);
  managers.delete(id);
  const set = oldest === undefined ? manager.set : oldest.set.union(manager.set);
  // The time of what was merged last, which is the most recent.
  managers.set(bucketId, { ...identity, time: manager.time, set });
}
