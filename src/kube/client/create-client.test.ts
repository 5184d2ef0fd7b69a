/** The requests the client makes, and what it makes of the answers. */
import { describe, expect, test } from "vitest";
import { ConfigMap, type Kind, type KubeObject } from "#kinds";
import type { Client } from "./client.ts";
import { ApiError, isConflict, isExpired, isNotFound } from "./errors.ts";
import { answer, full, NAME, object, ok, refuse, type Step, scripted } from "./scripted-transport.ts";

const get = (client: Client): Promise<unknown> => client.get(ConfigMap, NAME);

describe("answers that are none", () => {
  test.each<[string, Step, RegExp]>([
    [
      "an HTML page",
      answer(200, "<html>Log in</html>", { "content-type": "text/html" }),
      /HTTP 200 \(text\/html\) with "<html>Log in<\/html>", which is no Kubernetes answer; is a proxy/,
    ],
    [
      "an error page",
      answer(403, "<h1>no</h1>", { "content-type": "text/html" }),
      /get ConfigMap default\/a: HTTP 403/,
    ],
    ["an empty refusal", answer(401, ""), /HTTP 401 .* an empty body/],
    ["a number", answer(200, "5"), /no Kubernetes answer/],
    ["a redirect", answer(302, ""), /HTTP 302/],
  ])("%s is a clear ApiError", async (_, step, message) => {
    const { end, requests } = scripted(step);
    const failure = await end(get);
    expect(failure).toBeInstanceOf(ApiError);
    expect((failure as Error).message).toMatch(message);
    expect(requests).toHaveLength(1);
  });

  test("only the server's own word makes an object absent", async () => {
    const find = (client: Client): Promise<unknown> => client.find(ConfigMap, NAME);
    expect(await scripted(refuse(404, "NotFound")).end(find)).toBeUndefined();
    const page = await scripted(answer(404, "<html>not here</html>")).end(find);
    expect(page).toMatchObject({ reason: "NotKubernetes" });
    expect(isNotFound(page)).toBe(false);
    expect(await scripted(answer(404, "404 page not found\n")).end(find)).toMatchObject({ reason: "NotServed" });
    const unknownResource = { kind: "Status", reason: "NotFound", code: 404, details: {} };
    expect(await scripted(answer(404, unknownResource)).end(find)).toBeInstanceOf(ApiError);
    expect(isConflict(await scripted(answer(409, "proxy says no")).end(get))).toBe(false);
  });
});

