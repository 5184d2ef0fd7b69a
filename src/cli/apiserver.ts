/** `metalwright apiserver`: runs the embedded Kubernetes API until it is told to stop. */
import { startApiServer, UnusableData } from "#apiserver";

export interface ApiServerFlags {
  readonly data: string;
  readonly port: string;
  readonly host: string;
}

export async function runApiServer({ data, port, host }: ApiServerFlags): Promise<void> {
  const report = (what: string, error: unknown): void => console.error(`${what}: ${String(error)}`);
  try {
    const server = await startApiServer({ data, port: Number(port), host, report });
    console.log(
      `Kubernetes API ready at ${server.url}\n\n  export KUBECONFIG=${server.kubeconfigPath}\n  kubectl get namespaces\n`,
    );
    await stopSignal();
    await server.close();
  } catch (error) {
    console.error(error instanceof UnusableData ? error.message : error);
    process.exitCode = 1;
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
