/** What can be known about the example manifests without an API server. */
import { describe, expect, it } from "vitest";
import { allKinds } from "#api";
import { apiVersionOf } from "#kinds";
import { goodManifests, invalidManifests } from "./manifests.ts";

const key = ({ apiVersion, kind }: { apiVersion: string; kind: string }) => `${apiVersion} ${kind}`;
const keyOfKind = (kind: (typeof allKinds)[number]) => key({ apiVersion: apiVersionOf(kind), kind: kind.kind });

describe("example manifests", () => {
  it("show every kind", () => {
    const shown = new Set(goodManifests().flatMap(({ objects }) => objects.map(key)));
    expect(allKinds.map(keyOfKind).filter((kind) => !shown.has(kind))).toEqual([]);
  });

  it("each begin with a comment for the reader", () => {
    expect(goodManifests().filter(({ text }) => !text.startsWith("# "))).toEqual([]);
  });

  it("make the namespace before anything in it", () => {
    expect(goodManifests()[0]?.objects[0]).toMatchObject({ kind: "Namespace", metadata: { name: "metal-examples" } });
  });
});

describe("invalid manifests", () => {
  it("are refused for at least one reason per kind", () => {
    const refused = new Set(invalidManifests().flatMap(({ objects }) => objects.map(key)));
    const kinds = allKinds.filter(({ kind }) => kind !== "Endpoint"); // An Endpoint accepts every text.
    expect(kinds.map(keyOfKind).filter((kind) => !refused.has(kind))).toEqual([]);
  });

  it("say what to expect first, and hold one object or an object and its refused change", () => {
    for (const { file, text, objects } of invalidManifests()) {
      expect(text.startsWith("# expect: "), file).toBe(true);
      expect([1, 2], file).toContain(objects.length);
      expect(new Set(objects.map((object) => object.metadata.name)).size, file).toBe(1);
    }
  });
});
