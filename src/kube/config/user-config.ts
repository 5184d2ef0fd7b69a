/** Decodes the user entry of a kubeconfig: who we are to the server, or which plugin says so. */
import { dirname, resolve, sep } from "node:path";
import { Redacted } from "#kinds";
import type { ExecConfig, Impersonation, Material, UserConfig } from "./connection-config.ts";
import type { Fields } from "./fields.ts";

/** Data wins over a file, as in kubectl; a relative file lies beside the kubeconfig that names it. */
export function material(fields: Fields, name: string, kubeconfig: string): Material | undefined {
  const data = fields.base64(`${name}-data`);
  if (data !== undefined) return { data: new Redacted(data) };
  const file = fields.text(name);
  return file === undefined ? undefined : { file: resolve(dirname(kubeconfig), file) };
}

export function decodeUser(fields: Fields, kubeconfig: string): UserConfig {
  refuseLegacyProvider(fields);
  const certificate = material(fields, "client-certificate", kubeconfig);
  const key = material(fields, "client-key", kubeconfig);
  if (!certificate !== !key)
    fields.problems.push(
      `${fields.path(certificate ? "client-key" : "client-certificate")} is missing beside its other half`,
    );
  const token = tokenOf(fields, kubeconfig);
  const basic = basicOf(fields);
  const execFields = fields.under("exec");
  const exec = execFields && decodeExec(execFields, kubeconfig);
  if (exec && (token || basic))
    fields.problems.push(`${fields.path("exec")} and a token or password exclude each other`);
  return {
    ...(certificate && key && { clientCertificate: { certificate, key } }),
    ...(token && { token }),
    ...(basic && { basic }),
    ...(exec && { exec }),
  };
}

export function decodeImpersonation(fields: Fields): Impersonation | undefined {
  const user = fields.text("as");
  const uid = fields.text("as-uid");
  const groups = fields.texts("as-groups");
  const extraFields = fields.under("as-user-extra");
  const extra = Object.fromEntries(
    Object.keys((fields.raw("as-user-extra") ?? {}) as object).map((key) => [key, extraFields?.texts(key) ?? []]),
  );
  const hasExtra = Object.keys(extra).length > 0;
  if (user === undefined) {
    if (uid !== undefined || groups.length > 0 || hasExtra)
      fields.problems.push(`${fields.path("as")} must be given when a uid, groups or extras are impersonated`);
    return undefined;
  }
  return { user, ...(uid && { uid }), ...(groups.length > 0 && { groups }), ...(hasExtra && { extra }) };
}

function tokenOf(fields: Fields, kubeconfig: string): Material | undefined {
  const file = fields.text("tokenFile");
  if (file !== undefined) return { file: resolve(dirname(kubeconfig), file) };
  const token = fields.text("token");
  return token === undefined ? undefined : { data: new Redacted(token) };
}

function basicOf(fields: Fields): UserConfig["basic"] {
  const username = fields.text("username");
  return username === undefined ? undefined : { username, password: new Redacted(fields.text("password") ?? "") };
}

function refuseLegacyProvider(fields: Fields): void {
  const provider = fields.under("auth-provider");
  if (!provider) return;
  const name = provider.text("name") ?? "unknown";
  fields.problems.push(
    `${fields.path("auth-provider")} "${name}" was removed from Kubernetes clients; use an exec credential plugin instead`,
  );
}

const EXEC_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"] as const;
const INTERACTIVE_MODES = ["Never", "IfAvailable", "Always"] as const;

function decodeExec(fields: Fields, kubeconfig: string): ExecConfig | undefined {
  const version = fields.required("apiVersion");
  const command = fields.required("command");
  const apiVersion = EXEC_VERSIONS.find((known) => known === version);
  if (version !== undefined && !apiVersion)
    fields.problems.push(`${fields.path("apiVersion")} "${version}" is not supported; use ${EXEC_VERSIONS[0]}`);
  const interactiveMode = interactiveModeOf(fields, apiVersion);
  if (!apiVersion || command === undefined || !interactiveMode) return undefined;
  const installHint = fields.text("installHint");
  return {
    apiVersion,
    command: command.includes(sep) ? resolve(dirname(kubeconfig), command) : command,
    args: fields.texts("args"),
    env: environmentOf(fields),
    provideClusterInfo: fields.flag("provideClusterInfo"),
    interactiveMode,
    ...(installHint && { installHint }),
  };
}

function interactiveModeOf(fields: Fields, version: string | undefined): ExecConfig["interactiveMode"] | undefined {
  const given = fields.text("interactiveMode");
  if (given === undefined && version === EXEC_VERSIONS[1]) return "IfAvailable";
  const mode = INTERACTIVE_MODES.find((known) => known === given);
  if (!mode) fields.problems.push(`${fields.path("interactiveMode")} must be one of ${INTERACTIVE_MODES.join(", ")}`);
  return mode;
}

function environmentOf(fields: Fields): Record<string, string> {
  const pairs = fields.list("env").map((value, at) => {
    const { name, value: text } = (value ?? {}) as { name?: unknown; value?: unknown };
    if (typeof name === "string" && name !== "" && (text === undefined || typeof text === "string"))
      return [name, text ?? ""] as const;
    fields.problems.push(`${fields.path(`env[${at}]`)} must be a name and a value`);
    return undefined;
  });
  return Object.fromEntries(pairs.filter((pair) => pair !== undefined));
}
