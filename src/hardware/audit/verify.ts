/** Checks audit lines: every record has its hash, follows the one before, and anchored heads are where they belong. */
import { CHAIN_START, openRecord } from "./chain.ts";

/** A head that was kept elsewhere: the chain must contain exactly this. */
export interface AnchoredHead {
  readonly chain?: string;
  readonly seq: number;
  readonly hash: string;
}

export interface ChainSummary {
  readonly chain: string;
  readonly records: number;
  readonly head: string;
  readonly from: string;
  readonly to: string;
}

export interface Verification {
  readonly chains: readonly ChainSummary[];
  /** One sentence each; empty when everything holds. */
  readonly problems: readonly string[];
}

interface Progress {
  seq: number;
  head: string;
  from: string;
  to: string;
}

/** Reads lines once, in order, whatever their number. */
export async function verifyAudit(
  lines: AsyncIterable<string> | Iterable<string>,
  anchors: readonly AnchoredHead[] = [],
): Promise<Verification> {
  const chains = new Map<string, Progress>();
  const problems: string[] = [];
  const open = new Set(anchors);
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === "") continue;
    const record = openRecord(line);
    if (typeof record === "string") {
      problems.push(`line ${number}: ${record}`);
      continue;
    }
    const { link, hash } = record;
    const wrong = advance(chains, link, hash);
    if (wrong) problems.push(`line ${number}: ${wrong}`);
    for (const anchor of open)
      if (anchor.seq === link.seq && anchor.hash === hash && (anchor.chain ?? link.chain) === link.chain)
        open.delete(anchor);
  }
  for (const { seq, hash } of open) problems.push(`the anchored head ${seq}:${hash} is not in the file`);
  return { chains: [...chains].map(([chain, at]) => summary(chain, at)), problems };
}

function advance(
  chains: Map<string, Progress>,
  link: { readonly chain: string; readonly seq: number; readonly prev: string; readonly time: string },
  hash: string,
): string | undefined {
  const known = chains.get(link.chain);
  const at = known ?? { seq: 0, head: CHAIN_START, from: link.time, to: link.time };
  const wrong =
    link.seq !== at.seq + 1
      ? `record ${link.seq} of chain ${link.chain} follows record ${at.seq}`
      : link.prev !== at.head
        ? `record ${link.seq} of chain ${link.chain} does not follow from the one before`
        : undefined;
  chains.set(link.chain, { seq: link.seq, head: hash, from: at.from, to: link.time });
  return wrong;
}

function summary(chain: string, { seq, head, from, to }: Progress): ChainSummary {
  return { chain, records: seq, head, from, to };
}
