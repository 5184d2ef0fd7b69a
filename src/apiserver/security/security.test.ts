import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hours, VirtualClock } from "#clock";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { ANONYMOUS } from "./authenticator.ts";

let api: TestApi;
let clock: VirtualClock;
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const jane = { username: "jane", groups: ["dev", "system:authenticated"] };

beforeEach(async () => {
  clock = new VirtualClock();
  api = await startTestApi({ clock });
  await api.server.idle();
});
afterEach(() => api.close());

function bind(role: string, subject: object, namespace?: string): Promise<unknown> {
  const path = namespace ? `${RBAC}/namespaces/${namespace}/rolebindings` : `${RBAC}/clusterrolebindings`;
  return api.send("POST", path, {
    metadata: { name: `bind-${role}` },
    subjects: [subject],
    roleRef: { kind: "ClusterRole", name: role },
  });
}

describe("authorisation", () => {
  it.each([
    ["/healthz", 200],
    ["/livez", 200],
    ["/readyz", 200],
    ["/version", 200],
    ["/api", 403],
    ["/apis", 403],
    ["/openapi/v3", 403],
    [CONFIG_MAPS, 403],
  ])("lets nobody in particular see %s: %i", async (path, status) => {
    expect((await api.as(ANONYMOUS).send("GET", path)).status).toBe(status);
  });

  it.each([
    ["GET", "/api", 'forbidden: User "system:anonymous" cannot get path "/api"'],
    [
      "GET",
      CONFIG_MAPS,
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
    ],
    [
      "GET",
      `${CONFIG_MAPS}/a`,
      'configmaps "a" is forbidden: User "system:anonymous" cannot get resource "configmaps" in API group "" in the namespace "default"',
    ],
    [
      "GET",
      `${CONFIG_MAPS}?watch=1`,
      'configmaps is forbidden: User "system:anonymous" cannot watch resource "configmaps" in API group "" in the namespace "default"',
    ],
    [
      "DELETE",
      `${RBAC}/clusterroles/x`,
      'clusterroles.rbac.authorization.k8s.io "x" is forbidden: User "system:anonymous" cannot delete resource "clusterroles" in API group "rbac.authorization.k8s.io" at the cluster scope',
    ],
    [
      "PUT",
      "/api/v1/nodes/n/status",
      'nodes "n" is forbidden: User "system:anonymous" cannot update resource "nodes/status" in API group "" at the cluster scope',
    ],
  ])("says no to %s %s as upstream does", async (method, path, message) => {
    expect(await api.as(ANONYMOUS).send(method, path)).toMatchObject({
      status: 403,
      body: { reason: "Forbidden", message, code: 403 },
    });
  });

  it("follows bindings as they come and go, by user, group and namespace", async () => {
    const send = api.as(jane).send;
    expect((await send("GET", CONFIG_MAPS)).status).toBe(403);
    await bind("view", { kind: "Group", name: "dev" }, "default");
    expect((await send("GET", CONFIG_MAPS)).status).toBe(200);
    expect((await send("POST", CONFIG_MAPS, { metadata: { name: "a" } })).status).toBe(403);
    expect((await send("GET", "/api/v1/namespaces/default/secrets")).status).toBe(403);
    expect((await send("GET", "/api/v1/namespaces/kube-system/configmaps")).status).toBe(403);
    await bind("edit", { kind: "User", name: "jane" });
    expect((await send("POST", CONFIG_MAPS, { metadata: { name: "a" } })).status).toBe(201);
    await api.send("DELETE", `${RBAC}/clusterrolebindings/bind-edit`);
    expect((await send("DELETE", `${CONFIG_MAPS}/a`)).status).toBe(403);
  });

  it("adds new rules to the roles that collect them", async () => {
    await bind("view", { kind: "User", name: "jane" });
    const metadata = { name: "widget-viewer", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } };
    const rules = [{ apiGroups: [""], resources: ["nodes"], verbs: ["list"] }];
    expect((await api.as(jane).send("GET", "/api/v1/nodes")).status).toBe(403);
    await api.send("POST", `${RBAC}/clusterroles`, { metadata, rules });
    await api.server.idle();
    expect((await api.as(jane).send("GET", "/api/v1/nodes")).status).toBe(200);
  });

  it("does not let a binding change its role", async () => {
    await bind("view", { kind: "User", name: "jane" });
    const changed = await api.send(
      "PATCH",
      `${RBAC}/clusterrolebindings/bind-view`,
      { roleRef: { name: "edit" } },
      { type: "application/merge-patch+json" },
    );
    expect([changed.status, changed.body.message]).toEqual([422, expect.stringContaining("cannot change roleRef")]);
  });
});

