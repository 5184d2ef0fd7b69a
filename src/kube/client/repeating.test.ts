/** What is repeated, what is not, and what a call ends with. */
import { describe, expect, test } from "vitest";
import { seconds, settle } from "#clock";
import { ConfigMap } from "#kinds";
import { Fenced } from "../transport/fence.ts";
import { NotSent } from "../transport/transport.ts";
import type { Client } from "./client.ts";
import { ApiError, DeadlineExceeded, OutcomeUnknown } from "./errors.ts";
import {
  answer,
  full,
  lost,
  NAME,
  never,
  notSent,
  object,
  ok,
  refuse,
  type Step,
  scripted,
} from "./scripted-transport.ts";

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

  test("of one call never ends another, even when it was given up as its answer came", async () => {
    const controller = new AbortController();
    const { client } = scripted(async (request) => {
      controller.abort("stop");
      return ok(request);
    }, ok);
    expect(await client.get(ConfigMap, NAME, { signal: controller.signal })).toEqual(full);
    expect(await client.get(ConfigMap, NAME)).toEqual(full);
  });

  test("covers all pages of a list together", async () => {
    const page = answer(200, { metadata: { continue: "more" }, items: [object] });
    const { end, clock } = scripted(page, page, never(true));
    expect(await end((client) => client.list(ConfigMap, { timeoutMs: seconds(9) }))).toBeInstanceOf(DeadlineExceeded);
    expect(clock.monotonic()).toBe(seconds(9));
  });
});
