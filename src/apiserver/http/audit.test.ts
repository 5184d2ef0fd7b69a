import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startApiServer } from "../start.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "metalwright-audit-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const SECRETS = "/api/v1/namespaces/default/secrets";
const ANN = { username: "ann", groups: ["system:authenticated"] };

type Shot = readonly [user: typeof ANN | undefined, method: "GET" | "POST", path: string, body?: string];

/** Sends requests and returns what the log says about them. */
async function audited(shots: readonly Shot[], headers: Record<string, string> = {}) {
  const file = join(directory, "audit.log");
  const server = await startApiServer({ port: false, auditLog: file });
  for (const [user, method, path, body] of shots) {
    const request = { method, path, headers: { "user-agent": "test/1", ...headers }, ...(body && { body }) };
    await server.transport(user).request({ ...request, signal: AbortSignal.timeout(10_000) });
  }
  await server.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  return {
    text,
    events: text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

describe("audit log", () => {
  it("notes who did what to which object, and what came of it, without the body", async () => {
    const body = JSON.stringify({ metadata: { name: "s" }, stringData: { password: "hunter2" } });
    const { events, text } = await audited([
      [undefined, "POST", `${SECRETS}?fieldManager=me`, body],
      [ANN, "GET", `${SECRETS}/s`],
      [undefined, "GET", "/version"],
    ]);
    expect(events).toMatchObject([
      {
        kind: "Event",
        apiVersion: "audit.k8s.io/v1",
        level: "Metadata",
        stage: "ResponseComplete",
        requestURI: `${SECRETS}?fieldManager=me`,
        verb: "create",
        user: { username: "system:apiserver", groups: ["system:masters", "system:authenticated"] },
        userAgent: "test/1",
        objectRef: { resource: "secrets", namespace: "default", apiVersion: "v1" },
        responseStatus: { code: 201 },
        annotations: { "authorization.k8s.io/decision": "allow" },
      },
      {
        verb: "get",
        user: { username: "ann" },
        objectRef: { resource: "secrets", namespace: "default", name: "s", apiVersion: "v1" },
        responseStatus: { code: 403 },
        annotations: { "authorization.k8s.io/decision": "forbid" },
      },
      { verb: "get", requestURI: "/version", responseStatus: { code: 200 } },
    ]);
    expect(events[2]).not.toHaveProperty("objectRef");
    expect(events[0].stageTimestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/);
    expect(new Set(events.map((e) => e.auditID)).size).toBe(3);
    expect(text).not.toContain("hunter2");
  });

  it("tells who asked from whom they acted as", async () => {
    const { events } = await audited([[undefined, "GET", `${SECRETS}/s`]], { "impersonate-user": "bob" });
    expect(events).toMatchObject([
      { user: { username: "system:apiserver" }, impersonatedUser: { username: "bob" }, responseStatus: { code: 403 } },
    ]);
  });
});
