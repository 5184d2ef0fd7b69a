/** `metalwright audit`: checks what the operator recorded about its actions. */
import type { Command } from "commander";

export function addAuditCommand(program: Command): void {
  const audit = program.command("audit").description("look at the audit trail of hardware actions");
  audit
    .command("verify")
    .description("check that an audit file is complete and unchanged")
    .argument("<file>", "the file, or - for standard input")
    .option("--head <seq:hash...>", "heads kept elsewhere (chain:seq:hash or seq:hash) that the file must contain")
    .action(verify);
}

async function verify(file: string, { head = [] }: { readonly head?: readonly string[] }): Promise<void> {
  const [{ createReadStream }, { createInterface }, { verifyAudit }] = await Promise.all([
    import("node:fs"),
    import("node:readline"),
    import("#hardware"),
  ]);
  const input = file === "-" ? process.stdin : createReadStream(file);
  const { chains, problems } = await verifyAudit(createInterface({ input, crlfDelay: Infinity }), head.map(parseHead));
  for (const { chain, records, head: hash, from, to } of chains)
    console.log(`chain ${chain}: ${records} records from ${from} to ${to}, head ${records}:${hash}`);
  for (const problem of problems) console.error(problem);
  console.log(problems.length === 0 ? "the audit trail holds" : `${problems.length} problem(s): it was changed`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function parseHead(text: string): { readonly chain?: string; readonly seq: number; readonly hash: string } {
  const parts = /^(?:(.+):)?(\d+):([0-9a-f]{64})$/.exec(text);
  if (!parts) throw new Error(`--head ${text}: expected seq:hash or chain:seq:hash`);
  const [, chain, seq, hash = ""] = parts;
  return { seq: Number(seq), hash, ...(chain === undefined ? {} : { chain }) };
}