describe("impersonation", () => {
  const as = (user: string, headers: object = {}) => ({ headers: { "impersonate-user": user, ...headers } });

  it("acts with the rights of the other, not one's own", async () => {
    expect((await api.send("GET", CONFIG_MAPS, undefined, as("jane"))).status).toBe(403);
    await bind("view", { kind: "Group", name: "dev" });
    expect(
      (await api.send("GET", CONFIG_MAPS, undefined, as("jane", { "impersonate-group": "dev, other" }))).status,
    ).toBe(200);
  });

  it("is itself a right", async () => {
    const refused = await api.as(jane).send("GET", "/version", undefined, as("joe"));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'users "joe" is forbidden: User "jane" cannot impersonate resource "users" in API group "" at the cluster scope',
    ]);
    expect(
      (await api.as(jane).send("GET", "/version", undefined, { headers: { "impersonate-group": "system:masters" } }))
        .status,
    ).toBe(400);
  });
});

describe("reviews", () => {
  const review = (kind: string, spec: object, user = jane) =>
    api.as(user).send("POST", `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, {
      kind,
      apiVersion: "authorization.k8s.io/v1",
      spec,
    });
  const question = { resourceAttributes: { verb: "list", resource: "configmaps", namespace: "default" } };

  it("answer for oneself and for others", async () => {
    expect((await review("SelfSubjectAccessReview", question)).body.status).toEqual({ allowed: false });
    await bind("view", { kind: "User", name: "jane" });
    expect((await review("SelfSubjectAccessReview", question)).body.status).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by ClusterRoleBinding "bind-view" of ClusterRole "view" to User "jane"',
    });
    expect((await review("SubjectAccessReview", { user: "joe", ...question })).status).toBe(403);
    const admin = { username: "root", groups: ["system:masters"] };
    expect((await review("SubjectAccessReview", { user: "joe", ...question }, admin)).body.status).toEqual({
      allowed: false,
    });
    expect((await review("SubjectAccessReview", { user: "jane", ...question }, admin)).body.status.allowed).toBe(true);
    expect(
      (await review("SelfSubjectRulesReview", { namespace: "default" })).body.status.resourceRules.length,
    ).toBeGreaterThan(3);
  });
});

describe("service account tokens", () => {
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  const asToken = (token: string, path: string) =>
    api.as("nobody").send("GET", path, undefined, { headers: { authorization: `Bearer ${token}` } });

  async function token(): Promise<string> {
    await api.send("POST", accounts, { metadata: { name: "robot" } });
    const { body } = await api.send("POST", `${accounts}/robot/token`, { spec: { expirationSeconds: 3600 } });
    return body.status.token;
  }

  it("let the account in until they expire", async () => {
    const bearer = await token();
    await bind("view", { kind: "ServiceAccount", name: "robot", namespace: "default" });
    expect((await asToken(bearer, CONFIG_MAPS)).status).toBe(200);
    expect(await asToken(`${bearer.slice(0, -4)}AAAA`, CONFIG_MAPS)).toMatchObject({
      status: 401,
      body: { message: "Unauthorized", reason: "Unauthorized" },
    });
    clock.jump(hours(2));
    expect((await asToken(bearer, CONFIG_MAPS)).status).toBe(401);
  });

  it("are worthless once the account is gone, even if one of that name comes back", async () => {
    const bearer = await token();
    await api.send("DELETE", `${accounts}/robot`);
    expect((await asToken(bearer, "/version")).status).toBe(401);
    await api.send("POST", accounts, { metadata: { name: "robot" } });
    expect((await asToken(bearer, "/version")).status).toBe(401);
  });

  it("can be reviewed", async () => {
    const bearer = await token();
    const { body } = await api.send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: bearer } });
    expect(body.status).toMatchObject({
      authenticated: true,
      user: { username: "system:serviceaccount:default:robot" },
    });
    const bad = await api.send("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "zz" } });
    expect(bad.body.status.authenticated).toBeUndefined();
  });
});
