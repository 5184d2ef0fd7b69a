/** A current kubectl against the embedded API: every command people use, with the output they expect. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "./start.ts";
import { WIDGET_CRD, widget } from "./testing/test-api.ts";

const KUBECTL =
  process.env.METALWRIGHT_KUBECTL ?? join(homedir(), ".cache/metalwright/controlplane/bin-v1.36.3/kubectl");
let directory: string;
let server: ApiServer;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "metalwright-kubectl-"));
  server = await startApiServer({ data: join(directory, "data") });
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

interface Outcome {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

async function kubectl(...args: string[]): Promise<Outcome> {
  const env = {
    ...process.env,
    KUBECONFIG: server.kubeconfigPath ?? "",
    KUBECACHEDIR: join(directory, "cache"),
    KUBE_EDITOR: "sed -i s/one/two/",
  };
  try {
    const { stdout, stderr } = await promisify(execFile)(KUBECTL, args, { env, timeout: 60_000 });
    return { out: stdout, err: stderr, code: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
    return { out: stdout, err: stderr, code };
  }
}

function file(name: string, content: unknown): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const configMap = (data: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data });

describe("kubectl", () => {
  it("creates built-ins through its typed clients (protobuf bodies)", async () => {
    expect((await kubectl("create", "namespace", "team")).out).toBe("namespace/team created\n");
    expect((await kubectl("create", "configmap", "cm", "--from-literal=a=one")).out).toBe("configmap/cm created\n");
    expect((await kubectl("create", "secret", "generic", "s", "--from-literal=p=q")).out).toBe("secret/s created\n");
    expect((await kubectl("create", "serviceaccount", "robot")).out).toBe("serviceaccount/robot created\n");
    expect((await kubectl("create", "role", "r", "--verb=get", "--resource=configmaps")).code).toBe(0);
    expect((await kubectl("create", "rolebinding", "rb", "--role=r", "--serviceaccount=default:robot")).code).toBe(0);
    expect((await kubectl("get", "secret", "s", "-o", "jsonpath={.data.p}")).out).toBe("cQ==");
  });

  it("applies on the client and on the server", async () => {
    const path = file("cm.json", configMap({ a: "1", b: "2" }));
    expect((await kubectl("apply", "-f", path)).out).toBe("configmap/settings created\n");
    expect((await kubectl("apply", "-f", path)).out).toBe("configmap/settings unchanged\n");
    file("cm.json", configMap({ a: "9" }));
    expect((await kubectl("diff", "-f", path)).code).toBe(1);
    expect((await kubectl("apply", "-f", path)).out).toBe("configmap/settings configured\n");
    expect((await kubectl("get", "cm", "settings", "-o", "jsonpath={.data}")).out).toBe('{"a":"9"}');
    await kubectl("patch", "cm", "settings", "--type=merge", "-p", '{"data":{"c":"3"}}', "--field-manager=other");
    file("cm.json", configMap({ c: "4" }));
    const conflict = await kubectl("apply", "--server-side", "-f", path);
    expect([conflict.code, conflict.err]).toEqual([
      1,
      expect.stringContaining('conflict with "other" using v1: .data.c'),
    ]);
    expect((await kubectl("apply", "--server-side", "--force-conflicts", "-f", path)).out).toContain(
      "serverside-applied",
    );
  });

  it("refuses unknown fields", async () => {
    const { code, err } = await kubectl("create", "-f", file("bad.json", { ...configMap({}), zork: 1 }));
    expect([code, err]).toEqual([1, expect.stringContaining('strict decoding error: unknown field "zork"')]);
  });

  it("serves a custom resource from definition to deletion", async () => {
    await kubectl("apply", "-f", file("crd.json", WIDGET_CRD));
    expect(
      (await kubectl("wait", "--for=condition=Established", "crd/widgets.example.com", "--timeout=20s")).code,
    ).toBe(0);
    expect((await kubectl("apply", "-f", file("w.json", widget("one")))).out).toBe("widget.example.com/one created\n");
    expect((await kubectl("get", "wd")).out).toMatch(/^NAME +SIZE\none +3\n$/);
    expect((await kubectl("explain", "widget.spec.size")).out).toContain("FIELD: size <integer>");
    expect((await kubectl("scale", "wd", "one", "--replicas=5")).out).toBe("widget.example.com/one scaled\n");
    expect((await kubectl("label", "wd", "one", "a=b")).out).toBe("widget.example.com/one labeled\n");
    expect((await kubectl("annotate", "wd", "one", "a=b")).out).toBe("widget.example.com/one annotated\n");
    expect((await kubectl("describe", "wd", "one")).out).toMatch(/Size:\s+5/);
    expect((await kubectl("get", "all")).out).toContain("widget.example.com/one");
    expect((await kubectl("wait", "--for=jsonpath={.spec.size}=5", "wd/one", "--timeout=10s")).code).toBe(0);
    expect((await kubectl("delete", "wd", "one", "--timeout=10s")).out).toContain('widget.example.com "one" deleted');
    expect((await kubectl("delete", "crd", "widgets.example.com", "--timeout=20s")).code).toBe(0);
  });

  it("edits, replaces and reads in every form", async () => {
    expect((await kubectl("edit", "cm", "cm")).out).toBe("configmap/cm edited\n");
    expect((await kubectl("get", "cm", "cm", "-o", "yaml")).out).toContain("a: two");
    expect((await kubectl("get", "cm", "cm", "-o", "name")).out).toBe("configmap/cm\n");
    expect((await kubectl("get", "cm", "-A", "-o", "wide")).out).toMatch(/^NAMESPACE +NAME +DATA +AGE/);
    expect(
      (await kubectl("get", "ns", "--sort-by=.metadata.name", "-o", "custom-columns=N:.metadata.name")).out,
    ).toContain("kube-system");
    expect((await kubectl("get", "cm", "nope")).err).toBe(
      'Error from server (NotFound): configmaps "nope" not found\n',
    );
  });

  it("answers who may do what", async () => {
    expect((await kubectl("auth", "can-i", "create", "configmaps")).out).toBe("yes\n");
    const robot = "--as=system:serviceaccount:default:robot";
    expect((await kubectl("auth", "can-i", "get", "configmaps", robot)).out).toBe("yes\n");
    expect((await kubectl("auth", "can-i", "delete", "configmaps", robot)).out).toBe("no\n");
    expect((await kubectl("auth", "whoami", robot)).out).toContain("system:serviceaccount:default:robot");
    const token = (await kubectl("create", "token", "robot")).out.trim();
    const authority = join(directory, "data/pki/ca.crt");
    const asRobot = [
      "--kubeconfig=/dev/null",
      `--server=${server.url}`,
      `--certificate-authority=${authority}`,
      `--token=${token}`,
    ];
    expect((await kubectl("get", "cm", "cm", ...asRobot)).code).toBe(0);
    const denied = await kubectl("get", "secrets", ...asRobot);
    expect([denied.code, denied.err]).toEqual([1, expect.stringContaining("cannot list resource")]);
  });

  it("watches as a table", async () => {
    const watching = kubectl("get", "cm", "-w", "--request-timeout=3s");
    await kubectl("create", "configmap", "seen");
    expect((await watching).out).toMatch(/^NAME +DATA +AGE\n[\s\S]*seen +0 /);
  });

  it("deletes a namespace with everything in it", async () => {
    await kubectl("create", "configmap", "x", "-n", "team");
    expect((await kubectl("delete", "namespace", "team", "--timeout=20s")).out).toContain('namespace "team" deleted');
    expect((await kubectl("get", "cm", "-n", "team")).err).toContain("No resources found");
  });

  it("explains built-ins and knows every resource", async () => {
    expect((await kubectl("explain", "configmap.data")).out).toContain("map[string]string");
    expect((await kubectl("api-resources", "-o", "name")).out.split("\n")).toEqual(
      expect.arrayContaining([
        "configmaps",
        "leases.coordination.k8s.io",
        "customresourcedefinitions.apiextensions.k8s.io",
      ]),
    );
    expect((await kubectl("version")).out).toContain("Server Version: v1.36.3");
    expect((await kubectl("events")).code).toBe(0);
  });
});
