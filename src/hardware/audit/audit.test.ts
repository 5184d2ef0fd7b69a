import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { AuditLog, type AuditSink } from "./audit-log.ts";
import { fileSink } from "./sinks.ts";
import { verifyAudit } from "./verify.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "audit-"));
  folders.push(folder);
  return join(folder, "audit.jsonl");
}

function memory(): AuditSink & { readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, append: async (line) => void lines.push(line), close: async () => undefined };
}

async function someRecords(count: number) {
  const sink = memory();
  const heads: { hash: string; seq: number }[] = [];
  const log = new AuditLog({
    clock: new VirtualClock(),
    sink,
    chain: "c",
    onHead: (hash, seq) => heads.push({ hash, seq }),
  });
  await Promise.all(Array.from({ length: count }, (_, n) => log.write({ phase: "begin", n })));
  return { lines: sink.lines, heads, log };
}

describe("audit trail", () => {
  it("holds as it was written, in order, with a head for each record", async () => {
    const { lines, heads, log } = await someRecords(5);
    expect(lines.map((line) => JSON.parse(line).n)).toEqual([0, 1, 2, 3, 4]);
    const { problems, chains } = await verifyAudit(lines, heads);
    expect(problems).toEqual([]);
    expect(chains).toMatchObject([{ chain: "c", records: 5, head: log.head.hash }]);
  });

  it("does not hold after any change of any byte", async () => {
    const { lines } = await someRecords(3);
    const text = lines.join("\n");
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom("0", "x", "}", '"', "7"), async (at, other) => {
        fc.pre(text[at] !== other);
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        expect((await verifyAudit(changed.split("\n"))).problems).not.toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["a record was removed", (l: string[]) => l.filter((_, at) => at !== 2)],
    ["the first was removed", (l: string[]) => l.slice(1)],
    ["two were swapped", (l: string[]) => [l[1], l[0], ...l.slice(2)] as string[]],
    ["one is there twice", (l: string[]) => [...l, l.at(-1)] as string[]],
    ["a line was cut", (l: string[]) => [...l.slice(0, -1), (l.at(-1) ?? "").slice(0, 40)]],
  ])("does not hold when %s", async (_, change) => {
    const { lines } = await someRecords(5);
    expect((await verifyAudit(change([...lines]))).problems).not.toEqual([]);
  });

  it("that lost its end is found out by the anchored head only", async () => {
    const { lines, heads } = await someRecords(5);
    const cut = lines.slice(0, 3);
    expect((await verifyAudit(cut)).problems).toEqual([]);
    expect((await verifyAudit(cut, heads.slice(-1))).problems).toEqual([
      expect.stringMatching(/^the anchored head 5:/),
    ]);
  });

  it("hides what is named like a secret, and what an address carries", async () => {
    const sink = memory();
    const log = new AuditLog({ clock: new VirtualClock(), sink });
    await log.write({
      action: { Password: "hunter22", token: "hunter22", nested: [{ userPassword: "hunter22" }] },
      url: "https://me:hunter22@images.example/a.iso?sig=hunter22",
      why: "fetched https://x:hunter22@h/ and http://h/?a=hunter22 twice",
      password: () => "hunter22",
      user: "root",
    });
    expect(sink.lines[0]).not.toContain("hunter22");
    expect(JSON.parse(sink.lines[0] ?? "")).toMatchObject({
      user: "root",
      url: expect.stringContaining("images.example/a.iso"),
    });
  });

  it("refuses everything after a record that could not be written", async () => {
    const lines: string[] = [];
    let full = false;
    const sink: AuditSink = {
      append: async (line) => {
        if (full) throw new Error("no space left");
        lines.push(line);
      },
      close: async () => undefined,
    };
    const log = new AuditLog({ clock: new VirtualClock(), sink });
    await log.write({ n: 1 });
    full = true;
    await expect(log.write({ n: 2 })).rejects.toThrow(/no space left/);
    full = false;
    await expect(log.write({ n: 3 })).rejects.toThrow(/an earlier one failed/);
    expect((await verifyAudit(lines)).problems).toEqual([]);
  });

  it("of several processes share a file, only its owner may read it, and half a line stays alone", async () => {
    const path = await newFile();
    for (const chain of ["first", "second"]) {
      const log = new AuditLog({ clock: new VirtualClock(), sink: await fileSink(path), chain });
      await log.write({ n: 1 });
      await log.write({ n: 2 });
      await log.close();
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const whole = await readFile(path, "utf8");
    expect(await verifyAudit(whole.split("\n"))).toMatchObject({
      problems: [],
      chains: [{ chain: "first" }, { chain: "second" }],
    });

    await writeFile(path, `${whole}{"chain":"killed","seq":1,`);
    const log = new AuditLog({ clock: new VirtualClock(), sink: await fileSink(path), chain: "third" });
    await log.write({ n: 1 });
    await log.close();
    const { problems, chains } = await verifyAudit((await readFile(path, "utf8")).split("\n"));
    expect(problems).toEqual(["line 5: it does not end with a hash"]);
    expect(chains.at(-1)).toMatchObject({ chain: "third", records: 1 });
  });
});
