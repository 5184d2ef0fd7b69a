/** A kind that exists for tests only: a box with a size. */
import type { Kind, KubeObject, ObjectKey } from "#kinds";

export interface Box extends KubeObject {
  spec?: { size?: number; tags?: string[] };
  status?: { phase?: string };
}

export const Box: Kind<Box> = { group: "test.io", version: "v1", kind: "Box", plural: "boxes", scope: "Namespaced" };

/** Where the boxes of tests stand. */
export const at = (name: string): ObjectKey => ({ name, namespace: "ns" });

export const box = (name: string, size = 1, labels: Record<string, string> = {}) => ({
  metadata: { ...at(name), labels },
  spec: { size },
});

export const resize = (size: number) => ({ type: "merge", body: { spec: { size } } }) as const;
