/** Turns a context of a kubeconfig into what is needed to connect, or says everything that is wrong with it. */

import { Redacted } from "#kinds";
import { ConfigError } from "./config-error.ts";
import type { ConnectionConfig, UserConfig } from "./connection-config.ts";
import { Fields } from "./fields.ts";
import type { Entry, Kubeconfig } from "./kubeconfig.ts";
import { decodeImpersonation, decodeUser, material } from "./user-config.ts";

const EXEC_EXTENSION = "client.authentication.k8s.io/exec";

/** The named context, or the current one. */
export function chooseContext(config: Kubeconfig, wanted?: string): ConnectionConfig {
  const name = wanted ?? config.currentContext;
  if (name === undefined)
    throw new ConfigError(`${named(config)} sets no current-context; choose one with --context (${listed(config)})`);
  const entry = config.contexts.get(name);
  if (!entry) throw new ConfigError(`${named(config)} has no context "${name}"; ${listed(config)}`);
  const problems: string[] = [];
  const context = new Fields(entry.body, `context "${name}"`, problems);
  const cluster = referenced(context, "cluster", config.clusters);
  const user = context.text("user") === undefined ? undefined : referenced(context, "user", config.users);
  const connection = cluster && decodeCluster(cluster.fields, cluster.file);
  const who = user ? decodeUser(user.fields, user.file) : {};
  const impersonate = user && decodeImpersonation(user.fields);
  if (problems.length > 0 || !connection)
    throw new ConfigError(`${named(config)} cannot be used with context "${name}": ${problems.join("; ")}`);
  return {
    ...connection,
    source: `${entry.file}, context "${name}"`,
    namespace: context.text("namespace") ?? "default",
    user: withExtension(who, cluster.fields),
    ...(impersonate && { impersonate }),
  };
}

function referenced(context: Fields, member: "cluster" | "user", entries: ReadonlyMap<string, Entry>) {
  const name = context.required(member);
  if (name === undefined) return undefined;
  const entry = entries.get(name);
  if (entry) return { file: entry.file, fields: new Fields(entry.body, `${member} "${name}"`, context.problems) };
  const others = [...entries.keys()].join(", ") || "none";
  context.problems.push(`${context.path(member)} names "${name}", which is not defined (defined: ${others})`);
  return undefined;
}

function decodeCluster(
  fields: Fields,
  file: string,
): Omit<ConnectionConfig, "source" | "namespace" | "user"> | undefined {
  const server = serverUrl(fields);
  const certificateAuthority = material(fields, "certificate-authority", file);
  const tlsServerName = fields.text("tls-server-name");
  const insecureSkipTlsVerify = fields.flag("insecure-skip-tls-verify");
  if (insecureSkipTlsVerify && certificateAuthority)
    fields.problems.push(`${fields.path("insecure-skip-tls-verify")} and a certificate-authority exclude each other`);
  const proxyUrl = proxyOf(fields);
  if (server === undefined) return undefined;
  return {
    server,
    ...(certificateAuthority && { certificateAuthority }),
    ...(tlsServerName && { tlsServerName }),
    ...(insecureSkipTlsVerify && { insecureSkipTlsVerify }),
    ...(proxyUrl && { proxyUrl }),
  };
}

function serverUrl(fields: Fields): string | undefined {
  const text = fields.required("server");
  if (text === undefined) return undefined;
  // kubectl takes a bare host:port to mean https.
  const url = parseUrl(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  if (url && (url.protocol === "https:" || url.protocol === "http:"))
    return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  fields.problems.push(`${fields.path("server")} "${text}" must be an http or https URL`);
  return undefined;
}

function proxyOf(fields: Fields): Redacted | undefined {
  const text = fields.text("proxy-url");
  if (text === undefined) return undefined;
  const url = parseUrl(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return new Redacted(text);
  const what = url ? `scheme "${url.protocol.slice(0, -1)}" is not supported` : "is not a URL";
  fields.problems.push(`${fields.path("proxy-url")}: ${what}; use an http or https proxy that allows CONNECT`);
  return undefined;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function withExtension(user: UserConfig, cluster: Fields): UserConfig {
  if (!user.exec) return user;
  const extensions = cluster.list("extensions") as readonly ({ name?: unknown; extension?: unknown } | null)[];
  const found = extensions.find((extension) => extension?.name === EXEC_EXTENSION);
  return found ? { ...user, exec: { ...user.exec, clusterExtension: found.extension } } : user;
}

function named({ files }: Kubeconfig): string {
  return `kubeconfig ${files.join(", ")}`;
}

function listed({ contexts }: Kubeconfig): string {
  const names = [...contexts.keys()];
  return names.length === 0 ? "it has none" : `available: ${names.join(", ")}`;
}
