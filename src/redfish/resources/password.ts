/** Passwords that a BMC takes: its length limits, its characters, at least one of each kind. */
import { randomInt } from "node:crypto";

export interface PasswordPolicy {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly specials: string;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";
/** Taken by every vendor we know. */
export const COMMON_SPECIALS = "!@#$%&*()_-+=[]{}/?~|";

const PREFERRED_LENGTH = 20;
/** One character of each kind. */
const SHORTEST = 4;

/** A number below `below` from a cryptographic source; tests pass their own. */
export type Draw = (below: number) => number;

/** Throws a sentence when no password can satisfy the policy. */
export function makePassword(
  { minLength, maxLength, specials }: PasswordPolicy,
  draw: Draw = (below) => randomInt(below),
): string {
  const most = maxLength !== undefined && maxLength > 0 ? maxLength : PREFERRED_LENGTH;
  const length = Math.max(Math.min(PREFERRED_LENGTH, most), minLength ?? 0);
  if (length < SHORTEST || length > most)
    throw new RangeError(`no password has ${minLength ?? 0} to ${most} characters and one of each kind`);
  const kinds = [LOWER, UPPER, DIGITS, specials === "" ? DIGITS : specials];
  const all = kinds.join("");
  const characters = Array.from({ length }, (_, at) => pick(kinds[at] ?? all, draw));
  return shuffled(characters, draw).join("");
}

function pick(from: string, draw: Draw): string {
  return from.charAt(draw(from.length));
}

function shuffled(characters: readonly string[], draw: Draw): readonly string[] {
  const mixed = [...characters];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = draw(at + 1);
    const [a, b] = [mixed[at], mixed[other]];
    if (a !== undefined && b !== undefined) [mixed[at], mixed[other]] = [b, a];
  }
  return mixed;
}
