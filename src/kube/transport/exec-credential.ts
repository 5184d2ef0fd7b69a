/** Decodes what a credential plugin printed. It must never quote it. */

import { Redacted } from "#kinds";
import type { ExecConfig } from "../config/connection-config.ts";
import { CredentialError } from "./credential-error.ts";

export interface ExecCredential {
  readonly token?: Redacted;
  readonly clientCertificate?: { readonly certificate: string; readonly key: Redacted };
  /** Absent: good until the server refuses it. */
  readonly expires?: Date;
}

/** Throws a {@link CredentialError} that names the plugin and everything wrong with its answer. */
export function decodeExecCredential(output: string, { command, apiVersion }: ExecConfig): ExecCredential {
  const refuse = (what: string): never => {
    throw new CredentialError(`credential plugin ${command} ${what}; run it by hand to see its answer`);
  };
  const answer = parse(output) ?? refuse("printed something that is not JSON");
  if (answer.kind !== "ExecCredential") refuse("printed JSON that is no ExecCredential");
  if (answer.apiVersion !== apiVersion)
    refuse(`answered with apiVersion ${String(answer.apiVersion)} where the kubeconfig says ${apiVersion}`);
  const status = (answer.status ?? refuse("printed an ExecCredential without a status")) as Record<string, unknown>;
  return decodeStatus(status, refuse);
}

function decodeStatus(status: Record<string, unknown>, refuse: (what: string) => never): ExecCredential {
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status;
  const hasPair = typeof clientCertificateData === "string" && typeof clientKeyData === "string";
  if (!hasPair && (clientCertificateData || clientKeyData))
    refuse("printed a client certificate or key without the other");
  if (!token && !hasPair) refuse("printed neither a token nor a client certificate");
  const expires = expirationTimestamp ? new Date(String(expirationTimestamp)) : undefined;
  if (expires && Number.isNaN(expires.getTime())) refuse("printed an expirationTimestamp that is no time");
  return {
    ...(typeof token === "string" && token !== "" && { token: new Redacted(token) }),
    ...(hasPair && { clientCertificate: { certificate: clientCertificateData, key: new Redacted(clientKeyData) } }),
    ...(expires && { expires }),
  };
}

function parse(output: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
