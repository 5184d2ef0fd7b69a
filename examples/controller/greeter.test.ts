import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { settle } from "#clock";
import { ConfigMap, Namespace } from "#kinds";
import { runtimeRig } from "../../src/kube/testing/runtime-rig.ts";
import { greeter } from "./greeter.ts";

const wanted = { greeting: "wanted" };

it("greets the namespaces that want it, and no others", async () => {
  const rig = runtimeRig();
  await rig.api.create(Namespace, { metadata: { name: "shy" } });
  await rig.api.create(Namespace, { metadata: { name: "outgoing", labels: wanted } });
  await rig.start(greeter);
  await rig.clock.advance(1_000);
  expect(rig.api.snapshot(ConfigMap)).toMatchObject({ "outgoing/greeting": { data: { hello: "Hello, outgoing!" } } });
  await rig.api.patch(Namespace, "shy", { type: "merge", body: { metadata: { labels: wanted } } });
  await rig.clock.advance(1_000);
  expect(Object.keys(rig.api.snapshot(ConfigMap))).toEqual(["outgoing/greeting", "shy/greeting"]);
  await rig.end();
});

it("puts a greeting right that somebody changed or took down", async () => {
  const rig = runtimeRig();
  await rig.api.create(Namespace, { metadata: { name: "ns", labels: wanted } });
  await rig.start(greeter);
  const key = { namespace: "ns", name: "greeting" };
  await rig.api.patch(ConfigMap, key, { type: "merge", body: { data: { hello: "Go away" } } });
  await settle();
  await rig.clock.advance(1_000);
  expect(rig.api.snapshot(ConfigMap)["ns/greeting"]?.data).toEqual({ hello: "Hello, ns!" });
  await rig.api.delete(ConfigMap, key);
  await rig.clock.advance(1_000);
  expect(rig.api.snapshot(ConfigMap)["ns/greeting"]?.data).toEqual({ hello: "Hello, ns!" });
  await rig.end();
});

it.each(["greeter.ts", "run-greeter.ts"])("%s fits on a screen", async (file) => {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
});
