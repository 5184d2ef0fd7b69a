/** Regular expressions in rules: RE2, compiled once per pattern, few kept. */
import type { RE2JS } from "re2js";
import { compilePattern } from "../schema/pattern.ts";
import { CelError } from "./values.ts";

const kept = 256;
const compiled = new Map<string, RE2JS>();

/** The compiled pattern; throws a CelError when it is none. */
export function regexFor(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  let regex: RE2JS;
  try {
    regex = compilePattern(pattern);
  } catch (error) {
    throw new CelError(error instanceof Error ? error.message : String(error));
  }
  const oldest = compiled.size < kept ? undefined : compiled.keys().next().value;
  if (oldest !== undefined) compiled.delete(oldest);
  compiled.set(pattern, regex);
  return regex;
}

/** All matches in order, at most `limit` when it is not negative. */
export function findAll(text: string, pattern: string, limit: number): string[] {
  const matcher = regexFor(pattern).matcher(text);
  const found: string[] = [];
  while ((limit < 0 || found.length < limit) && matcher.find()) found.push(matcher.group() ?? "");
  return found;
}
