/** A certificate per BMC, signed by the fleet's own authority and made when a client first connects. */
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { Clock } from "#clock";

export interface Subject {
  readonly name: string;
  readonly address: string;
  /** Past its date. */
  readonly expired: boolean;
}

interface Issued {
  readonly context: SecureContext;
  readonly expired: boolean;
}

type KeyPair = webcrypto.CryptoKeyPair;

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;
const SHARED_KEYS = 4;
/** A secure context holds tens of kilobytes outside the heap, so only the busiest are kept. */
const KEPT_CONTEXTS = 1_000;
const HANDSHAKE_DEADLINE_MS = 10_000;

export class Certificates {
  readonly authority: string;
  readonly #clock: Clock;
  readonly #root: { readonly certificate: X509Certificate; readonly keys: KeyPair };
  readonly #keys: readonly { readonly pair: KeyPair; readonly pem: string }[];
  readonly #subjectOf: (bmc: number) => Subject;
  readonly #issued = new Map<number, Promise<Issued>>();
  #serial = 0;

  private constructor(
    clock: Clock,
    root: { readonly certificate: X509Certificate; readonly keys: KeyPair },
    keys: readonly { readonly pair: KeyPair; readonly pem: string }[],
    subjectOf: (bmc: number) => Subject,
  ) {
    this.#clock = clock;
    this.#root = root;
    this.#keys = keys;
    this.#subjectOf = subjectOf;
    this.authority = root.certificate.toString("pem");
  }

  /** Makes the authority and the few keys that all BMCs share: a key each would take seconds and buy nothing. */
  static async make(clock: Clock, subjectOf: (bmc: number) => Subject): Promise<Certificates> {
    const keys = await makeKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned({
      serialNumber: "01",
      name: "CN=Simulated fleet",
      ...validity(clock, false),
      signingAlgorithm: algorithm,
      keys,
      extensions: [new BasicConstraintsExtension(true, 1, true)],
    });
    const shared = await Promise.all(Array.from({ length: SHARED_KEYS }, sharedKey));
    return new Certificates(clock, { certificate, keys }, shared, subjectOf);
  }

  /** The connection after its handshake; undefined when the client broke it off. */
  async secure(socket: Socket, bmc: number): Promise<Duplex | undefined> {
    const { context } = await this.#contextFor(bmc);
    return new Promise((resolve) => {
      const secured = new TLSSocket(socket, { isServer: true, secureContext: context });
      const deadline = this.#clock.after(HANDSHAKE_DEADLINE_MS, () => settle(undefined));
      const settle = (result: Duplex | undefined): void => {
        deadline.cancel();
        resolve(result);
      };
      secured.once("secure", () => settle(secured));
      secured.on("error", () => settle(undefined));
      secured.once("close", () => settle(undefined));
    });
  }

  async #contextFor(bmc: number): Promise<Issued> {
    const known = await this.#issued.get(bmc);
    if (known && known.expired === this.#subjectOf(bmc).expired) return known;
    const issuing = this.#issue(bmc, this.#subjectOf(bmc));
    this.#issued.delete(bmc);
    this.#issued.set(bmc, issuing);
    for (const oldest of this.#issued.keys()) {
      if (this.#issued.size <= KEPT_CONTEXTS) break;
      this.#issued.delete(oldest);
    }
    return issuing;
  }

  async #issue(bmc: number, subject: Subject): Promise<Issued> {
    const key = this.#keys[bmc % this.#keys.length];
    if (!key) throw new Error("the fleet has no keys");
    const certificate = await X509CertificateGenerator.create({
      serialNumber: (0x1000 + ++this.#serial).toString(16),
      subject: `CN=${subject.name}`,
      issuer: this.#root.certificate.subject,
      ...validity(this.#clock, subject.expired),
      signingAlgorithm: algorithm,
      publicKey: key.pair.publicKey,
      signingKey: this.#root.keys.privateKey,
      extensions: [
        new SubjectAlternativeNameExtension([
          { type: "ip", value: subject.address },
          { type: "dns", value: subject.name },
        ]),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      ],
    });
    const context = createSecureContext({ cert: certificate.toString("pem"), key: key.pem });
    return { context, expired: subject.expired };
  }
}

function validity(clock: Clock, expired: boolean): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = clock.now().getTime();
  return { notBefore: new Date(now - 30 * DAY_MS), notAfter: new Date(expired ? now - DAY_MS : now + 3650 * DAY_MS) };
}

function makeKeys(): Promise<KeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]) as Promise<KeyPair>;
}

async function sharedKey(): Promise<{ readonly pair: KeyPair; readonly pem: string }> {
  const pair = await makeKeys();
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", pair.privateKey)).toString("base64");
  return { pair, pem: `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n` };
}
