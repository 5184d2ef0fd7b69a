import { BinaryReader } from "@bufbuild/protobuf/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installWidgets, startTestApi, type TestApi } from "../testing/test-api.ts";
import { encodeV2 } from "./openapi-v2.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await installWidgets(api);
});
afterAll(() => api.close());

/** The bytes of every length-delimited field with this number. */
function fields(bytes: Uint8Array, wanted: number): Uint8Array[] {
  const reader = new BinaryReader(bytes);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (field === wanted && wireType === 2) found.push(reader.bytes());
    else reader.skip(wireType);
  }
  return found;
}

const textOf = (bytes: Uint8Array, field: number): string =>
  fields(bytes, field)
    .map((b) => Buffer.from(b).toString())
    .join();

describe("OpenAPI v2", () => {
  it("defines built-ins and custom resources, and refers only to what it defines", async () => {
    const { body } = await api.send("GET", "/openapi/v2");
    expect(body.swagger).toBe("2.0");
    expect(body.definitions["com.example.v1.Widget"]).toMatchObject({
      properties: { spec: { properties: { size: { type: "integer", minimum: 1 } } } },
      "x-kubernetes-group-version-kind": [{ group: "example.com", version: "v1", kind: "Widget" }],
    });
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, name]) => name ?? "");
    expect(references.length).toBeGreaterThan(50);
    const missing = references.filter((r) => !(r.replace("definitions/", "") in body.definitions));
    expect(missing).toEqual([]);
  });

  it("leaves out what v2 cannot say, and lets open fields be anything", () => {
    const { json } = encodeV2({
      a: {
        type: "object",
        properties: {
          open: { type: "object", properties: { b: { type: "string" } }, "x-kubernetes-preserve-unknown-fields": true },
          either: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
          other: { description: "d", allOf: [{ $ref: "#/components/schemas/a" }] },
          maybe: { type: "string", nullable: true },
        },
      },
    });
    expect(JSON.parse(json).definitions.a.properties).toEqual({
      open: { "x-kubernetes-preserve-unknown-fields": true },
      either: { "x-kubernetes-int-or-string": true },
      other: { description: "d", $ref: "#/definitions/a" },
      maybe: { type: "string" },
    });
  });

  it("says the same in protobuf", () => {
    const { json, protobuf } = encodeV2({
      a: { type: "object", description: "d".repeat(300), required: ["b"], properties: { b: { $ref: "#/x" } } },
      c: { type: "array", items: { type: "string", enum: ["x"] }, "x-kind": [1] },
    });
    expect(Object.keys(JSON.parse(json).definitions)).toEqual(["a", "c"]);
    expect(textOf(protobuf, 1)).toBe("2.0");
    const [definitions = new Uint8Array()] = fields(protobuf, 9);
    const [a, c] = fields(definitions, 1).map((named) => ({
      name: textOf(named, 1),
      schema: fields(named, 2)[0] ?? new Uint8Array(),
    }));
    expect([a?.name, c?.name]).toEqual(["a", "c"]);
    const object = a?.schema ?? new Uint8Array();
    expect([textOf(object, 4), textOf(object, 19)]).toEqual(["d".repeat(300), "b"]);
    const [extension = new Uint8Array()] = fields(c?.schema ?? new Uint8Array(), 31);
    expect(textOf(extension, 1)).toBe("x-kind");
    expect(textOf(fields(extension, 2)[0] ?? new Uint8Array(), 2)).toBe("[1]");
  });

  it("is served in the form that is asked for", async () => {
    const accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    const binary = await api.send("GET", "/openapi/v2", undefined, { accept });
    expect(binary.headers["content-type"]).toBe("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    expect((await api.send("GET", "/openapi/v2")).headers["content-type"]).toBe("application/json");
  });
});
