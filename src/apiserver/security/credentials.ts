/** The keys a server keeps in its data directory: made once, readable by their owner only. */
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyPair } from "./certificates.ts";

export interface Certificates {
  readonly authority: KeyPair;
  readonly server: KeyPair;
  readonly admin: KeyPair;
}

const PAIRS = { authority: "ca", server: "server", admin: "admin" } as const;
const TOKEN_KEY = "tokens.key";
const MARK = "complete";

/** The key that signs service account tokens; without a directory it lives only as long as the process. */
export function loadTokenKey(directory: string | undefined): string {
  const file = directory && join(directory, TOKEN_KEY);
  if (file && existsSync(file)) return readFileSync(file, "utf8");
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  if (file) writePrivate(file, privateKey);
  return privateKey;
}

/** Reads the certificates in `directory`, or makes them; without a directory they live only as long as the process. */
export async function loadCertificates(directory: string | undefined, now: Date): Promise<Certificates> {
  if (directory && existsSync(join(directory, MARK))) return readAll(directory);
  const made = await makeCertificates(now);
  if (directory) writeAll(directory, made);
  return made;
}

async function makeCertificates(now: Date): Promise<Certificates> {
  // Loaded only when needed: it costs more start-up time than everything else together.
  const { createAuthority, issue } = await import("./certificates.ts");
  const authority = await createAuthority(now);
  const names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const addresses = ["127.0.0.1", "::1"];
  const [server, admin] = await Promise.all([
    issue(authority, { subject: "CN=kube-apiserver", usage: "server", names, addresses }, now),
    issue(authority, { subject: "O=system:masters, CN=kubernetes-admin", usage: "client" }, now),
  ]);
  return { authority, server, admin };
}

function readAll(directory: string): Certificates {
  const read = (name: string): string => readFileSync(join(directory, name), "utf8");
  const pair = (name: string): KeyPair => ({ cert: read(`${name}.crt`), key: read(`${name}.key`) });
  return { authority: pair(PAIRS.authority), server: pair(PAIRS.server), admin: pair(PAIRS.admin) };
}

function writeAll(directory: string, certificates: Certificates): void {
  for (const which of ["authority", "server", "admin"] as const) {
    writePrivate(join(directory, `${PAIRS[which]}.crt`), certificates[which].cert);
    writePrivate(join(directory, `${PAIRS[which]}.key`), certificates[which].key);
  }
  // Last: its presence says that all others are whole.
  writePrivate(join(directory, MARK), "");
}

/** Writes a file that appears whole and that only its owner can read. */
export function writePrivate(file: string, content: string): void {
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
