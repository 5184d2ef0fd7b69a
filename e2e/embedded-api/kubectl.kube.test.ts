/** A working day with kubectl, of today and of Debian 12, against `metalwright apiserver`. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { WIDGET_CRD, widget } from "../../src/apiserver/testing/test-api.ts";
import { currentKubectl, debianKubectl, type Kubectl, kubectlAt } from "./kubectl.ts";
import { ServerProcess } from "./server-process.ts";

const server = new ServerProcess();
let program: string;
let kubectl: Kubectl;

beforeAll(async () => {
  program = await currentKubectl();
  await server.start();
  kubectl = kubectlAt(program, server, { KUBE_EDITOR: "sed -i s/first/second/" });
});
afterAll(() => server.dispose());

function file(name: string, ...documents: readonly unknown[]): string {
  const path = join(server.directory, name);
  writeFileSync(path, documents.map((d) => stringify(d)).join("---\n"));
  return path;
}

const configMap = (name: string, data: object, labels: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels },
  data,
});

/** The output of a command that must succeed. */
async function ok(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await kubectl(...args);
  expect({ args, code, err: code === 0 ? "" : err }).toEqual({ args, code: 0, err: "" });
  return out;
}

describe("kubectl 1.36", () => {
  it("prints one object in every form", async () => {
    await ok("apply", "-f", file("a.yaml", configMap("a", { k: "first" }, { app: "x" }), configMap("b", {})));
    expect(await ok("get", "cm", "a", "-o", "wide")).toMatch(/^NAME +DATA +AGE *\na +1 +\S+ *\n$/);
    expect(await ok("get", "cm", "a", "--show-labels")).toMatch(/LABELS\na .* app=x\n$/);
    expect(await ok("get", "cm", "a", "-L", "app")).toMatch(/APP\na .* x\n$/);
    expect(JSON.parse(await ok("get", "cm", "a", "-o", "json"))).toMatchObject({
      kind: "ConfigMap",
      data: { k: "first" },
    });
    expect(await ok("get", "cm", "a", "-o", "yaml")).toContain("  k: first\n");
    expect(await ok("get", "cm", "a", "-o", "name")).toBe("configmap/a\n");
    expect(await ok("get", "cm", "a", "-o", "jsonpath={.data.k}")).toBe("first");
    expect(await ok("get", "cm", "a", "-o", "go-template={{.data.k}}")).toBe("first");
    expect(await ok("get", "cm", "a", "-o", "custom-columns=N:.metadata.name,K:.data.k")).toMatch(/^N +K\na +first\n$/);
    expect(await ok("get", "cm", "a", "-o", "yaml", "--show-managed-fields")).toContain("kubectl-client-side-apply");
    expect(JSON.parse(await ok("get", "--raw", "/api/v1/namespaces/default/configmaps/a")).data.k).toBe("first");
  });

  it("selects, sorts and pages", async () => {
    expect(await ok("get", "cm", "-l", "app=x", "-o", "name")).toBe("configmap/a\n");
    expect(await ok("get", "cm", "-l", "app in (x,y),!z", "-o", "name")).toBe("configmap/a\n");
    expect(await ok("get", "cm", "--field-selector", "metadata.name=b", "-o", "name")).toBe("configmap/b\n");
    const paged = await ok("get", "cm", "-A", "--chunk-size=1", "--sort-by=.metadata.name", "-o", "name");
    expect(paged).toBe(await ok("get", "cm", "-A", "--sort-by=.metadata.name", "-o", "name"));
    expect(await ok("get", "cm/a", "cm/b", "ns/default", "-o", "name")).toBe(
      "configmap/a\nconfigmap/b\nnamespace/default\n",
    );
  });

  it("describes objects, with their events", async () => {
    const { metadata } = JSON.parse(await ok("get", "cm", "a", "-o", "json"));
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "a.1", namespace: "default" },
      involvedObject: { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: "default", uid: metadata.uid },
      reason: "Painted",
      message: "it is red now",
      type: "Normal",
      count: 1,
      firstTimestamp: metadata.creationTimestamp,
      lastTimestamp: metadata.creationTimestamp,
      source: { component: "painter" },
    };
    await ok("create", "-f", file("event.yaml", event));
    expect(await ok("describe", "cm", "a")).toMatch(
      /Labels: +app=x[\s\S]*k:\n----\nfirst[\s\S]*Painted.*it is red now/,
    );
    expect(await ok("events", "--for", "configmap/a")).toMatch(/Normal +Painted +ConfigMap\/a +it is red now/);
    expect(await ok("get", "events", "--field-selector", "reason=Painted")).toMatch(/Painted +configmap\/a +it is red/);
    expect(await ok("describe", "namespace", "default")).toMatch(/Status: +Active/);
    expect(await ok("describe", "clusterrole", "view")).toMatch(/configmaps.*\[get list watch\]/);
  });

  it("labels, annotates, edits and patches", async () => {
    expect((await kubectl("label", "cm", "a", "app=z")).err).toContain("--overwrite is false");
    expect(await ok("label", "cm", "a", "app=z", "--overwrite")).toBe("configmap/a labeled\n");
    expect(await ok("label", "cm", "a", "app-")).toBe("configmap/a unlabeled\n");
    expect(await ok("annotate", "cm", "--all", "seen=yes")).toBe("configmap/a annotated\nconfigmap/b annotated\n");
    expect(await ok("edit", "cm", "a")).toBe("configmap/a edited\n");
    expect((await kubectl("edit", "cm", "b")).err).toContain("Edit cancelled");
    await ok("patch", "cm", "a", "--type=json", "-p", '[{"op":"add","path":"/data/json","value":"1"}]');
    await ok("patch", "cm", "a", "--type=merge", "-p", '{"data":{"merge":"1"}}');
    await ok("patch", "cm", "a", "--type=strategic", "-p", '{"data":{"strategic":"1"}}');
    expect(await ok("get", "cm", "a", "-o", "jsonpath={.data}")).toBe(
      '{"json":"1","k":"second","merge":"1","strategic":"1"}',
    );
    const refused = await kubectl("patch", "cm", "a", "--type=json", "-p", '[{"op":"remove","path":"/data/nope"}]');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("the server rejected our request")]);
  });

  it("merges lists of built-ins by their keys, as strategic patches do", async () => {
    const account = (names: readonly string[]) => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "keys" },
      secrets: names.map((name) => ({ name })),
    });
    await ok("apply", "-f", file("sa.yaml", account(["one", "two"])));
    await ok("patch", "sa", "keys", "-p", '{"secrets":[{"name":"three"}]}');
    await ok("apply", "-f", file("sa.yaml", account(["two"])));
    const names = await ok("get", "sa", "keys", "-o", "jsonpath={.secrets[*].name}");
    expect(names.split(" ").sort()).toEqual(["three", "two"]);
  });

  it("tells what would change, and changes nothing in a dry run", async () => {
    const path = file("a.yaml", configMap("a", { k: "third" }), configMap("new", {}));
    const { code, out } = await kubectl("diff", "-f", path);
    expect([code, out]).toEqual([1, expect.stringMatching(/-\s+k: second\n\+\s+k: third/)]);
    expect(await ok("apply", "--dry-run=server", "-f", path)).toContain("configmap/new created (server dry run)");
    expect((await kubectl("get", "cm", "new")).code).toBe(1);
    await ok("apply", "-f", path);
    expect((await kubectl("diff", "-f", path)).code).toBe(0);
    expect(await ok("apply", "view-last-applied", "cm/a", "-o", "json")).toContain('"k": "third"');
    expect(await ok("replace", "-f", path)).toBe("configmap/a replaced\nconfigmap/new replaced\n");
  });

  it("prunes what an applied set no longer holds", async () => {
    const set = (...names: string[]) => file("set.yaml", ...names.map((name) => configMap(name, {}, { set: "s" })));
    const apply = ["apply", "--prune", "-l", "set=s", "--prune-allowlist=core/v1/ConfigMap", "-f"];
    await ok(...apply, set("s1", "s2"));
    expect(await ok(...apply, set("s1"))).toContain("configmap/s2 pruned");
    expect(await ok("get", "cm", "-l", "set=s", "-o", "name")).toBe("configmap/s1\n");
  });

  it("explains kinds, fields and custom resources", async () => {
    await ok("create", "-f", file("crd.yaml", WIDGET_CRD));
    await ok("wait", "--for=condition=Established", "crd/widgets.example.com", "--timeout=20s");
    expect(await ok("explain", "widgets.spec")).toMatch(/color\s+<string>[\s\S]*size\s+<integer>/);
    expect(await ok("explain", "namespace", "--recursive")).toMatch(
      /spec\s+<NamespaceSpec>\n\s+finalizers\s+<\[\]string>/,
    );
    expect((await kubectl("explain", "configmap.zork")).err).toContain('field "zork" does not exist');
    const table = await ok("api-resources", "--api-group=example.com");
    expect(table).toMatch(/widgets +wd +example\.com\/v1 +true +Widget/);
    expect((await ok("api-versions")).split("\n")).toEqual(expect.arrayContaining(["v1", "example.com/v1"]));
  });

  it("watches changes as they come", async () => {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig, HOME: server.directory };
    const watching = spawn(program, ["get", "wd", "-w", "--output-watch-events"], { env });
    let seen = "";
    watching.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
    });
    await ok("apply", "-f", file("w.yaml", widget("w", { size: 1 })));
    const events = () => seen.match(/^[A-Z]+(?= +w )/gm) ?? [];
    await expect.poll(events, { timeout: 20_000 }).toEqual(["ADDED"]);
    await ok("patch", "wd", "w", "--type=merge", "-p", '{"spec":{"size":2}}');
    await ok("patch", "wd", "w", "--subresource=status", "--type=merge", "-p", '{"status":{"phase":"Ready"}}');
    await ok("delete", "wd", "w");
    await expect.poll(events, { timeout: 20_000 }).toEqual(["ADDED", "MODIFIED", "MODIFIED", "DELETED"]);
    watching.kill();
  });

  it("waits for a condition, a value and an end", async () => {
    await ok("apply", "-f", file("w.yaml", widget("w", { size: 1 }, { finalizers: ["example.com/hold"] })));
    const value = kubectl("wait", "--for=jsonpath={.status.phase}=Ready", "wd/w", "--timeout=20s");
    await ok("patch", "wd", "w", "--subresource=status", "--type=merge", "-p", '{"status":{"phase":"Ready"}}');
    expect(await value).toMatchObject({ code: 0, out: "widget.example.com/w condition met\n" });
    await ok("delete", "wd", "w", "--wait=false");
    const end = kubectl("wait", "--for=delete", "wd/w", "--timeout=20s");
    await ok("patch", "wd", "w", "--type=merge", "-p", '{"metadata":{"finalizers":null}}');
    expect((await end).code).toBe(0);
    const never = await kubectl("wait", "--for=jsonpath={.data.k}=never", "cm/a", "--timeout=1s");
    expect([never.code, never.err]).toEqual([1, expect.stringContaining("timed out waiting for the condition")]);
  });

  it("answers who may do what, in lists too", async () => {
    await ok("create", "clusterrolebinding", "ops-view", "--clusterrole=view", "--group=ops");
    const ops = ["--as=ann", "--as-group=ops"];
    expect(await ok("auth", "can-i", "list", "configmaps", "-A", ...ops)).toBe("yes\n");
    expect((await kubectl("auth", "can-i", "create", "configmaps", ...ops)).out).toBe("no\n");
    expect(await ok("auth", "can-i", "--list", ...ops)).toMatch(/configmaps +\[\] +\[\] +\[get list watch\]/);
    const denied = await kubectl("delete", "cm", "a", ...ops);
    expect([denied.code, denied.err]).toEqual([
      1,
      'Error from server (Forbidden): configmaps "a" is forbidden: User "ann" cannot delete resource "configmaps" in API group "" in the namespace "default"\n',
    ]);
  });

  it("deletes by file, label and all at once", async () => {
    expect(await ok("delete", "cm", "-l", "set=s")).toContain('configmap "s1" deleted');
    expect(await ok("delete", "-f", file("gone.yaml", configMap("nope", {})), "--ignore-not-found")).toBe("");
    expect(await ok("delete", "cm", "--all")).toContain('configmap "a" deleted');
    expect(await ok("get", "cm", "-o", "name")).not.toContain("configmap/a\n");
  });
});

