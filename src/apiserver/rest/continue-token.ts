/** The opaque text that continues a list: where it stopped and at which revision it began. */
import { badRequest } from "../http/status-error.ts";

export interface ContinuePoint {
  /** -1: from now on at whatever is newest. */
  readonly revision: number;
  /** The key, relative to the list's prefix, after which to go on. */
  readonly after: string;
}

const VERSION = "meta.k8s.io/v1";

export function encodeContinue({ revision, after }: ContinuePoint): string {
  const token = JSON.stringify({ v: VERSION, rv: revision, start: `${after}\u0000` });
  return Buffer.from(token).toString("base64url");
}

export function decodeContinue(text: string): ContinuePoint {
  const refuse = (why: string): Error => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  if (!/^[-\w]*$/.test(text)) throw refuse("illegal base64 data");
  let token: { v?: unknown; rv?: unknown; start?: unknown };
  try {
    token = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch (error) {
    throw refuse((error as Error).message);
  }
  const { v, rv, start } = token ?? {};
  if (v !== VERSION) throw refuse("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  if (typeof rv !== "number" || !Number.isSafeInteger(rv) || rv === 0)
    throw refuse("incorrect encoded start resourceVersion");
  if (typeof start !== "string" || start === "" || start.includes("..")) throw refuse("continue key is not valid");
  return { revision: rv, after: start.endsWith("\u0000") ? start.slice(0, -1) : start };
}
