import { describe, expect, it } from "vitest";
import { applyDefaults, copyJson } from "./defaults.ts";
import type { JsonSchema } from "./json-schema.ts";
import { compileNode, type JsonObject } from "./schema-node.ts";

const schema: JsonSchema = {
  type: "object",
  properties: {
    a: { type: "string", default: "x" },
    o: { type: "object", properties: { n: { type: "integer", default: 3 } } },
    d: { type: "object", default: {}, properties: { n: { type: "integer", default: 3 } } },
    l: { type: "array", items: { type: "object", properties: { p: { type: "string", default: "TCP" } } } },
    m: {
      type: "object",
      additionalProperties: { type: "object", properties: { p: { type: "string", default: "TCP" } } },
    },
    n: { type: "string", nullable: true, default: "y" },
    z: { type: "string" },
  },
};

const always = { a: "x", d: { n: 3 }, n: "y" };

function defaulted(object: JsonObject): JsonObject {
  applyDefaults(object, compileNode(schema));
  return object;
}

describe("defaults", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["fill in what is missing, also inside defaults", {}, always],
    ["leave what is there", { a: "", d: { n: 0 }, n: "z" }, { a: "", d: { n: 0 }, n: "z" }],
    ["reach objects that are there, and create none", { o: {} }, { ...always, o: { n: 3 } }],
    ["reach items of lists", { l: [{}, { p: "UDP" }, null] }, { ...always, l: [{ p: "TCP" }, { p: "UDP" }, null] }],
    ["reach values of maps", { m: { k: {} } }, { ...always, m: { k: { p: "TCP" } } }],
    ["replace null where null is no value", { a: null }, always],
    ["keep null where null is a value", { n: null }, { ...always, n: null }],
    ["drop null where there is nothing to put instead", { z: null, o: null }, always],
  ])("%s", (_, object, expected) => {
    expect(defaulted(object)).toEqual(expected);
  });

  it("are copied, so that objects never share them", () => {
    const node = compileNode({ type: "object", properties: { d: { type: "object", default: { list: [1] } } } });
    const [one, two]: [JsonObject, JsonObject] = [{}, {}];
    applyDefaults(one, node);
    applyDefaults(two, node);
    (one.d as { list: number[] }).list.push(2);
    expect(two.d).toEqual({ list: [1] });
  });

  it("copies names that are special to JavaScript as data", () => {
    const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as JsonObject;
    const copy = copyJson(data);
    expect(Object.keys(copy)).toEqual(["__proto__", "constructor"]);
    expect(({} as { a?: number }).a).toBeUndefined();
  });
});
