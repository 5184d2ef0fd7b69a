/** The server's own certificate authority and what it signs: server and client certificates (ECDSA P-256). */
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;
const VALID_DAYS = 3650;
const SIGNS_DATA = x509.KeyUsageFlags.digitalSignature;
const SIGNS_CERTIFICATES = x509.KeyUsageFlags.keyCertSign;

x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<webcrypto.CryptoKeyPair>;
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const lines = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key))
    .toString("base64")
    .match(/.{1,64}/g);
  return `-----BEGIN PRIVATE KEY-----\n${(lines ?? []).join("\n")}\n-----END PRIVATE KEY-----\n`;
}

function validity(now: Date): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - DAY_MS), notAfter: new Date(now.getTime() + VALID_DAYS * DAY_MS) };
}

function serialNumber(): string {
  return Buffer.from(webcrypto.getRandomValues(new Uint8Array(8)).fill(1, 0, 1)).toString("hex");
}

export async function createAuthority(now: Date): Promise<KeyPair> {
  const keys = await newKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: "CN=metalwright-ca",
    ...validity(now),
    signingAlgorithm: ALGORITHM,
    keys: keys as never,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(SIGNS_DATA | SIGNS_CERTIFICATES, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey as never),
    ],
  });
  return { cert: `${cert.toString("pem")}\n`, key: await exportKey(keys.privateKey) };
}

export interface LeafRequest {
  /** An X.500 name, e.g. `CN=admin, O=system:masters`. */
  readonly subject: string;
  readonly usage: "server" | "client";
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
}

export async function issue(authority: KeyPair, request: LeafRequest, now: Date): Promise<KeyPair> {
  const keys = await newKeys();
  const usage = request.usage === "server" ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
  const names = [
    ...(request.names ?? []).map((value) => ({ type: "dns" as const, value })),
    ...(request.addresses ?? []).map((value) => ({ type: "ip" as const, value })),
  ];
  const cert = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: request.subject,
    issuer: new x509.X509Certificate(authority.cert).subject,
    ...validity(now),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey as never,
    signingKey: (await importKey(authority.key)) as never,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(SIGNS_DATA, true),
      new x509.ExtendedKeyUsageExtension([usage]),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { cert: `${cert.toString("pem")}\n`, key: await exportKey(keys.privateKey) };
}

async function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
  return webcrypto.subtle.importKey("pkcs8", der, ALGORITHM, true, ["sign"]);
}