describe("Debian's kubectl 1.20", () => {
  it("gets, applies and deletes", async () => {
    const old = debianKubectl();
    if (!old) throw new Error("no archive of this machine offers Debian's kubernetes-client");
    const kubectl120 = kubectlAt(old, server);
    expect((await kubectl120("version", "--client")).out).toContain('GitVersion:"v1.20.2"');
    const path = file("old.yaml", configMap("old", { a: "1" }), widget("old", { size: 2 }));
    expect((await kubectl120("apply", "-f", path)).out).toBe("configmap/old created\nwidget.example.com/old created\n");
    file("old.yaml", configMap("old", { b: "2" }), widget("old", { size: 2 }));
    expect((await kubectl120("apply", "-f", path)).out).toBe(
      "configmap/old configured\nwidget.example.com/old unchanged\n",
    );
    expect((await kubectl120("get", "cm,wd", "old", "-o", "name")).out).toBe("configmap/old\nwidget.example.com/old\n");
    expect((await kubectl120("get", "cm", "old", "-o", "jsonpath={.data}")).out).toBe('{"b":"2"}');
    expect((await kubectl120("get", "wd")).out).toMatch(/^NAME +SIZE\nold +2\n$/);
    expect((await kubectl120("explain", "widget.spec.size")).out).toMatch(/FIELD: +size <integer>/);
    const refused = await kubectl120("apply", "-f", file("bad.yaml", { ...configMap("bad", {}), zork: 1 }));
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('unknown field "zork"')]);
    expect((await kubectl120("delete", "-f", path)).out).toBe(
      'configmap "old" deleted\nwidget.example.com "old" deleted\n',
    );
    expect((await kubectl120("get", "-f", path)).err).toContain("NotFound");
  });
});
