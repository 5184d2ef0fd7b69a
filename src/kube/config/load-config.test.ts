import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { inspect } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { ConfigError } from "./config-error.ts";
import type { ConnectionConfig } from "./connection-config.ts";
import { decodeKubeconfig } from "./kubeconfig.ts";
import { loadConfig } from "./load-config.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "metalwright-config-"));
});
afterEach(() => rm(folder, { recursive: true }));

type Body = Record<string, unknown>;

function kubeconfig(cluster: Body = {}, user: Body = {}, name = "site"): Body {
  return {
    "current-context": name,
    clusters: [{ name, cluster: { server: "https://api.example:6443", ...cluster } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  };
}

async function write(name: string, content: Body | string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, typeof content === "string" ? content : stringify(content));
  return path;
}

async function load(content: Body | string, context?: string): Promise<ConnectionConfig> {
  const file = await write("config", content);
  return loadConfig({ kubeconfig: file, env: {}, ...(context && { context }) });
}

async function problem(content: Body | string, context?: string): Promise<string> {
  const failure = await load(content, context).then(
    () => new Error("it was accepted"),
    (error: Error) => error,
  );
  expect(failure).toBeInstanceOf(ConfigError);
  expect(failure.message).toContain(join(folder, "config"));
  return failure.message;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("decodes a context in full", async () => {
  const body = kubeconfig(
    { "certificate-authority": "ca.crt", "tls-server-name": "api", "proxy-url": "http://u:hush@proxy:3128" },
    {
      "client-certificate": "/abs/tls.crt",
      "client-key-data": base64("quiet"),
      tokenFile: "token",
      as: "jane",
      "as-groups": ["ops"],
    },
  );
  (body.contexts as [{ context: Body }])[0].context.namespace = "metal";
  const config = await load(body);
  expect(config).toMatchObject({
    server: "https://api.example:6443",
    namespace: "metal",
    certificateAuthority: { file: join(folder, "ca.crt") },
    tlsServerName: "api",
    user: { clientCertificate: { certificate: { file: "/abs/tls.crt" } }, token: { file: join(folder, "token") } },
    impersonate: { user: "jane", groups: ["ops"] },
  });
  expect(config.proxyUrl?.reveal()).toBe("http://u:hush@proxy:3128");
  for (const printed of [inspect(config, { depth: 9 }), JSON.stringify(config)])
    expect(printed).not.toMatch(/hush|quiet/);
});

test.each([
  ["api.example:6443", "https://api.example:6443"],
  ["http://127.0.0.1:8001/", "http://127.0.0.1:8001"],
  ["https://host/k8s/clusters/c-1/", "https://host/k8s/clusters/c-1"],
])("server %s is %s", async (server, expected) => {
  expect((await load(kubeconfig({ server }))).server).toBe(expected);
});

describe("exec plugins", () => {
  const v1 = { apiVersion: "client.authentication.k8s.io/v1", command: "login", interactiveMode: "Never" };

  test("are decoded, with the cluster's extension and a path beside the file", async () => {
    const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { audience: "x" } }];
    const exec = {
      ...v1,
      command: "./bin/login",
      args: ["a"],
      env: [{ name: "E", value: "1" }],
      provideClusterInfo: true,
    };
    const { user } = await load(kubeconfig({ extensions }, { exec }));
    expect(user.exec).toEqual({
      apiVersion: v1.apiVersion,
      command: join(folder, "bin/login"),
      args: ["a"],
      env: { E: "1" },
      provideClusterInfo: true,
      interactiveMode: "Never",
      clusterExtension: { audience: "x" },
    });
  });

  test("of v1beta1 are interactive where they can; v1 must say", async () => {
    const exec = { apiVersion: "client.authentication.k8s.io/v1beta1", command: "login" };
    expect((await load(kubeconfig({}, { exec }))).user.exec).toMatchObject({
      interactiveMode: "IfAvailable",
      command: "login",
    });
    expect(await problem(kubeconfig({}, { exec: { ...v1, interactiveMode: undefined } }))).toMatch(
      /interactiveMode must be one of/,
    );
  });
});

