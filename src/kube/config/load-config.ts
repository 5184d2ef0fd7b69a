/** Finds out which API server to talk to and as whom: flag, then KUBECONFIG, then the pod's own account, then ~/.kube/config. */
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { chooseContext } from "./choose-context.ts";
import { ConfigError } from "./config-error.ts";
import type { ConnectionConfig } from "./connection-config.ts";
import { inClusterConfig } from "./in-cluster.ts";
import { type Kubeconfig, mergeKubeconfigs, readKubeconfig } from "./kubeconfig.ts";

export interface LoadOptions {
  /** `--kubeconfig`: exactly this file, which must exist. */
  readonly kubeconfig?: string;
  /** `--context`: instead of the current one. */
  readonly context?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a pod finds its service account; for tests. */
  readonly serviceAccountFolder?: string;
}

/** Rejects with a {@link ConfigError} that names the file, what is wrong with it and the remedy. */
export async function loadConfig(options: LoadOptions): Promise<ConnectionConfig> {
  const { kubeconfig, context, env, serviceAccountFolder } = options;
  if (kubeconfig) return chooseContext(await explicitFile(resolve(kubeconfig)), context);
  const listed = (env.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  if (listed.length > 0) return chooseContext(await listedFiles(listed), context);
  const inCluster = context === undefined ? await inClusterConfig(env, serviceAccountFolder) : undefined;
  if (inCluster) return inCluster;
  const home = join(env.HOME ?? homedir(), ".kube", "config");
  const config = await readKubeconfig(home);
  if (config) return chooseContext(config, context);
  throw new ConfigError(
    `no Kubernetes configuration found: --kubeconfig and KUBECONFIG are not set, this is not a pod, and ${home} does not exist`,
  );
}

async function explicitFile(path: string): Promise<Kubeconfig> {
  const config = await readKubeconfig(path);
  if (!config) throw new ConfigError(`kubeconfig ${path} does not exist; check --kubeconfig`);
  return config;
}

/** As kubectl: files of the list that do not exist are passed over, as long as one does. */
async function listedFiles(paths: readonly string[]): Promise<Kubeconfig> {
  const read = await Promise.all(paths.map((path) => readKubeconfig(resolve(path))));
  const configs = read.filter((config) => config !== undefined);
  if (configs.length === 0)
    throw new ConfigError(`KUBECONFIG names only files that do not exist: ${paths.join(", ")}; correct or unset it`);
  return mergeKubeconfigs(configs);
}
