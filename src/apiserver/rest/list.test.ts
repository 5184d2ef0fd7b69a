import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

let api: TestApi;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const NAMES = ["a", "b", "c", "d", "e"];
const namesIn = (body: { items: { metadata: { name: string } }[] }): string[] => body.items.map((i) => i.metadata.name);

beforeEach(async () => {
  api = await startTestApi();
  for (const name of NAMES) {
    await api.send("POST", CONFIG_MAPS, {
      metadata: { name, labels: { odd: `${NAMES.indexOf(name) % 2 === 1}` } },
      data: { n: name },
    });
  }
});
afterEach(() => api.close());

describe("lists", () => {
  it("pages at one revision, whatever is written meanwhile", async () => {
    const first = await api.send("GET", `${CONFIG_MAPS}?limit=2`);
    expect(namesIn(first.body)).toEqual(["a", "b"]);
    expect(first.body.metadata.remainingItemCount).toBe(3);
    await api.send("DELETE", `${CONFIG_MAPS}/c`);
    await api.send("POST", CONFIG_MAPS, { metadata: { name: "bb" } });
    await api.send("PATCH", `${CONFIG_MAPS}/d`, { data: { n: "changed" } }, { type: "application/merge-patch+json" });
    const second = await api.send("GET", `${CONFIG_MAPS}?limit=10&continue=${first.body.metadata.continue}`);
    expect(namesIn(second.body)).toEqual(["c", "d", "e"]);
    expect(second.body.items[1].data).toEqual({ n: "d" });
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    expect(second.body.metadata.continue).toBeUndefined();
  });

  it("selects by labels and by name", async () => {
    expect(namesIn((await api.send("GET", `${CONFIG_MAPS}?labelSelector=odd%3Dtrue`)).body)).toEqual(["b", "d"]);
    expect(namesIn((await api.send("GET", `${CONFIG_MAPS}?fieldSelector=metadata.name%3Dc`)).body)).toEqual(["c"]);
    const paged = await api.send("GET", `${CONFIG_MAPS}?labelSelector=odd%3Dfalse&limit=2`);
    expect(paged.body.metadata.remainingItemCount).toBeUndefined();
    const rest = await api.send(
      "GET",
      `${CONFIG_MAPS}?labelSelector=odd%3Dfalse&continue=${paged.body.metadata.continue}`,
    );
    expect([...namesIn(paged.body), ...namesIn(rest.body)]).toEqual(["a", "c", "e"]);
  });

  it("shows an exact past revision", async () => {
    const { body } = await api.send("GET", CONFIG_MAPS);
    await api.send("DELETE", `${CONFIG_MAPS}/a`);
    const past = await api.send(
      "GET",
      `${CONFIG_MAPS}?resourceVersion=${body.metadata.resourceVersion}&resourceVersionMatch=Exact`,
    );
    expect(namesIn(past.body)).toEqual(NAMES);
  });

  it("lists built-ins without their kind, as upstream does", async () => {
    const { body } = await api.send("GET", CONFIG_MAPS);
    expect(body).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
    expect(Object.keys(body.items[0])).toEqual(["metadata", "data"]);
  });

  it("shows tables and metadata only", async () => {
    const table = await api.send("GET", `${CONFIG_MAPS}?limit=1`, undefined, {
      accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
    });
    expect(table.body.columnDefinitions.map((c: { name: string }) => c.name)).toEqual(["Name", "Data", "Age"]);
    expect(table.body.rows[0]).toMatchObject({ cells: ["a", 1, "0s"], object: { kind: "PartialObjectMetadata" } });
    const metadata = await api.send("GET", CONFIG_MAPS, undefined, {
      accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    });
    expect(metadata.body.kind).toBe("PartialObjectMetadataList");
    expect(metadata.body.items[0].data).toBeUndefined();
    const yaml = await api.send("GET", `${CONFIG_MAPS}/a`, undefined, { accept: "application/yaml" });
    expect(yaml.body).toContain("kind: ConfigMap");
  });

  it.each([
    [
      "resourceVersion=x",
      400,
      'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      "resourceVersionMatch=Exact",
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      "resourceVersion=1&resourceVersionMatch=Foo",
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      "resourceVersion=0&resourceVersionMatch=Exact",
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    ["limit=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ["labelSelector=a%20b", 400, "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["fieldSelector=a", 400, "invalid selector: 'a'; can't understand 'a'"],
    ["fieldSelector=a%3Db", 400, '"a" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    [
      "sendInitialEvents=true",
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    [
      "watch=1&sendInitialEvents=true",
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    ["resourceVersion=99999", 504, expect.stringMatching(/^Timeout: Too large resource version: 99999, current: \d+$/)],
  ])("refuses %s with upstream's words", async (query, status, message) => {
    expect(await api.send("GET", `${CONFIG_MAPS}?${query}`)).toMatchObject({ status, body: { message } });
  });

  it.each(["zork", "e30", "bnVsbA", "", "a.b", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi8ifQ"])(
    "survives the continue token %j",
    async (token) => {
      const { status } = await api.send("GET", `${CONFIG_MAPS}?limit=1&continue=${encodeURIComponent(token)}`);
      expect([200, 400]).toContain(status);
    },
  );
});