const wrong: readonly [string, Body | string, RegExp][] = [
  ["garbage", "{ a: [", /is not YAML \(line 1/],
  ["a list", "- a\n- b\n", /holds no mapping/],
  ["a sentence", "hello", /holds no mapping/],
  ["empty", "", /sets no current-context; choose one with --context \(it has none\)/],
  ["another kind", { kind: "Deployment" }, /kind is Deployment, not Config/],
  [
    "wrong shapes, all named",
    { clusters: {}, users: [3], contexts: [{}] },
    /clusters must be a list.*users\[0\] must be a mapping.*contexts\[0\]\.name must be given/,
  ],
  ["no server", kubeconfig({ server: "" }), /cluster "site"\.server must be given/],
  ["a server that is no URL", kubeconfig({ server: "ftp://x" }), /server "ftp:\/\/x" must be an http or https URL/],
  [
    "two ways to trust",
    kubeconfig({ "insecure-skip-tls-verify": true, "certificate-authority": "x" }),
    /exclude each other/,
  ],
  [
    "a socks proxy",
    kubeconfig({ "proxy-url": "socks5://hush@x:1080" }),
    /scheme "socks5" is not supported; use an http or https proxy/,
  ],
  ["not base64", kubeconfig({ "certificate-authority-data": "%%%" }), /certificate-authority-data must be base64/],
  ["half a pair", kubeconfig({}, { "client-key": "x" }), /client-certificate is missing beside its other half/],
  [
    "two identities",
    kubeconfig(
      {},
      {
        token: "hush",
        exec: { apiVersion: "client.authentication.k8s.io/v1", command: "x", interactiveMode: "Never" },
      },
    ),
    /exclude each other/,
  ],
  [
    "an old exec version",
    kubeconfig({}, { exec: { apiVersion: "client.authentication.k8s.io/v1alpha1", command: "x" } }),
    /v1alpha1" is not supported; use client\.authentication\.k8s\.io\/v1/,
  ],
  [
    "an exec without a command",
    kubeconfig({}, { exec: { apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never" } }),
    /exec\.command must be given/,
  ],
  [
    "a removed provider",
    kubeconfig({}, { "auth-provider": { name: "gcp" } }),
    /"gcp" was removed .* exec credential plugin/,
  ],
  ["impersonation of nobody", kubeconfig({}, { "as-groups": ["x"] }), /user "site"\.as must be given/],
  ["a token that is a number", kubeconfig({}, { token: 12345 }), /user "site"\.token must be a string/],
];

test.each(wrong)("one clear sentence: %s", async (_, content, message) => {
  const text = await problem(content);
  expect(text).toMatch(message);
  expect(text).not.toContain("hush");
});

test("a missing context lists the ones there are, and a dangling name the defined ones", async () => {
  expect(await problem(kubeconfig(), "other")).toMatch(/has no context "other"; available: site$/);
  expect(await problem({ ...kubeconfig(), clusters: [] })).toMatch(
    /names "site", which is not defined \(defined: none\)/,
  );
});

test("unreadable and missing files say so", async () => {
  await expect(loadConfig({ kubeconfig: folder, env: {} })).rejects.toThrow(/it is a directory; check the path/);
  const missing = join(folder, "missing");
  await expect(loadConfig({ kubeconfig: missing, env: {} })).rejects.toThrow(`kubeconfig ${missing} does not exist`);
  await expect(loadConfig({ env: { KUBECONFIG: missing } })).rejects.toThrow(/names only files that do not exist/);
  await expect(loadConfig({ env: { HOME: folder } })).rejects.toThrow(/no Kubernetes configuration found/);
});

test("KUBECONFIG files are merged: the first to name something wins, and paths stay relative to their own file", async () => {
  const first = await write("one/config", { "current-context": "b", users: [{ name: "b", user: { token: "first" } }] });
  const second = await write("two/config", {
    ...kubeconfig({ "certificate-authority": "ca" }, { token: "second" }, "b"),
    "current-context": "ignored",
  });
  const config = await loadConfig({ env: { KUBECONFIG: [first, join(folder, "gone"), second].join(delimiter) } });
  expect(config.certificateAuthority).toEqual({ file: join(folder, "two/ca") });
  expect(config.user.token && "data" in config.user.token && config.user.token.data.reveal()).toBe("first");
});

test("flag before KUBECONFIG before the pod before the home folder", async () => {
  const at = (port: number): Body => kubeconfig({ server: `https://h:${port}` });
  const flag = await write("flag", at(1));
  const env = {
    KUBECONFIG: await write("env", at(2)),
    KUBERNETES_SERVICE_HOST: "fd00::1",
    KUBERNETES_SERVICE_PORT: "3",
    HOME: folder,
  };
  await write(".kube/config", at(4));
  await write("account/token", "t");
  await write("account/ca.crt", "c");
  await write("account/namespace", "metal\n");
  const serviceAccountFolder = join(folder, "account");
  const server = async (more: object): Promise<string> =>
    (await loadConfig({ env, serviceAccountFolder, ...more })).server;
  expect(await server({ kubeconfig: flag })).toBe("https://h:1");
  expect(await server({})).toBe("https://h:2");
  const pod = await loadConfig({ env: { ...env, KUBECONFIG: "" }, serviceAccountFolder });
  expect(pod).toEqual({
    source: "in-cluster",
    server: "https://[fd00::1]:3",
    namespace: "metal",
    certificateAuthority: { file: join(folder, "account/ca.crt") },
    user: { token: { file: join(folder, "account/token") } },
  });
  expect(await server({ env: { HOME: folder } })).toBe("https://h:4");
  await rm(join(folder, "account/token"));
  await expect(server({ env: { ...env, KUBECONFIG: undefined } })).rejects.toThrow(/account\/token is not readable/);
});

test("property: no text makes the decoder do anything but return or refuse", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom("clusters:", "- name: a", "  cluster: &x {server: *x}", "contexts: !!set", "\t", "---"),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      try {
        decodeKubeconfig("f", lines.join("\n"));
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
      }
    }),
    { numRuns: 500 },
  );
});
