/** An HTTP response as a Redfish answer: decoded, bounded, and a refusal turned into a readable failure. */
import type { Dispatcher } from "undici";
import type { Answer } from "./connection.ts";
import { errorSentence, extendedMessages, hasMessage } from "./extended-error.ts";
import { type FailureCode, failure, type Outcome, success } from "./outcome.ts";

/** The largest thing a BMC sends us is an attribute registry of a few megabytes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export async function decodeAnswer(attempt: string, response: Dispatcher.ResponseData): Promise<Outcome<Answer>> {
  const text = await readBounded(response.body);
  if (text === undefined)
    return failure("BrokenAnswer", `${attempt}: the answer is longer than ${MAX_BODY_BYTES} bytes`);
  const headers = flatten(response.headers);
  const parsed = parse(text);
  const { statusCode: status } = response;
  if (status >= 200 && status < 300) {
    if (!parsed.ok) return failure("BrokenAnswer", `${attempt}: HTTP ${status} with ${parsed.what}`, { status });
    return success({ status, headers, body: parsed.body });
  }
  return refusal(attempt, status, headers, parsed);
}

type Parsed =
  | { readonly ok: true; readonly body: unknown }
  /** `what` it is instead of JSON, and what it `says` to a person. */
  | { readonly ok: false; readonly what: string; readonly says: string };

function parse(text: string): Parsed {
  if (text.trim() === "") return { ok: true, body: undefined };
  try {
    return { ok: true, body: JSON.parse(text) };
  } catch {
    const excerpt = text.replace(/\s+/g, " ").trim().slice(0, 60);
    const page = `a web page instead of JSON ("${excerpt}…")`;
    return /^\s*</.test(text)
      ? { ok: false, what: page, says: page }
      : { ok: false, what: `broken JSON ("${excerpt}…")`, says: `"${excerpt}"` };
  }
}

function refusal(
  attempt: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  parsed: Parsed,
): Outcome<never> {
  const body = parsed.ok ? parsed.body : undefined;
  const extended = extendedMessages(body);
  const said = status < 400 && headers.location ? `it sends us to ${headers.location}` : saidIn(parsed);
  const retryAfterMs = retryAfter(headers["retry-after"]);
  // A 401 is what renews a session, and firmware gives all kinds of reasons with it.
  const meant = status === 401 ? undefined : meanings.find(([, keys]) => hasMessage(extended, ...keys));
  const code = meant?.[0] ?? codeOf(status);
  return failure(code, `${attempt}: HTTP ${status}${said ? `: ${said}` : ""}`, {
    status,
    ...(extended.length > 0 ? { extended } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function saidIn(parsed: Parsed): string | undefined {
  return parsed.ok ? errorSentence(parsed.body) : parsed.says;
}

/** Messages that say more than the status they come with, which differs from vendor to vendor. */
const meanings: readonly (readonly [FailureCode, readonly string[]])[] = [
  ["SessionsFull", ["SessionLimitExceeded", "RAC0218"]],
  ["Busy", ["ServiceTemporarilyUnavailable", "ServiceShuttingDown", "UnableToModifyDuringSystemPOST"]],
  ["Forbidden", ["InsufficientPrivilege", "PasswordChangeRequired"]],
];

const codes: Readonly<Record<number, FailureCode>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "NotSupported",
  410: "NotFound",
  412: "PreconditionFailed",
  429: "Busy",
  501: "NotSupported",
  503: "Busy",
};

function codeOf(status: number): FailureCode {
  return codes[status] ?? (status >= 500 ? "ServerError" : "Refused");
}

/** Seconds only: BMC clocks are too often wrong for the date form to mean anything. */
function retryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : undefined;
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]));
}
