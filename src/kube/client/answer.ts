/** Turns what came back over the wire into a value or a refusal. It must never pass a half answer off as a whole one. */
import { ConnectionLost, type TransportResponse } from "../transport/transport.ts";
import { ApiError, type Status } from "./errors.ts";

/** The reason of an `ApiError` whose body was not a Kubernetes answer: a proxy's page, or another server altogether. */
export const NOT_KUBERNETES = "NotKubernetes";

/** The reason of a 404 for a path the server has nothing at: the kind is not installed, which says nothing about objects. */
export const NOT_SERVED = "NotServed";

const MAX_QUOTED_CHARS = 120;
const REASONS: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** The decoded body of a success; throws `ApiError` for a refusal and `ConnectionLost` for a body that breaks off. */
export async function decodeAnswer(attempt: string, response: TransportResponse): Promise<unknown> {
  const text = await response.text();
  if (response.status >= 300) throw refusal(attempt, response, text);
  return parseBody(attempt, response, text);
}

/** The `ApiError` for an answer that is not a success, whatever its body is. */
export function refusal(attempt: string, response: TransportResponse, text: string): ApiError {
  const { status: code, headers } = response;
  const status = statusIn(text) ?? unexpectedBody(code, headers["content-type"], text);
  return new ApiError(attempt, code, status, retryAfterMs(headers["retry-after"], status));
}

/** The `ApiError` for a `Status` that came as a watch event. */
export function refusalByStatus(attempt: string, status: Status): ApiError {
  return new ApiError(attempt, status.code ?? 500, status, retryAfterMs(undefined, status));
}

function parseBody(attempt: string, { status: code, headers }: TransportResponse, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
    throw new ApiError(attempt, code, unexpectedBody(code, headers["content-type"], text));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const isCutOff = text.trim() === "" || /^\s*[{[]/.test(text);
    if (isCutOff) throw new ConnectionLost(`${attempt}: the answer's JSON broke off after ${text.length} characters`);
    throw new ApiError(attempt, code, unexpectedBody(code, headers["content-type"], text));
  }
}

function statusIn(text: string): Status | undefined {
  try {
    const value = JSON.parse(text) as Status | null;
    return value?.kind === "Status" ? value : undefined;
  } catch {
    return undefined;
  }
}

function unexpectedBody(code: number, contentType: string | undefined, text: string): Status {
  if (code === 404 && text.startsWith("404 page not found"))
    return {
      code,
      reason: NOT_SERVED,
      message: "the server does not serve this path; is the CustomResourceDefinition of the kind installed?",
    };
  const quoted = text.replace(/\s+/g, " ").trim().slice(0, MAX_QUOTED_CHARS);
  const said = quoted === "" ? "an empty body" : `"${quoted}"`;
  // Only Kubernetes itself may say that an object is not there or was changed: a proxy's 404 is no such statement.
  const reason = code < 400 || code === 404 || code === 409 || code === 410 ? NOT_KUBERNETES : REASONS[code];
  return {
    code,
    reason: reason ?? "Unknown",
    message: `HTTP ${code} (${contentType ?? "no content type"}) with ${said}, which is no Kubernetes answer; is a proxy in between, or is the server's address wrong?`,
  };
}

/** In milliseconds; the header counts in seconds, and its date form is not used by API servers. */
function retryAfterMs(header: string | undefined, status: Status): number | undefined {
  const seconds = header === undefined ? status.details?.retryAfterSeconds : Number(header);
  return seconds !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

const WARNING = /299 \S+ "((?:[^"\\]|\\.)*)"/g;

/** The texts of a `Warning` header, which may hold several. */
export function warningsIn(header: string | undefined): string[] {
  if (header === undefined) return [];
  return [...header.matchAll(WARNING)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"));
}
