/** Kills a writing process at a random moment, again and again: what was acknowledged is there, whole and in order. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom, systemClock } from "#clock";
import { openLmdbJournal } from "./lmdb-journal.ts";
import { Store } from "./store.ts";

const ROUNDS = Number(process.env.METALWRIGHT_CRASH_ROUNDS ?? 5);
let directory: string;
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "metalwright-crash-"));
  const build = await rolldown({
    input: join(import.meta.dirname, "../testing/crash-writer.ts"),
    platform: "node",
    plugins: [{ name: "packages", resolveId: (id: string) => external(id) }],
  });
  const { output } = await build.write({ dir: join(directory, "program"), format: "esm" });
  program = join(directory, "program", output[0].fileName);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The bundle lies outside the repository, so packages are named by where they are. */
function external(id: string): { id: string; external: true } | undefined {
  if (/^[./#]/.test(id) || id.startsWith("node:")) return undefined;
  return { id: pathToFileURL(createRequire(import.meta.url).resolve(id)).href, external: true };
}

/** Lets the writer work for a while, kills it, and returns the last revision it saw acknowledged for each key. */
async function writeAndKill(data: string, afterMs: number): Promise<Map<string, number>> {
  const child = spawn(process.execPath, [program, data], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const isWriting = (): boolean => text.split("\n").length > 2;
  while (!isWriting() && child.exitCode === null) await systemClock.sleep(5);
  await systemClock.sleep(afterMs);
  child.kill("SIGKILL");
  await ended;
  const acknowledged = new Map<string, number>();
  for (const line of text.split("\n").slice(1, -1)) {
    const [key = "", revision] = line.split(" ");
    acknowledged.set(key, Number(revision));
  }
  return acknowledged;
}

describe("SIGKILL under load", () => {
  it(`loses nothing in ${ROUNDS} rounds`, { timeout: 20_000 + ROUNDS * 3_000 }, async () => {
    const random = seededRandom(7);
    const data = join(directory, "data");
    let revision = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const acknowledged = await writeAndKill(data, 20 + random.next() * 150);
      expect(acknowledged.size).toBeGreaterThan(0);
      const store = new Store(openLmdbJournal(data));
      for (const [key, seen] of acknowledged) expect(store.get(key)?.revision).toBeGreaterThanOrEqual(seen);
      expect(store.revision).toBeGreaterThan(revision);
      const resumed = store.since(Math.max(revision, store.compacted)) ?? [];
      expect(resumed.map((c) => c.entry.revision)).toEqual(
        resumed.map((_, i) => (resumed[0]?.entry.revision ?? 0) + i),
      );
      revision = store.revision;
      await store.close();
    }
  });
});