describe("requests", () => {
  const Node: Kind<KubeObject> = { group: "", version: "v1", kind: "Node", plural: "nodes", scope: "Cluster" };
  const Lease: Kind<KubeObject> = {
    group: "coordination.k8s.io",
    version: "v1",
    kind: "Lease",
    plural: "leases",
    scope: "Namespaced",
  };

  test("go where the kind lives", async () => {
    const { client, requests } = scripted(ok);
    await client.get(Node, "n 1");
    await client.get(Lease, { namespace: "kube-system", name: "l" }, { resourceVersion: "0" });
    await client.list(Lease, { namespace: "x", labelSelector: "a in (b,c)", metadataOnly: true });
    await client.patch(
      Node,
      "n",
      { type: "merge", body: {} },
      { subresource: "status", dryRun: true, fieldManager: "m", fieldValidation: "Strict" },
    );
    await client.apply(ConfigMap, { metadata: NAME }, { fieldManager: "m", force: true });
    expect(requests.map(({ path }) => path)).toEqual([
      "/api/v1/nodes/n%201",
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/l?resourceVersion=0",
      "/apis/coordination.k8s.io/v1/namespaces/x/leases?labelSelector=a%20in%20(b%2Cc)&limit=500",
      "/api/v1/nodes/n/status?dryRun=All&fieldManager=m&fieldValidation=Strict",
      "/api/v1/namespaces/default/configmaps/a?fieldManager=m&force=true",
    ]);
    expect(requests.map(({ priority }) => priority)).toEqual(["normal", "lease", "lease", "status", "normal"]);
    expect(requests[2]?.headers?.accept).toMatch(
      /^application\/json;as=PartialObjectMetadataList;g=meta\.k8s\.io;v=v1/,
    );
    expect(requests[3]?.headers).toMatchObject({
      "content-type": "application/merge-patch+json",
      "user-agent": "metalwright/test",
    });
    expect(requests[4]?.headers?.["content-type"]).toBe("application/apply-patch+yaml");
  });

  test("that make no sense are refused before anything is asked", async () => {
    const { client, requests } = scripted(ok);
    await expect(client.get(ConfigMap, "a")).rejects.toThrow(/lives in a namespace, and none was given/);
    await expect(client.create(ConfigMap, { metadata: { name: "a" } })).rejects.toThrow(/names none/);
    await expect(client.delete(Node, "")).rejects.toThrow(/without a name/);
    await expect(client.patch(Node, "n", { type: "apply", body: {} })).rejects.toThrow(/fieldManager is required/);
    expect(requests).toEqual([]);
  });

  test("warnings reach whoever listens, objects say what they are", async () => {
    const { client, warnings } = scripted(answer(200, object, { warning: '299 - "old \\"field\\"", 299 - "two"' }));
    expect(await client.get(ConfigMap, NAME)).toEqual(full);
    expect(warnings).toEqual(['old "field"', "two"]);
  });

  test("raw answers text as text and JSON as JSON", async () => {
    expect(await scripted(answer(200, "ok", { "content-type": "text/plain" })).client.raw("GET", "/readyz")).toBe("ok");
    expect(await scripted(answer(200, { major: "1" })).client.raw("GET", "/version")).toEqual({ major: "1" });
    await expect(
      scripted(answer(500, "not yet", { "content-type": "text/plain" })).client.raw("GET", "/readyz"),
    ).rejects.toThrow(/not yet/);
  });
});

describe("lists", () => {
  const page = (names: readonly string[], more?: string): Step =>
    answer(200, {
      metadata: { resourceVersion: "9", continue: more },
      items: names.map((name) => ({ metadata: { name } })),
    });
  const expired = answer(410, { kind: "Status", code: 410, reason: "Expired", metadata: { continue: "later moment" } });
  const names = (list: unknown): unknown =>
    (list as { items: KubeObject[] }).items.map(({ metadata }) => metadata.name);

  test("put the pages together; a continue token goes without the moment it carries", async () => {
    const { client, requests } = scripted(page(["a"], "t 1"), page(["b"]));
    const list = await client.list(ConfigMap, { resourceVersion: "5", resourceVersionMatch: "Exact", pageSize: 1 });
    expect(list).toEqual({
      metadata: { resourceVersion: "9" },
      items: ["a", "b"].map((name) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } })),
    });
    expect(requests.map(({ path }) => path)).toEqual([
      "/api/v1/configmaps?limit=1&resourceVersion=5&resourceVersionMatch=Exact",
      "/api/v1/configmaps?limit=1&continue=t%201",
    ]);
  });

  test("whose moment expires in the middle are asked for whole, never continued at another moment", async () => {
    const { client, requests } = scripted(page(["a"], "t"), expired, page(["b", "c"]));
    expect(names(await client.list(ConfigMap))).toEqual(["b", "c"]);
    expect(requests[2]?.path).toBe("/api/v1/configmaps");
  });

  test("given out page by page end with Expired, and so does one whose first page is too old", async () => {
    const { client } = scripted(page(["a"], "t"), expired);
    const seen: unknown[] = [];
    const walk = async (): Promise<void> => {
      for await (const one of client.pages(ConfigMap)) seen.push(names(one));
    };
    expect(isExpired(await walk().catch((e: unknown) => e))).toBe(true);
    expect(seen).toEqual([["a"]]);
    expect(
      isExpired(
        await scripted(expired)
          .client.list(ConfigMap)
          .catch((e: unknown) => e),
      ),
    ).toBe(true);
  });
});
