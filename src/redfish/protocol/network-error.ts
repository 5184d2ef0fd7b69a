/** Node's and undici's many words for a broken connection, reduced to the few that matter to a caller. */
import { type FailureCode, failure, type Outcome } from "./outcome.ts";
import { UntrustedCertificate } from "./trust.ts";

/** Thrown inside a request when the fence closed before its first byte. */
export class FenceClosed extends Error {
  override readonly name = "FenceClosed";
}

const TLS_CODES = /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH|ERR_SSL)/;
const CONNECT_CODES = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTDOWN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** `sent` says whether the request's first byte may have left. */
export function classifyError(attempt: string, error: unknown, sent: boolean): Outcome<never> {
  const code = codeOf(error, sent);
  return failure(code, `${attempt}: ${sentences[code] ?? "failed"} (${describe(error)})`);
}

const sentences: Partial<Record<FailureCode, string>> = {
  Fenced: "not sent, because this process may start no more requests",
  Untrusted: "the certificate is not trusted",
  Unreachable: "no connection",
  ConnectionLost: "the connection ended before the answer was complete",
};

function codeOf(error: unknown, sent: boolean): FailureCode {
  if (error instanceof FenceClosed) return "Fenced";
  const { code = "", name } = error as { code?: string; name?: string };
  if (error instanceof UntrustedCertificate || name === "UntrustedCertificate" || TLS_CODES.test(code))
    return "Untrusted";
  if (CONNECT_CODES.has(code) || !sent) return "Unreachable";
  return "ConnectionLost";
}

function describe(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code && message && !message.includes(code) ? `${code}: ${message}` : (message ?? String(error));
}
