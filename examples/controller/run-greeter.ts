/** Runs the greeter on the cluster your kubeconfig names: `node scripts/run-ts.mjs examples/controller/run-greeter.ts`. */
import { pino } from "pino";
import { systemClock as clock, systemRandom as random } from "#clock";
import { connect, createClient, createManager, loadConfig, onTermination } from "#kube";
import { greeter } from "./greeter.ts";

const transport = connect(await loadConfig({ env: process.env }), { clock, random });
const manager = createManager({
  connect: (fence) => createClient(transport, { clock, random, userAgent: "greeter", fence }),
  clock,
  logger: pino(),
  election: { lease: { namespace: "default", name: "greeter" } },
  serve: { port: 8081 },
});
const end = await manager.add(greeter).run(onTermination().signal);
await transport.close();
process.exitCode = end.ended === "stopped" ? 0 : 1;
