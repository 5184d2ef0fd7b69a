import { describe, expect, expectTypeOf, it } from "vitest";
import { ageColumn, column, kind } from "./define-kind.ts";
import type { Kind, ObjectOf } from "./kind.ts";
import type { KubeObject, ObjectMeta } from "./object.ts";
import * as Type from "./type.ts";

const Widget = kind({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
  describe: "A widget.",
  spec: Type.object("s", { size: Type.optional(Type.integer("i")), mode: Type.word("m", ["A"]) }),
  status: Type.object("s", { ready: Type.boolean("r") }),
});

const Bag = kind({
  group: "example.com",
  version: "v1",
  kind: "Bag",
  plural: "bags",
  scope: "Cluster",
  describe: "A bag.",
  fields: { data: Type.optional(Type.map("d", Type.string("v"))) },
});

describe("kind", () => {
  it("is what the client needs, and its definition beside it", () => {
    expect(Widget).toMatchObject({
      group: "example.com",
      version: "v1",
      kind: "Widget",
      plural: "widgets",
      scope: "Namespaced",
      definition: { describe: "A widget." },
    });
    expect(Object.keys(Widget)).toEqual(["group", "version", "kind", "plural", "scope", "definition"]);
  });

  it("gives the type of its objects: spec there, status perhaps", () => {
    type Widget = ObjectOf<typeof Widget>;
    expectTypeOf<Widget["spec"]["size"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Widget["status"]>().toEqualTypeOf<{ ready: boolean } | undefined>();
    expectTypeOf<Widget["metadata"]>().toEqualTypeOf<ObjectMeta>();
    expectTypeOf<Widget>().toExtend<KubeObject>();
    expectTypeOf<typeof Widget>().toExtend<Kind<Widget>>();
  });

  it("without a spec has none in its type", () => {
    type Bag = ObjectOf<typeof Bag>;
    expectTypeOf<keyof Bag>().toEqualTypeOf<"apiVersion" | "kind" | "metadata" | "data">();
    expectTypeOf<Bag["data"]>().toEqualTypeOf<Record<string, string> | undefined>();
  });

  it("passes through generics as a client uses it", () => {
    const get = <T extends KubeObject>(_: Kind<T>): T | undefined => undefined;
    const found = get(Widget);
    expectTypeOf(found?.spec.mode).toExtend<string | undefined>();
  });
});

describe("column", () => {
  it("is a string shown always unless said otherwise", () => {
    expect(column("A", ".spec.a")).toEqual({ name: "A", path: ".spec.a", type: "string" });
    expect(column("B", ".b", { type: "integer", priority: 100 })).toEqual({
      name: "B",
      path: ".b",
      type: "integer",
      priority: 100,
    });
    expect(ageColumn).toEqual({ name: "Age", path: ".metadata.creationTimestamp", type: "date" });
  });
});
