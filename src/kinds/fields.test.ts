import { describe, expect, it } from "vitest";
import { kind } from "./define-kind.ts";
import { fieldsOf } from "./fields.ts";
import * as Type from "./type.ts";

const Widget = kind({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Cluster",
  describe: "A widget.",
  fields: { type: Type.optional(Type.string("t")) },
  spec: Type.object("s", {
    name: Type.string("n"),
    parts: Type.optional(Type.list("p", Type.object("o", { id: Type.string("i") }))),
    byName: Type.added(Type.map("m", Type.object("o", { size: Type.optional(Type.integer("z")) }))),
  }),
});

describe("fieldsOf", () => {
  it("lists every field a person may write, in order, but not what every object has", () => {
    expect(fieldsOf(Widget).map(({ path }) => path)).toEqual([
      "type",
      "spec",
      "spec.name",
      "spec.parts",
      "spec.parts[].id",
      "spec.byName",
      "spec.byName.*.size",
    ]);
  });

  it("knows what is required where it stands", () => {
    const required = fieldsOf(Widget).filter((field) => field.required);
    expect(required.map(({ path }) => path)).toEqual(["spec.name", "spec.parts[].id"]);
  });

  it("counts everything inside an addition as added", () => {
    const added = fieldsOf(Widget).filter((field) => field.added);
    expect(added.map(({ path }) => path)).toEqual(["spec.byName", "spec.byName.*.size"]);
  });
});
