/** The client against a real API server: what it promises about refusals, paging and watches is what the real one does. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock, systemRandom } from "#clock";
import { ConfigMap, type Kind, type KubeObject, Namespace } from "#kinds";
import { loadConfig } from "../config/load-config.ts";
import { connect } from "../transport/connect.ts";
import type { Transport } from "../transport/transport.ts";
import type { Client, WatchEvent } from "./client.ts";
import { createClient } from "./create-client.ts";
import { ApiError, isAlreadyExists, isConflict, isInvalid, isNotFound } from "./errors.ts";

const namespace = `client-${process.pid}-${systemClock.now().getTime()}`;
const at = (name: string) => ({ namespace, name });

let transport: Transport;
let client: Client;
const warnings: string[] = [];

beforeAll(async () => {
  transport = connect(await loadConfig({ env: process.env }), { clock: systemClock, random: systemRandom });
  client = createClient(transport, {
    clock: systemClock,
    random: systemRandom,
    userAgent: "metalwright-test",
    onWarning: (warning) => warnings.push(warning),
  });
  await client.create(Namespace, { metadata: { name: namespace } });
});
afterAll(async () => {
  await client.delete(Namespace, namespace);
  await transport.close();
});

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "it succeeded",
    (error: unknown) => error,
  );

test("create, read, change, delete", async () => {
  const created = await client.create(ConfigMap, { metadata: at("a"), data: { text: "x\u2028y ü 😀" } });
  expect(created).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { text: "x\u2028y ü 😀" } });
  expect(isAlreadyExists(await failure(client.create(ConfigMap, { metadata: at("a") })))).toBe(true);
  const updated = await client.update(ConfigMap, { ...created, data: { text: "2" } });
  const patched = await client.patchDifference(ConfigMap, updated, { ...updated, data: { other: "3" } });
  expect(patched.data).toEqual({ other: "3" });
  expect(await client.get(ConfigMap, at("a"))).toEqual(patched);
  await client.delete(ConfigMap, at("a"));
  expect(await client.find(ConfigMap, at("a"))).toBeUndefined();
  expect(isNotFound(await failure(client.get(ConfigMap, at("a"))))).toBe(true);
});

test("a kind that is not installed is not an absent object", async () => {
  const Ghost: Kind<KubeObject> = {
    group: "ghosts.example",
    version: "v1",
    kind: "Ghost",
    plural: "ghosts",
    scope: "Cluster",
  };
  expect(await failure(client.find(Ghost, "casper"))).toMatchObject({ reason: "NotServed" });
  const Wrong: Kind<KubeObject> = { ...Namespace, kind: "Nothing", plural: "nothings" };
  expect(await failure(client.find(Wrong, "x"))).toBeInstanceOf(ApiError);
});

test("a state that was overtaken cannot be written", async () => {
  const old = await client.create(ConfigMap, { metadata: at("conflict"), data: { n: "1" } });
  await client.patch(ConfigMap, at("conflict"), { type: "merge", body: { data: { n: "2" } } });
  expect(isConflict(await failure(client.update(ConfigMap, { ...old, data: { n: "9" } })))).toBe(true);
  expect(isConflict(await failure(client.patchDifference(ConfigMap, old, { ...old, data: { n: "9" } })))).toBe(true);
  const tested = client.patch(ConfigMap, at("conflict"), {
    type: "json",
    operations: [
      { op: "test", path: "/metadata/resourceVersion", value: old.metadata.resourceVersion },
      { op: "replace", path: "/data/n", value: "9" },
    ],
  });
  expect(isInvalid(await failure(tested))).toBe(true);
  expect((await client.get(ConfigMap, at("conflict"))).data).toEqual({ n: "2" });
});

test("a dry run changes nothing; strict validation names the field; lenient validation warns", async () => {
  await client.create(ConfigMap, { metadata: at("dry") }, { dryRun: true });
  expect(await client.find(ConfigMap, at("dry"))).toBeUndefined();
  const odd = { metadata: at("dry"), dta: {} } as unknown as ConfigMap;
  const strict = await failure(client.create(ConfigMap, odd, { fieldValidation: "Strict" }));
  expect(strict).toMatchObject({ code: 400, message: expect.stringContaining('unknown field "dta"') });
  await client.create(ConfigMap, odd, { dryRun: true, fieldValidation: "Warn" });
  expect(warnings.join()).toContain('unknown field "dta"');
});

test("server-side apply: owners conflict, force takes over, odd characters survive", async () => {
  const text = "nel\u0085 ls\u2028 ps\u2029 bom\ufeff del\u007f";
  await client.apply(ConfigMap, { metadata: at("applied"), data: { text } }, { fieldManager: "one" });
  expect((await client.get(ConfigMap, at("applied"))).data).toEqual({ text });
  const mine = { metadata: at("applied"), data: { text: "two" } };
  expect(isConflict(await failure(client.apply(ConfigMap, mine, { fieldManager: "two" })))).toBe(true);
  const forced = await client.apply(ConfigMap, mine, { fieldManager: "two", force: true });
  expect(forced.data).toEqual({ text: "two" });
});

test("delete with preconditions", async () => {
  const { metadata } = await client.create(ConfigMap, { metadata: at("doomed") });
  const uid = metadata.uid as string;
  const resourceVersion = metadata.resourceVersion as string;
  const stranger = client.delete(ConfigMap, at("doomed"), { preconditions: { uid: "another" } });
  expect(isConflict(await failure(stranger))).toBe(true);
  await client.patch(ConfigMap, at("doomed"), { type: "merge", body: { data: { a: "1" } } });
  const stale = client.delete(ConfigMap, at("doomed"), { preconditions: { uid, resourceVersion } });
  expect(isConflict(await failure(stale))).toBe(true);
  await client.delete(ConfigMap, at("doomed"), {
    preconditions: { uid },
    propagation: "Background",
    gracePeriodSeconds: 0,
  });
  expect(await client.find(ConfigMap, at("doomed"))).toBeUndefined();
});

test("pages over 1,200 objects show one moment, whole or as bare metadata", async () => {
  const labels = { set: "paged" };
  const names = Array.from({ length: 1200 }, (_, n) => `p-${String(n).padStart(4, "0")}`);
  await Promise.all(
    names.map((name) => client.create(ConfigMap, { metadata: { ...at(name), labels }, data: { name } })),
  );
  const options = { namespace, labelSelector: "set=paged", pageSize: 500 };
  const sizes: number[] = [];
  const versions = new Set<string | undefined>();
  for await (const page of client.pages(ConfigMap, options)) {
    sizes.push(page.items.length);
    versions.add(page.metadata.resourceVersion);
    // What is created between pages must not appear in a later one.
    await client.create(ConfigMap, { metadata: { ...at(`p-late-${sizes.length}`), labels } });
  }
  expect(sizes).toEqual([500, 500, 200]);
  expect(versions.size).toBe(1);
  const bare = await client.list(ConfigMap, { ...options, metadataOnly: true });
  expect(bare.items.map(({ metadata }) => metadata.name)).toEqual([...names, "p-late-1", "p-late-2", "p-late-3"]);
  expect(bare.items[0]).toMatchObject({ apiVersion: "v1", kind: "ConfigMap" });
  expect(bare.items[0]?.data).toBeUndefined();
});

test("watch: the initial state, its bookmark, then changes", async () => {
  await client.create(ConfigMap, { metadata: { ...at("w"), labels: { set: "watched" } } });
  const controller = new AbortController();
  const seen: string[] = [];
  const describe = (event: WatchEvent<ConfigMap>): string =>
    event.type === "BOOKMARK"
      ? `BOOKMARK ${event.initialEventsEnd}`
      : `${event.type} ${event.object.kind} ${event.object.metadata.name}`;
  const options = {
    namespace,
    labelSelector: "set=watched",
    sendInitialEvents: true,
    metadataOnly: true,
    signal: controller.signal,
  };
  const end = await failure(
    (async () => {
      for await (const event of client.watch(ConfigMap, options)) {
        // The server may send further bookmarks whenever it likes.
        if (event.type === "BOOKMARK" && !event.initialEventsEnd) continue;
        seen.push(describe(event));
        if (event.type === "BOOKMARK")
          await client.patch(ConfigMap, at("w"), { type: "merge", body: { data: { a: "1" } } });
        if (event.type === "MODIFIED") await client.delete(ConfigMap, at("w"));
        if (event.type === "DELETED") controller.abort("seen enough");
      }
    })(),
  );
  expect(end).toBe("seen enough");
  expect(seen).toEqual(["ADDED ConfigMap w", "BOOKMARK true", "MODIFIED ConfigMap w", "DELETED ConfigMap w"]);
});

test("health and version without a kind", async () => {
  expect(await client.raw("GET", "/readyz")).toBe("ok");
  expect(await client.raw("GET", "/version")).toMatchObject({ major: "1" });
  const review = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes: { verb: "get", resource: "pods" } },
  };
  expect(await client.raw("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)).toMatchObject({
    status: { allowed: true },
  });
});
