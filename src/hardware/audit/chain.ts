/** The form of an audit record and the hash that ties it to the one before. Writes and reads nothing. */
import { createHash } from "node:crypto";

/** What a record says, before it is chained. */
export type AuditContent = Readonly<Record<string, unknown>>;

export interface AuditLink {
  /** Names the process that wrote it: a file may hold several chains. */
  readonly chain: string;
  readonly seq: number;
  readonly time: string;
  /** Hash of the record before; zeros at the start of a chain. */
  readonly prev: string;
}

export const CHAIN_START = "0".repeat(64);

/** One line of the audit file, and its hash. The hash covers every byte of the line before it. */
export function sealRecord(link: AuditLink, content: AuditContent): { readonly line: string; readonly hash: string } {
  const open = JSON.stringify({ ...link, ...content }).slice(0, -1);
  const hash = createHash("sha256").update(open).digest("hex");
  return { line: `${open},"hash":"${hash}"}`, hash };
}

const SEAL = /^(\{.*),"hash":"([0-9a-f]{64})"\}$/s;

/** The link and hash of a line, or why it is none. */
export function openRecord(line: string): { readonly link: AuditLink; readonly hash: string } | string {
  const sealed = SEAL.exec(line);
  if (!sealed) return "it does not end with a hash";
  const [, open = "", hash = ""] = sealed;
  if (createHash("sha256").update(open).digest("hex") !== hash) return "its content does not have its hash";
  const link = JSON.parse(`${open}}`) as Partial<AuditLink>;
  const { chain, seq, time, prev } = link;
  if (typeof chain !== "string" || typeof seq !== "number" || typeof prev !== "string" || typeof time !== "string")
    return "it lacks chain, seq, time or prev";
  return { link: { chain, seq, time, prev }, hash };
}
