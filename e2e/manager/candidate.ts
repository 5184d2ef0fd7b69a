/**
 * A small program for the fault scenarios: one of several replicas that elect a leader, whose leader stamps its name onto
 * ConfigMaps again and again. Its controller is rude on purpose: it sleeps in the middle of a pass and ignores every
 * request to stop, so that only the fence stands between it and a write after the lease.
 */
import { pino } from "pino";
import { systemClock as clock, systemRandom as random } from "#clock";
import { ConfigMap } from "#kinds";
import { connect, controller, createClient, createManager, loadConfig, onTermination, settled } from "#kube";
import { timing } from "./timing.ts";

const [identity = "", namespace = "", guard = "guarded"] = process.argv.slice(2);

const transport = connect(await loadConfig({ env: process.env }), { clock, random });
const stamper = controller({
  name: "stamper",
  kind: ConfigMap,
  scope: { namespace, labelSelector: "stamp=me" },
  concurrency: 8,
  observe: async ({ object, now }) => {
    await clock.sleep(150);
    return { object, now };
  },
  decide: ({ now }) => settled("stamp again soon", { wakeAt: new Date(now.getTime() + 200) }),
  act: async ({ key, client }) => {
    await client.patch(ConfigMap, key, { type: "merge", body: { data: { by: identity } } });
  },
});

const manager = createManager({
  connect: (fence) =>
    createClient(transport, { clock, random, userAgent: identity, ...(guard === "unguarded" ? {} : { fence }) }),
  clock,
  logger: pino(),
  election: {
    lease: { namespace, name: "stamper" },
    identity,
    timing,
  },
  drainMs: 1_000,
});
const end = await manager.add(stamper).run(onTermination().signal);
await transport.close();
process.stdout.write(`${JSON.stringify(end)}\n`, () => process.exit(end.ended === "stopped" ? 0 : 3));
