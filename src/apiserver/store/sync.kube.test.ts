/** Watches the system calls of a writing process: every acknowledgement has its sync; without syncs this fails. Needs strace. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleWriter } from "../testing/bundle-writer.ts";

let directory: string;
let program: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "metalwright-sync-"));
  program = await bundleWriter(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The system calls of one writer, in order: "sync" when one completed, "ack" when a line left. */
async function trace(writes: number): Promise<string[]> {
  const log = join(directory, "trace");
  const calls = ["-f", "-e", "trace=fdatasync,fsync,msync,write", "-o", log];
  const command = [process.execPath, program, join(directory, "data"), "1", String(writes)];
  await promisify(execFile)("strace", [...calls, ...command], { timeout: 60_000 });
  return readFileSync(log, "utf8").split("\n").flatMap(eventOf);
}

function eventOf(line: string): string[] {
  if (/(fdatasync|fsync|msync)(\(\d+.*\)| resumed>.*\)) += 0$/.test(line)) return ["sync"];
  return /write\(1, "test\/things/.test(line) ? ["ack"] : [];
}

describe("acknowledgement", () => {
  it("never comes before the sync", async () => {
    const events = await trace(100);
    expect(events.filter((e) => e === "ack")).toHaveLength(100);
    // One writer: between two acknowledgements there is at least one sync.
    expect(events.join(" ")).not.toContain("ack ack");
  });
});
