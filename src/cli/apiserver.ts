/** `metalwright apiserver`: runs the embedded Kubernetes API until it is told to stop. */
import type { Command } from "commander";
import { parsePort } from "./flags.ts";
import { announceReady } from "./ready.ts";
import { stopRequested } from "./stop.ts";

interface Flags {
  readonly data: string;
  readonly port: number;
  readonly host: string;
}

export function addApiServerCommand(program: Command): void {
  program
    .command("apiserver")
    .description("run the embedded Kubernetes API")
    .requiredOption("--data <dir>", "where everything is kept; created when missing")
    .option("--port <number>", "port to listen on; 0 takes a free one", parsePort, 6443)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .action(runApiServer);
}

async function runApiServer({ data, port, host }: Flags): Promise<void> {
  const { startApiServer, UnusableData } = await import("#apiserver");
  const report = (what: string, error: unknown): void => console.error(`${what}: ${String(error)}`);
  try {
    const server = await startApiServer({ data, port, host, report });
    const { url, kubeconfigPath: kubeconfig } = server;
    if (!announceReady({ url, kubeconfig }))
      console.log(`Kubernetes API ready at ${url}

  export KUBECONFIG=${kubeconfig}
  kubectl get namespaces
`);
    await stopRequested();
    await server.close();
  } catch (error) {
    console.error(error instanceof UnusableData ? error.message : error);
    process.exitCode = 1;
  }
}
