/** Whose certificate we accept from a BMC, decided before a single byte of a request is sent. */
import type { TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import { failure, type Outcome, success } from "./outcome.ts";

export type Trust =
  /** PEM certificates of authorities; without any, those of the system. */
  | { readonly mode: "authority"; readonly ca?: string }
  /** Exactly this certificate, by SHA-256 fingerprint (hex, colons optional). */
  | { readonly mode: "pinned"; readonly fingerprint: string }
  /** Whatever certificate came first is recorded by the caller and becomes the pinned one. */
  | { readonly mode: "firstUse"; readonly recorded?: string; readonly onFirstUse: (fingerprint: string) => void }
  | { readonly mode: "none" };

export interface TlsOptions {
  readonly trust: Trust;
  /** TLS 1.0 and the ciphers of old BMCs; off unless a person asked for it, per BMC. */
  readonly legacyCiphers?: boolean;
}

export class UntrustedCertificate extends Error {
  override readonly name = "UntrustedCertificate";
}

/** A connector for undici that hands over a TLS socket only after its certificate was judged. */
export function trustingConnector({ trust, legacyCiphers }: TlsOptions, timeoutMs: number): buildConnector.connector {
  const byAuthority = trust.mode === "authority";
  const connect = buildConnector({
    timeout: timeoutMs,
    rejectUnauthorized: byAuthority,
    // A resumed session may carry no certificate to judge.
    maxCachedSessions: byAuthority ? 10 : 0,
    ...(byAuthority && trust.ca !== undefined ? { ca: trust.ca } : {}),
    ...(legacyCiphers ? { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } : {}),
  });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error) return callback(error, null);
      const judged = "getPeerX509Certificate" in socket ? judge(socket as TLSSocket, trust) : success(undefined);
      if (judged.ok) return callback(null, socket);
      socket.destroy();
      callback(new UntrustedCertificate(judged.failure.message), null);
    });
}

function judge(socket: TLSSocket, trust: Trust): Outcome<undefined> {
  if (trust.mode === "authority" || trust.mode === "none") return success(undefined);
  const shown = socket.getPeerX509Certificate()?.fingerprint256;
  if (shown === undefined) return failure("Untrusted", "the BMC showed no certificate");
  const expected = trust.mode === "pinned" ? trust.fingerprint : trust.recorded;
  if (expected === undefined && trust.mode === "firstUse") {
    trust.onFirstUse(shown);
    return success(undefined);
  }
  if (expected !== undefined && bare(expected) === bare(shown)) return success(undefined);
  return failure("Untrusted", `the BMC's certificate changed: expected SHA-256 ${expected}, it shows ${shown}`);
}

function bare(fingerprint: string): string {
  return fingerprint.replaceAll(":", "").toLowerCase();
}
