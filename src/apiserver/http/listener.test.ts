import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createAuthority, issue } from "../security/certificates.ts";
import { type ApiServer, startApiServer } from "../start.ts";

let directory: string;
let server: ApiServer;
let ca: string;
let admin: { cert: string; key: string };

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "metalwright-http-"));
  server = await startApiServer({ data: directory });
  const config = parse(server.kubeconfig);
  const decode = (text: string): string => Buffer.from(text, "base64").toString("utf8");
  ca = decode(config.clusters[0].cluster["certificate-authority-data"]);
  admin = {
    cert: decode(config.users[0].user["client-certificate-data"]),
    key: decode(config.users[0].user["client-key-data"]),
  };
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

function http1(
  path: string,
  options: { cert?: string; key?: string; method?: string; body?: string | Buffer } = {},
): Promise<Answer> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const request = httpsRequest(server.url + path, { ca, agent: false, ...rest }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

describe("listener", () => {
  it("speaks HTTP/1.1 and knows its clients by their certificates", async () => {
    expect((await http1("/api/v1/namespaces/default", admin)).status).toBe(200);
    expect((await http1("/api/v1/namespaces/default")).status).toBe(403);
    expect(await http1("/healthz")).toEqual({ status: 200, body: "ok" });
  });

  it("refuses certificates of another authority", async () => {
    const now = new Date();
    const stranger = await createAuthority(now);
    const forged = await issue(stranger, { subject: "CN=admin, O=system:masters", usage: "client" }, now);
    const { status, body } = await http1("/api/v1/namespaces/default", forged);
    expect([status, JSON.parse(body).reason]).toEqual([401, "Unauthorized"]);
  });

  it("speaks HTTP/2, many streams on one connection, watches among them", async () => {
    const session = connectHttp2(server.url, { ca, ...admin });
    const get = (path: string, until?: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ":path": path });
        let text = "";
        stream.setEncoding("utf8");
        stream.on("data", (chunk) => {
          text += chunk;
          if (until && text.includes(until)) resolve(text);
        });
        stream.on("end", () => resolve(text));
        stream.on("error", reject);
      });
    const watching = get("/api/v1/namespaces/default/configmaps?watch=1", '"fresh"');
    const answers = await Promise.all(Array.from({ length: 50 }, () => get("/api/v1/namespaces")));
    expect(new Set(answers).size).toBe(1);
    await http1("/api/v1/namespaces/default/configmaps", {
      ...admin,
      method: "POST",
      body: '{"metadata":{"name":"fresh"}}',
    });
    expect(JSON.parse(await watching)).toMatchObject({ type: "ADDED", object: { metadata: { name: "fresh" } } });
    session.destroy();
  });

  it("cuts off a body that is too large", async () => {
    const body = Buffer.alloc(8 * 1024 * 1024, "x");
    const answer = await http1("/api/v1/namespaces/default/configmaps", { ...admin, method: "POST", body }).catch(
      (e: Error) => e,
    );
    if (!(answer instanceof Error)) expect(answer.status).toBe(413);
    expect((await http1("/healthz")).status).toBe(200);
  });

  it.each([
    "/%",
    "/api/v1/namespaces/%ff",
    "//",
    "/api/v1/namespaces/../../etc",
    "/apis///",
    "/api/v1/namespaces/default/configmaps/%2e%2e",
  ])("survives the path %s", async (path) => {
    expect((await http1(path, admin)).status).toBeGreaterThanOrEqual(200);
    expect((await http1("/healthz")).status).toBe(200);
  });

  it("keeps its keys to itself", () => {
    for (const file of ["kubeconfig", "pki/ca.key", "pki/server.key", "pki/admin.key", "pki/tokens.key"]) {
      expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    }
  });

  it("comes back with the same keys and objects", async () => {
    const before = server.kubeconfig;
    await server.close();
    server = await startApiServer({ data: directory });
    expect(server.kubeconfig.replace(/server: .*/, "")).toBe(before.replace(/server: .*/, ""));
    expect((await http1("/api/v1/namespaces/default/configmaps/fresh", admin)).status).toBe(200);
  });
});
