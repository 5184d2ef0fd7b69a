/** `metalwright up`: what one machine needs, as child processes: the embedded control plane and a simulated fleet. */
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { Command } from "commander";
import { parsePort } from "./flags.ts";
import { Part } from "./part.ts";
import { stopRequested } from "./stop.ts";

interface Flags {
  readonly data: string;
  readonly servers: string;
  readonly apiPort: number;
  readonly fleetPort: number;
}

export function addUpCommand(program: Command): void {
  program
    .command("up")
    .description("start what one machine needs: the embedded control plane and a simulated fleet")
    .option("--data <dir>", "where everything is kept; created when missing", ".metalwright")
    .option("--servers <n>", "how many servers to simulate; 0 for none", "40")
    .option("--api-port <number>", "port of the Kubernetes API; 0 takes a free one", parsePort, 0)
    .option("--fleet-port <number>", "port of the simulated BMCs", parsePort, 8620)
    .action(up);
}

async function up(flags: Flags): Promise<void> {
  const began = performance.now();
  const parts: Part[] = [];
  const start = (name: string, ...args: string[]): Part => {
    const part = new Part(name, args);
    parts.push(part);
    return part;
  };
  try {
    const stop = stopRequested().then(() => "");
    const ended = await Promise.race([stop, bringUp(flags, start, began)]);
    if (ended !== "") throw new Error(ended);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    for (const part of parts.reverse()) await part.stop();
  }
}

/** Resolves with a sentence when one of the parts ends by itself. */
async function bringUp(flags: Flags, start: (name: string, ...args: string[]) => Part, began: number): Promise<string> {
  const token = randomBytes(18).toString("base64url");
  const apiServer = start("apiserver", "--data", resolve(flags.data), "--port", String(flags.apiPort));
  const fleet =
    Number(flags.servers) === 0
      ? undefined
      : start("fleet", "--servers", flags.servers, "--port", String(flags.fleetPort), "--token", token);
  const { kubeconfig } = await apiServer.ready();
  const { applyObjects, connectTo, installKinds } = await import("./install-kinds.ts");
  const client = await connectTo(String(kubeconfig));
  const kinds = await installKinds(client);
  console.log(`Control plane ready in ${((performance.now() - began) / 1000).toFixed(1)} s, ${kinds} kinds installed.`);
  if (fleet) {
    const { control } = await fleet.ready();
    const { askFleet } = await import("./fleet.ts");
    await applyObjects(client, JSON.parse(await askFleet(String(control), token, "manifests")));
    console.log(`\n${await askFleet(String(control), token, "status")}`);
  }
  console.log(`In another terminal:

  export KUBECONFIG=${String(kubeconfig)}
  kubectl get bmcs

Ctrl-C stops everything; the objects stay in ${resolve(flags.data)}.`);
  return Promise.race([apiServer, ...(fleet ? [fleet] : [])].map((part) => part.ended));
}
