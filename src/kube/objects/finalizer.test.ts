import { describe, expect, it } from "vitest";
import type { Kind, KubeObject } from "#kinds";
import { isConflict, isNotFound } from "../client/errors.ts";
import { MemoryApi } from "../testing/memory-api.ts";
import { addFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer, withFinalizer } from "./finalizer.ts";

const Box: Kind<KubeObject> = { group: "", version: "v1", kind: "Box", plural: "boxes", scope: "Cluster" };
const MINE = "example.dev/mine";

describe("finalizers", () => {
  it("hold an object until they are taken off", async () => {
    const api = new MemoryApi();
    const created = await api.create(Box, { metadata: { name: "a" } });
    await addFinalizer(api, [Box, created], MINE);
    await api.delete(Box, "a");
    const dying = await api.get(Box, "a");
    expect(isBeingDeleted(dying)).toBe(true);
    await removeFinalizer(api, [Box, dying], MINE);
    await expect(api.get(Box, "a")).rejects.toSatisfy(isNotFound);
  });

  it("send nothing when there is nothing to change", async () => {
    const api = new MemoryApi();
    const held = await addFinalizer(api, [Box, await api.create(Box, { metadata: { name: "a" } })], MINE);
    const before = api.requests.length;
    await addFinalizer(api, [Box, held], MINE);
    await removeFinalizer(api, [Box, held], "example.dev/other");
    expect(api.requests.length).toBe(before);
  });

  it.each([
    ["added", addFinalizer],
    ["removed", removeFinalizer],
  ] as const)("are %s by compare-and-swap: a finalizer of another writer is never lost", async (_, write) => {
    const api = new MemoryApi();
    const finalizers = write === removeFinalizer ? [MINE] : [];
    const stale = await api.create(Box, { metadata: { name: "a", finalizers } });
    await addFinalizer(api, [Box, stale], "example.dev/theirs");
    await expect(write(api, [Box, stale], MINE)).rejects.toSatisfy(isConflict);
    expect(hasFinalizer(await api.get(Box, "a"), "example.dev/theirs")).toBe(true);
  });

  it("are not added to what is being deleted", () => {
    const dying = { apiVersion: "v1", kind: "Box", metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(withFinalizer(dying, MINE)).toBe(dying);
  });
});
