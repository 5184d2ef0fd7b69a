/** Takes a request target apart without guessing: everything before the first "?" is the path. */
import { badRequest } from "./status-error.ts";

export interface Target {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function parseTarget(target: string): Target {
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  return { path: decode(path), query: new URLSearchParams(at < 0 ? "" : target.slice(at + 1)) };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw badRequest(`the path ${path} is not properly escaped`);
  }
}
