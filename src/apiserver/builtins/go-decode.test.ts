import { describe, expect, it } from "vitest";
import { DecodeError } from "../decode/decode-error.ts";
import type { JsonObject } from "../json.ts";
import { builtinKinds, structOfKind } from "./builtin-kinds.ts";
import { decodeBuiltin, decodeObjectMeta, emptyBuiltin, storedBuiltin } from "./go-decode.ts";
import { type StructFieldType, structType } from "./struct-types.ts";

const decode = (object: JsonObject): JsonObject =>
  decodeBuiltin(object, object.apiVersion as string, object.kind as string)?.value ?? {};

describe("decodeBuiltin", () => {
  it.each([
    [
      "drops empty optional fields",
      { apiVersion: "v1", kind: "ConfigMap", metadata: { labels: {}, name: "" }, data: {}, immutable: null },
      { apiVersion: "v1", kind: "ConfigMap", metadata: {} },
    ],
    [
      "keeps pointers to zero",
      { apiVersion: "v1", kind: "ConfigMap", immutable: false },
      { apiVersion: "v1", kind: "ConfigMap", metadata: {}, immutable: false },
    ],
    [
      "writes structs and required fields out",
      { apiVersion: "v1", kind: "Service", spec: { ports: [{ port: 80 }] } },
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: {},
        spec: { ports: [{ port: 80, targetPort: 0 }] },
        status: { loadBalancer: {} },
      },
    ],
    [
      "reads null as zero",
      { apiVersion: "v1", kind: "Secret", data: { a: null }, stringData: { b: null } },
      { apiVersion: "v1", kind: "Secret", metadata: {}, data: { a: null }, stringData: { b: "" } },
    ],
    [
      "writes times in UTC, whole seconds and microseconds",
      {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { creationTimestamp: "2026-01-02T05:04:05.9+02:00" },
        spec: { renewTime: "2026-01-02T03:04:05.1234567Z" },
      },
      {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: { creationTimestamp: "2026-01-02T03:04:05Z" },
        spec: { renewTime: "2026-01-02T03:04:05.123456Z" },
      },
    ],
    [
      "reads schemas inside schemas",
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        spec: {
          group: "g",
          names: { plural: "p", kind: "K" },
          scope: "Cluster",
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: "object",
                  title: "",
                  properties: { a: { items: { type: "string", format: "" } } },
                  additionalProperties: false,
                },
              },
            },
          ],
        },
      },
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: {},
        spec: {
          group: "g",
          names: { plural: "p", kind: "K" },
          scope: "Cluster",
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: "object",
                  properties: { a: { items: { type: "string" } } },
                  additionalProperties: false,
                },
              },
            },
          ],
        },
        status: { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: null },
      },
    ],
  ] as [string, JsonObject, JsonObject][])("%s", (_, given, expected) => {
    expect(decode(given)).toEqual(expected);
    expect(decode(decode(given))).toEqual(expected);
  });

  it("names unknown fields with their place, and drops them", () => {
    const { value, strictErrors } = decodeBuiltin(
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { nme: "x" },
        spec: { ports: [{ port: 1 }, { port: 2, prt: 3 }] },
        zz: 1,
      },
      "v1",
      "Service",
    ) ?? { value: {}, strictErrors: [] };
    expect(strictErrors).toEqual([
      'unknown field "metadata.nme"',
      'unknown field "spec.ports[1].prt"',
      'unknown field "zz"',
    ]);
    expect(JSON.stringify(value)).not.toMatch(/nme|prt|zz/);
  });

  it("refuses wrong types in Go's words", () => {
    expect(() => decode({ apiVersion: "v1", kind: "ConfigMap", metadata: { labels: { a: 1 } } })).toThrow(
      new DecodeError("json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"),
    );
    expect(() => decodeObjectMeta("x")).toThrow(DecodeError);
  });

  it("knows nothing of custom kinds", () => {
    expect(decodeBuiltin({}, "example.com/v1", "Widget")).toBeUndefined();
    expect(emptyBuiltin("v1", "constructor")).toBeUndefined();
  });
});

describe("storedBuiltin", () => {
  it("forgets the difference between none and empty, except for definitions", () => {
    expect(
      storedBuiltin(
        { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", rules: [] },
        "rbac.authorization.k8s.io/v1",
        "Role",
      ).rules,
    ).toBeNull();
    const definition = { spec: { versions: [] } };
    expect(storedBuiltin(definition, "apiextensions.k8s.io/v1", "CustomResourceDefinition")).toBe(definition);
  });
});

describe("the type tables", () => {
  const visited = new Set<string>();

  function visit(type: StructFieldType): void {
    if (type.kind === "list") visit(type.item);
    else if (type.kind === "map") visit(type.value);
    else if (type.kind === "struct" && !visited.has(type.struct)) {
      visited.add(type.struct);
      const numbers = new Set<string>();
      for (const field of structType(type.struct).fields.values()) {
        expect(numbers.has(field.numbers.join("."))).toBe(false);
        numbers.add(field.numbers.join("."));
        visit(field.type);
      }
    }
  }

  it("resolve every type they name, and number fields once", () => {
    for (const [apiVersion, kind] of builtinKinds()) {
      visit({ kind: "struct", struct: structOfKind(apiVersion, kind) as string, pointer: false });
      expect(emptyBuiltin(apiVersion, kind)).toMatchObject({ apiVersion, kind });
    }
    expect(visited.size).toBeGreaterThan(100);
  });
});
