/**
 * `npm run kube`: a real control plane in the foreground, until Ctrl-C.
 * `npm run kube -- --run COMMAND…`: starts one, runs the command with KUBECONFIG set, stops it, ends with the command's code.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { startControlPlane } from "../e2e/control-plane/start.ts";

const [flag, ...command] = process.argv.slice(2);
if (flag !== undefined && (flag !== "--run" || command.length === 0)) {
  console.error(`unknown argument ${flag}: use no argument, or --run COMMAND…`);
  process.exit(2);
}

const stopRequested = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
const plane = await startControlPlane({ log: (line) => console.error(line) });
const environment = { KUBECONFIG: plane.kubeconfig, METALWRIGHT_KUBECTL: plane.programs.kubectl };
let code = 0;
if (flag === "--run") {
  const child = spawn(command[0] as string, command.slice(1), {
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  void stopRequested.then(() => child.kill("SIGTERM"));
  const [exitCode] = (await once(child, "exit")) as [number | null];
  code = exitCode ?? 1;
} else {
  console.log(`A real Kubernetes ${plane.url} is ready. In another terminal:

  export KUBECONFIG=${plane.kubeconfig}
  ${plane.programs.kubectl} get namespaces

Ctrl-C stops it and deletes its data.`);
  await stopRequested;
}
await plane.stop();
process.exit(code);
