/** What the client does when things go wrong: against a transport that follows a script, with time in the test's hands. */
import { describe, expect, test } from "vitest";
import { seconds, seededRandom, settle, VirtualClock } from "#clock";
import type { Kind, KubeObject } from "#kinds";
import { Fenced } from "../transport/fence.ts";
import {
  ConnectionLost,
  NotSent,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../transport/transport.ts";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { ApiError, DeadlineExceeded, isConflict, isExpired, isNotFound, OutcomeUnknown } from "./errors.ts";
import { ConfigMap, failed, respond } from "./tiny-api.ts";

type Step = (request: TransportRequest) => Promise<TransportResponse>;

const answer =
  (status: number, body: unknown, headers?: Record<string, string>): Step =>
  async (request) => {
    request.beforeSend?.();
    return respond(status, typeof body === "string" ? body : JSON.stringify(body), headers);
  };
const refuse = (code: number, reason: string, headers?: Record<string, string>): Step =>
  answer(code, failed(code, reason, "a")[1], headers);
const notSent: Step = async () => {
  throw new NotSent("connect ECONNREFUSED");
};
const lost: Step = async (request) => {
  request.beforeSend?.();
  throw new ConnectionLost("reset");
};
const never =
  (sent: boolean): Step =>
  async (request) => {
    if (sent) request.beforeSend?.();
    return new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  };
const object = { metadata: { name: "a", namespace: "default", uid: "u", resourceVersion: "1" }, data: { k: "v" } };
const ok = answer(200, object);

function scripted(...steps: Step[]) {
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    request: (request) => {
      requests.push(request);
      const step = steps[Math.min(requests.length, steps.length) - 1];
      return step ? step(request) : Promise.reject(new Error("no step"));
    },
    close: async () => {},
  };
  const clock = new VirtualClock();
  const warnings: string[] = [];
  const client = createClient(transport, {
    clock,
    random: seededRandom(7),
    userAgent: "metalwright/test",
    onWarning: (warning) => warnings.push(warning),
  });
  /** The call's end, however it ends, with time running until then. */
  const end = async (call: (client: Client) => Promise<unknown>): Promise<unknown> => {
    let result: { value: unknown } | undefined;
    void call(client).then(
      (value) => {
        result = { value };
      },
      (error: unknown) => {
        result = { value: error };
      },
    );
    for (await settle(); !result; ) await clock.advance(100);
    expect(clock.pendingTimers).toBe(0);
    return result.value;
  };
  return { client, clock, requests, warnings, end };
}

const NAME = { namespace: "default", name: "a" };
const full: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", ...object };
const calls = {
  get: (client: Client) => client.get(ConfigMap, NAME),
  list: (client: Client) => client.list(ConfigMap),
  create: (client: Client) => client.create(ConfigMap, object),
  update: (client: Client) => client.update(ConfigMap, full),
  difference: (client: Client) => client.patchDifference(ConfigMap, full, { ...full, data: { k: "w" } }),
  merge: (client: Client) => client.patch(ConfigMap, NAME, { type: "merge", body: { data: { k: "w" } } }),
  tested: (client: Client) =>
    client.patch(ConfigMap, NAME, {
      type: "json",
      operations: [{ op: "test", path: "/metadata/resourceVersion", value: "1" }],
    }),
  apply: (client: Client) => client.apply(ConfigMap, object, { fieldManager: "m" }),
  blindApply: (client: Client) => client.apply(ConfigMap, { metadata: NAME, data: {} }, { fieldManager: "m" }),
  remove: (client: Client) => client.delete(ConfigMap, NAME),
  removeByUid: (client: Client) => client.delete(ConfigMap, NAME, { preconditions: { uid: "u" } }),
  removeByVersion: (client: Client) =>
    client.delete(ConfigMap, NAME, { preconditions: { uid: "u", resourceVersion: "1" } }),
} satisfies Record<string, (client: Client) => Promise<unknown>>;
type CallName = keyof typeof calls;

const writes: readonly CallName[] = [
  "create",
  "update",
  "difference",
  "merge",
  "tested",
  "apply",
  "remove",
  "removeByUid",
];
const blind: readonly CallName[] = ["create", "merge", "blindApply", "remove"];
const guarded: readonly CallName[] = ["update", "difference", "tested", "apply", "removeByUid", "removeByVersion"];
const reads: readonly CallName[] = ["get", "list"];

describe("repeats", () => {
  test.each([...reads, ...writes])("%s when it was not sent", async (name) => {
    const { end, requests } = scripted(notSent, notSent, ok);
    expect(await end(calls[name])).not.toBeInstanceOf(Error);
    expect(requests).toHaveLength(3);
  });

  test.each([...reads, ...writes])("%s after 429 and 503 that say when, not before", async (name) => {
    const later = { "retry-after": "2" };
    const { end, requests, clock } = scripted(
      refuse(429, "TooManyRequests", later),
      refuse(503, "ServiceUnavailable", later),
      ok,
    );
    expect(await end(calls[name])).not.toBeInstanceOf(Error);
    expect(requests).toHaveLength(3);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(seconds(4));
  });

  test.each([...reads, ...guarded])("%s when the answer was lost", async (name) => {
    const { end, requests } = scripted(lost, refuse(504, "Timeout"), ok);
    expect(await end(calls[name])).not.toBeInstanceOf(Error);
    expect(requests).toHaveLength(3);
  });

  test("reads after 429 and 503 without a time, and after JSON that breaks off", async () => {
    const { end, requests } = scripted(refuse(429, "x"), refuse(503, "x"), answer(200, '{"metadata":'), ok);
    expect(await end(calls.get)).toMatchObject(object);
    expect(requests).toHaveLength(4);
  });
});

