import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinKinds, structOfKind } from "../builtins/builtin-kinds.ts";
import { decodeBuiltin, storedBuiltin } from "../builtins/go-decode.ts";
import { type LeafType, type StructFieldType, structType } from "../builtins/struct-types.ts";
import { DecodeError } from "../decode/decode-error.ts";
import type { Json, JsonObject } from "../json.ts";
import { encodeProtobuf } from "../testing/encode-protobuf.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";

const time = fc
  .date({ min: new Date("1980-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`);

const leaves: Partial<Record<LeafType, fc.Arbitrary<Json>>> = {
  string: fc.string({ unit: "grapheme", maxLength: 8 }),
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.maxSafeInteger(),
  bytes: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  time,
  micro: fc
    .tuple(time, fc.nat(999_999))
    .map(([whole, micros]) => `${whole.slice(0, 19)}.${String(micros).padStart(6, "0")}Z`),
  quantity: fc.constantFrom("1", "500m", "2Gi"),
  intorstring: fc.oneof(fc.integer(), fc.constantFrom("http", "50%")),
  fields: fc.constant({ "f:a": { ".": {} } }),
  strings: fc.array(fc.string({ maxLength: 4 }), { maxLength: 2 }),
};

const key = fc.stringMatching(/^[a-z]{1,4}$/);

function arbitraryOf(type: StructFieldType, depth: number): fc.Arbitrary<Json> | undefined {
  if (type.kind === "leaf") return leaves[type.leaf];
  if (type.kind === "struct") return depth > 3 ? undefined : structOf(type.struct, depth + 1);
  const inner = arbitraryOf(type.kind === "list" ? type.item : type.value, depth);
  if (inner === undefined) return undefined;
  return type.kind === "list"
    ? fc.array(inner, { maxLength: 2 })
    : (fc.dictionary(key, inner, { maxKeys: 2, noNullPrototype: true }) as fc.Arbitrary<Json>);
}

function structOf(name: string, depth: number): fc.Arbitrary<JsonObject> {
  const model: Record<string, fc.Arbitrary<Json>> = {};
  for (const [field, { type }] of structType(name).fields) {
    const value = arbitraryOf(type, depth);
    if (value !== undefined) model[field] = value;
  }
  return fc.record(model, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
}

const kinds = builtinKinds().filter(([, kind]) => kind !== "CustomResourceDefinition");

describe("decodeProtobuf", () => {
  it.each(kinds)("reads %s %s as its JSON would be", (apiVersion, kind) => {
    fc.assert(
      fc.property(structOf(structOfKind(apiVersion, kind) as string, 0), (content) => {
        const object = { ...content, apiVersion, kind };
        expect(decodeProtobuf(encodeProtobuf(object))).toEqual(
          storedBuiltin(decodeBuiltin(object, apiVersion, kind)?.value ?? {}, apiVersion, kind),
        );
      }),
      { numRuns: 40 },
    );
  });

  it("reads the options of a deletion", () => {
    const options = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
      propagationPolicy: "Foreground",
      preconditions: { uid: "u" },
    };
    expect(decodeProtobuf(encodeProtobuf(options))).toEqual(options);
  });

  it("takes the kind of the request where the envelope names none", () => {
    const bytes = encodeProtobuf({ apiVersion: "v1", kind: "ConfigMap", data: { a: "b" } });
    const [, start] = [bytes, 4 + 2 + (bytes[5] as number)];
    const anonymous = Uint8Array.from([...bytes.slice(0, 4), ...bytes.slice(start)]);
    expect(decodeProtobuf(anonymous, { apiVersion: "v1", kind: "ConfigMap" }).data).toEqual({ a: "b" });
    expect(() => decodeProtobuf(anonymous)).toThrow(DecodeError);
  });

  it.each([
    [
      "no magic",
      [1, 2, 3, 4],
      "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    ],
    ["a cut varint", [0x6b, 0x38, 0x73, 0, 0x80], "unexpected EOF"],
    ["an endless varint", [0x6b, 0x38, 0x73, 0, ...Array(11).fill(0xff)], "proto: integer overflow"],
    ["a length beyond the end", [0x6b, 0x38, 0x73, 0, 0x12, 0xff, 0xff, 0xff, 0x7f], "unexpected EOF"],
    ["a wire type nobody has", [0x6b, 0x38, 0x73, 0, 0x0e], "proto: illegal wireType 6"],
    ["field zero", [0x6b, 0x38, 0x73, 0, 0x02, 0], "proto: illegal tag 0 (wire type 2)"],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => decodeProtobuf(Uint8Array.from(bytes))).toThrow(new DecodeError(message));
  });

  it("ends in an object or a DecodeError, whatever is damaged", () => {
    const objects = fc
      .constantFrom(...kinds)
      .chain(([apiVersion, kind]) =>
        structOf(structOfKind(apiVersion, kind) as string, 0).map((content) =>
          encodeProtobuf({ ...content, apiVersion, kind }),
        ),
      );
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(objects, damage, fc.nat(), (bytes, changes, cut) => {
        const broken = Uint8Array.from(bytes);
        for (const [at, byte] of changes) broken[4 + (at % (broken.length - 4))] = byte;
        try {
          decodeProtobuf(broken.subarray(0, cut % 4 === 0 ? cut % broken.length : broken.length));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
