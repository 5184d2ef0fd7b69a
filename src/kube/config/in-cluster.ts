/** The configuration a pod finds in its own file system. The token is bound and rotates, so only its path is kept. */
import { access, readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";
import type { ConnectionConfig } from "./connection-config.ts";

export const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Undefined when this is not a pod; an error when it looks like one but has no token mounted. */
export async function inClusterConfig(
  env: Readonly<Record<string, string | undefined>>,
  folder = SERVICE_ACCOUNT_FOLDER,
): Promise<ConnectionConfig | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) return undefined;
  const token = join(folder, "token");
  const authority = join(folder, "ca.crt");
  for (const file of [token, authority]) {
    await access(file).catch((cause: unknown) => {
      throw new ConfigError(
        `this pod cannot use its service account: ${file} is not readable; set automountServiceAccountToken or name a kubeconfig with --kubeconfig`,
        { cause },
      );
    });
  }
  const namespace = await readFile(join(folder, "namespace"), "utf8").catch(() => "");
  return {
    source: "in-cluster",
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    namespace: namespace.trim() || "default",
    certificateAuthority: { file: authority },
    user: { token: { file: token } },
  };
}