describe("does not repeat", () => {
  test.each(blind)("%s when the answer was lost: OutcomeUnknown", async (name) => {
    for (const step of [lost, answer(200, '{"meta'), refuse(504, "Timeout"), answer(502, "<html>bad gateway")]) {
      const { end, requests } = scripted(step, ok);
      expect(await end(calls[name])).toBeInstanceOf(OutcomeUnknown);
      expect(requests).toHaveLength(1);
    }
  });

  test.each([...reads, ...writes])("%s that was refused", async (name) => {
    for (const code of [400, 403, 409, 422, 500]) {
      const { end, requests } = scripted(refuse(code, "Refused"), ok);
      expect(await end(calls[name])).toMatchObject({ name: "ApiError", code, reason: "Refused" });
      expect(requests).toHaveLength(1);
    }
  });

  test("anything when the time asked for is beyond the deadline: the refusal itself comes at once", async () => {
    const { end, clock } = scripted(refuse(429, "TooManyRequests", { "retry-after": "3600" }));
    expect(await end((client) => client.get(ConfigMap, NAME, { timeoutMs: seconds(5) }))).toMatchObject({ code: 429 });
    expect(clock.monotonic()).toBe(0);
  });

  test("what a fence stopped, or credentials could not be had for", async () => {
    for (const error of [new Fenced("lease lost"), new TypeError("bug")]) {
      const { end, requests } = scripted(() => Promise.reject(error));
      expect(await end(calls.update)).toBe(error);
      expect(requests).toHaveLength(1);
    }
  });
});

describe("after a lost answer", () => {
  test.each<[CallName, Step]>([
    ["update", refuse(409, "Conflict")],
    ["difference", refuse(409, "Conflict")],
    ["apply", refuse(409, "Conflict")],
    ["tested", refuse(422, "Invalid")],
    ["update", refuse(404, "NotFound")],
    ["removeByVersion", refuse(404, "NotFound")],
    ["update", refuse(403, "Forbidden")],
  ])("a refused %s is not taken for a foreign change", async (name, refused) => {
    const { end, requests } = scripted(lost, refused);
    const result = await end(calls[name]);
    expect(result).toBeInstanceOf(OutcomeUnknown);
    expect((result as Error).cause).toBeInstanceOf(ApiError);
    expect(requests).toHaveLength(2);
  });

  test.each([refuse(404, "NotFound"), refuse(409, "Conflict")])(
    "the object of that uid being gone is what was asked for",
    async (gone) => {
      expect(await scripted(lost, gone).end(calls.removeByUid)).toBeUndefined();
      expect(await scripted(gone).end(calls.removeByUid)).toBeInstanceOf(ApiError);
    },
  );

  test("a server that stays away leaves it unknown, not unsent", async () => {
    expect(await scripted(lost, notSent).end(calls.update)).toBeInstanceOf(OutcomeUnknown);
  });
});

describe("the deadline", () => {
  test.each([...reads])("%s: a server that never answers", async (name) => {
    const { end, clock } = scripted(never(true));
    expect(await end(calls[name])).toBeInstanceOf(DeadlineExceeded);
    expect(clock.monotonic()).toBe(seconds(30));
  });

  test("a write that was sent ends unknown, one that was not ends NotSent", async () => {
    expect(await scripted(never(true)).end(calls.create)).toBeInstanceOf(OutcomeUnknown);
    expect(await scripted(never(false)).end(calls.create)).toBeInstanceOf(NotSent);
  });

  test("says what kept failing", async () => {
    const { end, clock } = scripted(notSent);
    const failure = (await end((client) => client.get(ConfigMap, NAME, { timeoutMs: seconds(3) }))) as Error;
    expect(failure.message).toMatch(/ECONNREFUSED/);
    expect(clock.monotonic()).toBeLessThanOrEqual(seconds(3));
  });

  test("the caller's own signal ends a read with its reason, a sent write as unknown", async () => {
    const controller = new AbortController();
    const { client } = scripted(never(true));
    const read = client.get(ConfigMap, NAME, { signal: controller.signal }).catch((e: unknown) => e);
    const write = client.create(ConfigMap, object, { signal: controller.signal }).catch((e: unknown) => e);
    await settle();
    controller.abort("stop");
    expect(await read).toBe("stop");
    expect(await write).toBeInstanceOf(OutcomeUnknown);
    expect(await client.get(ConfigMap, NAME, { signal: controller.signal }).catch((e: unknown) => e)).toBe("stop");
  });

  test("covers all pages of a list together", async () => {
    const page = answer(200, { metadata: { continue: "more" }, items: [object] });
    const { end, clock } = scripted(page, page, never(true));
    expect(await end((client) => client.list(ConfigMap, { timeoutMs: seconds(9) }))).toBeInstanceOf(DeadlineExceeded);
    expect(clock.monotonic()).toBe(seconds(9));
  });
});

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
    const failure = await end(calls.get);
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
    expect(isConflict(await scripted(answer(409, "proxy says no")).end(calls.get))).toBe(false);
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
