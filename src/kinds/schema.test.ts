import { Type as TypeBox } from "typebox";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { Schema, SchemaNode } from "./schema.ts";
import * as Type from "./type.ts";

type TypeOf<S> = S extends Schema<infer T> ? T : never;

/** Without the keys that are for us alone. */
const plain = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key.startsWith("~") ? undefined : value)));

describe("schema constructors", () => {
  it.each<[string, SchemaNode, object]>([
    ["string", Type.string("d", { maxLength: 3 }), TypeBox.String({ description: "d", maxLength: 3 })],
    ["boolean", Type.boolean("d"), TypeBox.Boolean({ description: "d" })],
    ["integer", Type.integer("d"), TypeBox.Integer({ description: "d", format: "int32" })],
    [
      "list",
      Type.list("d", Type.boolean("e")),
      TypeBox.Array(TypeBox.Boolean({ description: "e" }), { description: "d" }),
    ],
    [
      "object with required and optional fields",
      Type.object("d", { a: Type.string("a"), b: Type.optional(Type.string("b")) }),
      TypeBox.Object(
        { a: TypeBox.String({ description: "a" }), b: TypeBox.Optional(TypeBox.String({ description: "b" })) },
        { description: "d" },
      ),
    ],
    [
      "object without a required field",
      Type.object("d", { b: Type.optional(Type.string("b")) }),
      TypeBox.Object({ b: TypeBox.Optional(TypeBox.String({ description: "b" })) }, { description: "d" }),
    ],
  ])("give what TypeBox itself gives for a %s", (_, ours, theirs) => {
    expect(plain(ours)).toEqual(plain(theirs));
  });

  it("enforce a choice and only document a word", () => {
    expect(Type.choice("d", ["A", "B"])).toMatchObject({ enum: ["A", "B"] });
    expect(plain(Type.word("d", ["A", "B"], { added: ["B"] }))).toEqual({ description: "d", type: "string" });
    expect(Type.word("d", ["A", "B"], { added: ["B"] })).toMatchObject({
      "~values": ["A", "B"],
      "~addedValues": ["B"],
    });
  });

  it("leave the schema they wrap as it was", () => {
    const field = Type.string("d");
    Type.immutable(Type.added(field), "m");
    expect(field).toEqual({ description: "d", type: "string" });
  });

  it("merge lists by key when told so", () => {
    const item = Type.object("i", { name: Type.string("n") });
    expect(Type.listMap("d", item, ["name"], { maxItems: 3 })).toMatchObject({
      maxItems: 3,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    });
  });
});

describe("types of schemas", () => {
  it("are those of the values", () => {
    const schema = Type.object("d", {
      name: Type.string("n"),
      count: Type.optional(Type.integer("c")),
      ours: Type.added(Type.boolean("o")),
      labels: Type.map("l", Type.string("v")),
      refs: Type.list("r", Type.localObjectReference("ref")),
      memory: Type.quantity("m"),
    });
    expectTypeOf<TypeOf<typeof schema>>().toEqualTypeOf<{
      name: string;
      count?: number;
      ours?: boolean;
      labels: Record<string, string>;
      refs: { name: string }[];
      memory: string | number;
    }>();
  });

  it("of words and choices know their values and let others through", () => {
    const state = Type.word("s", ["On", "Off"]);
    const policy = Type.choice("p", ["On", "Off"]);
    expectTypeOf<TypeOf<typeof state>>().toEqualTypeOf<TypeOf<typeof policy>>();
    expectTypeOf<"On">().toExtend<TypeOf<typeof state>>();
    expectTypeOf<string>().toExtend<TypeOf<typeof state>>();
    expectTypeOf<number>().not.toExtend<TypeOf<typeof state>>();
  });

  it("refuse an added value that is not among the values, and a list key that is no field", () => {
    // @ts-expect-error C is not a value
    Type.word("s", ["A", "B"], { added: ["C"] });
    // @ts-expect-error id is not a field
    Type.listMap("l", Type.object("o", { name: Type.string("n") }), ["id"]);
  });
});
