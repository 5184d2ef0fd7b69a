import { describe, expect, it } from "vitest";
import type { Kind, KubeObject } from "#kinds";
import { controllerOf, controllerRef, isControlledBy, ownerRef, refersTo, sameOwner, withOwner } from "./owner.ts";

const Box: Kind = { group: "example.dev", version: "v1", kind: "Box", plural: "boxes", scope: "Namespaced" };
const box = (name: string, uid: string): KubeObject => ({
  apiVersion: "example.dev/v1",
  kind: "Box",
  metadata: { name, uid },
});

describe("owner references", () => {
  it("are built from what the server returned, and from nothing else", () => {
    expect(controllerRef(Box, box("a", "1"))).toEqual({
      apiVersion: "example.dev/v1",
      kind: "Box",
      name: "a",
      uid: "1",
      controller: true,
      blockOwnerDeletion: true,
    });
    const draft: KubeObject = { apiVersion: "example.dev/v1", kind: "Box", metadata: { name: "a" } };
    expect(() => ownerRef(Box, draft)).toThrow(/before the server has given it a uid/);
  });

  const reference = ownerRef(Box, box("a", "1"));
  it.each([
    ["itself", reference, true],
    ["another version of its API", { ...reference, apiVersion: "example.dev/v2" }, true],
    ["a later object of the same name", { ...reference, uid: "2" }, false],
    ["another kind", { ...reference, kind: "Crate" }, false],
    ["another group", { ...reference, apiVersion: "v1" }, false],
  ])("are the same owner as %s: %s", (_, other, same) => {
    expect(sameOwner(reference, other)).toBe(same);
  });

  it("make one owner the controller, and refuse a second", () => {
    const child = box("child", "9");
    const owned = withOwner(child, controllerRef(Box, box("a", "1")));
    expect(isControlledBy(owned, box("a", "1"))).toBe(true);
    expect(isControlledBy(owned, box("a", "other life"))).toBe(false);
    expect(controllerOf(child)).toBeUndefined();
    expect(() => withOwner(owned, controllerRef(Box, box("b", "2")))).toThrow(/already controlled by Box "a"/);
  });

  it("leave an object alone that has them, and raise a plain owner to controller in place", () => {
    const plain = withOwner(box("child", "9"), reference);
    expect(withOwner(plain, reference)).toBe(plain);
    const raised = withOwner(plain, controllerRef(Box, box("a", "1")));
    expect(raised.metadata.ownerReferences).toEqual([controllerRef(Box, box("a", "1"))]);
  });

  it("point at a kind by group and name", () => {
    expect(refersTo(reference, Box)).toBe(true);
    expect(refersTo(reference, { ...Box, group: "" })).toBe(false);
  });
});
