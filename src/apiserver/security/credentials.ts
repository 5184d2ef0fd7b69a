/** The keys a server keeps in its data directory: made once, readable by their owner only. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyPair } from "./certificates.ts";

export interface Credentials {
  readonly authority: KeyPair;
  readonly server: KeyPair;
  readonly admin: KeyPair;
  /** Signs service account tokens (EC private key, PEM). */
  readonly tokenKey: string;
}

const PAIRS = { authority: "ca", server: "server", admin: "admin" } as const;
const TOKEN_KEY = "tokens.key";

/** Reads the credentials in `directory`, or makes them; without a directory they live only as long as the process. */
export async function loadCredentials(directory: string | undefined, now: Date): Promise<Credentials> {
  if (directory && existsSync(join(directory, TOKEN_KEY))) return readAll(directory);
  const made = await makeCredentials(now);
  if (directory) writeAll(directory, made);
  return made;
}

async function makeCredentials(now: Date): Promise<Credentials> {
  // Loaded only when needed: it costs more start-up time than everything else together.
  const { createAuthority, createSigningKey, issue } = await import("./certificates.ts");
  const authority = await createAuthority(now);
  const names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const addresses = ["127.0.0.1", "::1"];
  const [server, admin, tokenKey] = await Promise.all([
    issue(authority, { subject: "CN=kube-apiserver", usage: "server", names, addresses }, now),
    issue(authority, { subject: "O=system:masters, CN=kubernetes-admin", usage: "client" }, now),
    createSigningKey(),
  ]);
  return { authority, server, admin, tokenKey };
}

function readAll(directory: string): Credentials {
  const read = (name: string): string => readFileSync(join(directory, name), "utf8");
  const pair = (name: string): KeyPair => ({ cert: read(`${name}.crt`), key: read(`${name}.key`) });
  return {
    authority: pair(PAIRS.authority),
    server: pair(PAIRS.server),
    admin: pair(PAIRS.admin),
    tokenKey: read(TOKEN_KEY),
  };
}

function writeAll(directory: string, credentials: Credentials): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const which of ["authority", "server", "admin"] as const) {
    writePrivate(join(directory, `${PAIRS[which]}.crt`), credentials[which].cert);
    writePrivate(join(directory, `${PAIRS[which]}.key`), credentials[which].key);
  }
  // Last: its presence says that all others are complete.
  writePrivate(join(directory, TOKEN_KEY), credentials.tokenKey);
}

/** Writes a file that appears whole and that only its owner can read. */
export function writePrivate(file: string, content: string): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
