/** `metalwright apiserver`: runs the embedded Kubernetes API until it is told to stop. */
import type { Command } from "commander";
import { parsePort } from "./flags.ts";
import { announceReady } from "./ready.ts";
import { stopRequested } from "./stop.ts";

interface Flags {
  readonly data: string;
  readonly port: number;
  readonly host: string;
  readonly auditLog?: string;
}

export function addApiServerCommand(program: Command): void {
  const command = program
    .command("apiserver")
    .description("run the embedded Kubernetes API")
    .requiredOption("--data <dir>", "where everything is kept; created when missing")
    .option("--port <number>", "port to listen on; 0 takes a free one", parsePort, 6443)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--audit-log <file>", "note every request there, one audit.k8s.io event per line")
    .action(runApiServer);
  command
    .command("backup")
    .description("write everything in --data into one file, also while a server is running on it")
    .requiredOption("--to <file>", "the file to write; it holds secrets and keys")
    .action(({ to }: { to: string }) => copy("backUp", command.opts<Flags>().data, to));
  command
    .command("restore")
    .description("make a new data directory of a backup")
    .requiredOption("--from <file>", "a file that backup wrote")
    .action(({ from }: { from: string }) => copy("restore", command.opts<Flags>().data, from));
}

async function copy(direction: "backUp" | "restore", data: string, file: string): Promise<void> {
  const apiserver = await import("#apiserver");
  try {
    const { records } = await apiserver[direction](data, file);
    console.log(
      direction === "backUp"
        ? `${records} records of ${data} are in ${file}`
        : `${records} records restored to ${data}`,
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

async function runApiServer({ data, port, host, auditLog }: Flags): Promise<void> {
  const { startApiServer, UnusableData } = await import("#apiserver");
  const report = (what: string, error: unknown): void => console.error(`${what}: ${String(error)}`);
  try {
    const server = await startApiServer({ data, port, host, report, ...(auditLog && { auditLog }) });
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
