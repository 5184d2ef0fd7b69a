import { describe, expect, it } from "vitest";
import type { Reply } from "../protocol/scripted-bmc.ts";
import { collection, link, type Tree, withTree } from "../testing/tree-bmc.ts";
import { subscribe, verifySubscription } from "./subscriptions.ts";

const wanted = { destination: "http://us/alerts/bmc-1", format: "Event", context: "metalwright" } as const;
const ours = { Destination: wanted.destination, Context: "metalwright", EventFormatType: "Event" };
const tree: Tree = {
  "/e": { ServiceEnabled: true, Subscriptions: link("/e/s") },
  "/e/s": collection("/e/s/1", "/e/s/2", "/e/s/3"),
  "/e/s/1": { ...ours, Context: "somebody" },
  "/e/s/2": { ...ours, EventFormatType: "MetricReport" },
  "/e/s/3": ours,
};
const posting =
  (reply: Reply) =>
  ({ method }: { method: string }): Reply | undefined =>
    method === "POST" ? reply : undefined;
const refusal = (MessageId: string, Message = ""): Reply => ({
  status: 400,
  body: { error: { "@Message.ExtendedInfo": [{ MessageId, Message }] } },
});

describe("a subscription", () => {
  it.each<[string, Reply, string]>([
    ["is where Location says", { status: 201, headers: { location: "https://bmc.local/e/s/9" } }, "/e/s/9"],
    ["is where its body says", { status: 201, body: link("/e/s/8") }, "/e/s/8"],
    ["is looked for where nothing says", { status: 204 }, "/e/s/3"],
    ["that exists is found, not another's", refusal("EventService.1.0.ResourceAlreadyExists"), "/e/s/3"],
    ["that exists by vaguer words is found", refusal("Base.1.4.PropertyValueModified", wanted.destination), "/e/s/3"],
    ["refused by vaguer words of other things is refused", refusal("Base.1.4.PropertyValueModified"), "Refused"],
    ["refused otherwise is refused", refusal("Base.1.4.CreateLimitReachedForResource"), "Refused"],
  ])("%s", (_, reply, expected) =>
    withTree({ tree, behave: posting(reply) }, async ({ service }) => {
      const made = await subscribe(service, "/e", wanted);
      expect(made.ok ? made.value.path : made.failure.code).toBe(expected);
    }),
  );

  it.each([
    ["there is no service", undefined, {}],
    ["it is switched off", "/e", { "/e": { ServiceEnabled: false, Subscriptions: link("/e/s") } }],
    ["it has no subscriptions", "/e", { "/e": {} }],
  ])("is not supported where %s", (_, path, odd) =>
    withTree({ tree: odd as Tree }, async ({ service, writes }) => {
      expect(await subscribe(service, path, wanted)).toMatchObject({ failure: { code: "NotSupported" } });
      expect(writes).toEqual([]);
    }),
  );

  it.each([
    ["/e/s/3", true],
    ["/e/s/1", false],
    ["/e/s/2", false],
    ["/e/s/7", false],
  ])("at %s is ours: %s", (path, value) =>
    withTree({ tree }, async ({ service }) =>
      expect(await verifySubscription(service, path, wanted)).toEqual({ ok: true, value }),
    ),
  );
});
