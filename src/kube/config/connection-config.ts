/** Everything needed to reach one API server as one user: plain data, already checked, secrets wrapped. */
import type { Redacted } from "#kinds";

/** Material that was written into the configuration, or lies in a file that may be replaced while we run. */
export type Material = { readonly data: Redacted } | { readonly file: string };

/** How to run a credential plugin (client.authentication.k8s.io). */
export interface ExecConfig {
  readonly apiVersion: "client.authentication.k8s.io/v1" | "client.authentication.k8s.io/v1beta1";
  /** A bare name is looked up in PATH; a relative path was already resolved against its kubeconfig. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
  /** The cluster's `client.authentication.k8s.io/exec` extension, handed to the plugin as it is. */
  readonly clusterExtension?: unknown;
}

/** The ways to say who we are; of several, a client certificate goes along with any one of the others. */
export interface UserConfig {
  readonly clientCertificate?: { readonly certificate: Material; readonly key: Material };
  readonly token?: Material;
  readonly basic?: { readonly username: string; readonly password: Redacted };
  readonly exec?: ExecConfig;
}

export interface Impersonation {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ConnectionConfig {
  /** Where this came from, for messages: a file and context, or "in-cluster". */
  readonly source: string;
  /** Origin and optional path prefix, without a slash at the end. */
  readonly server: string;
  /** The namespace of the context; `default` when it names none. */
  readonly namespace: string;
  readonly certificateAuthority?: Material;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** An http or https proxy to tunnel through; may contain a password, hence wrapped. */
  readonly proxyUrl?: Redacted;
  readonly user: UserConfig;
  readonly impersonate?: Impersonation;
}
