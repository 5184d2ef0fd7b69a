import { expect, it } from "vitest";
import { ConfigMap } from "#kinds";
import { act, apply, change, create, remove, settled, wait } from "./decide.ts";

const now = new Date("2026-01-01T00:00:00Z");
const metadata = { namespace: "ns", name: "m" };
const map: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata };

it("settled changes nothing, and says why", () => {
  expect(settled("all is well")).toEqual({ writes: [], hardware: [], conditions: [], reason: "all is well" });
});

it("act carries its writes in order", () => {
  const { writes } = act("it is time", create(ConfigMap, { metadata }), remove(ConfigMap, metadata, { uid: "u" }));
  expect(writes).toEqual([
    { verb: "create", kind: ConfigMap, object: { metadata } },
    { verb: "delete", kind: ConfigMap, name: metadata, preconditions: { uid: "u" } },
  ]);
});

it("wait is looked at again at its deadline, if it has one", () => {
  const waiting = { what: "PowerOff", since: now, message: "the host shuts down" };
  expect(wait(waiting)).toEqual({ ...settled("the host shuts down"), waitingFor: waiting });
  const deadline = new Date("2026-01-01T00:05:00Z");
  expect(wait({ ...waiting, deadline }).wakeAt).toEqual(deadline);
});

it("apply and change name what they write", () => {
  expect(apply(ConfigMap, { metadata, data: { a: "b" } })).toMatchObject({
    verb: "apply",
    object: { data: { a: "b" } },
  });
  expect(change(ConfigMap, map, map, "status")).toMatchObject({ verb: "change", before: map, subresource: "status" });
});
