import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "#clock";
import { AuditLog, fileSink } from "#hardware";
import { atTheEnd, cleanUpAfterEach } from "./fixture.ts";

cleanUpAfterEach();

async function auditFile() {
  const folder = await mkdtemp(join(tmpdir(), "audit-"));
  atTheEnd(() => rm(folder, { recursive: true }));
  const file = join(folder, "audit.jsonl");
  const log = new AuditLog({ clock: systemClock, sink: await fileSink(file) });
  for (const why of ["first", "second", "third"]) await log.write({ phase: "begin", why });
  await log.close();
  return { file, head: `${log.head.seq}:${log.head.hash}`, chain: log.chain };
}

function verify(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["scripts/run-ts.mjs", "src/cli/main.ts", "audit", "verify", ...args],
    { encoding: "utf8" },
  );
  return { status, said: stdout + stderr };
}

describe("metalwright audit verify", () => {
  it("tells a whole file from a changed and from a shortened one", async () => {
    const { file, head, chain } = await auditFile();
    const whole = verify(file, "--head", head);
    expect(whole.said).toContain(`chain ${chain}: 3 records`);
    expect(whole.status).toBe(0);

    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("second", "2nd"));
    const changed = verify(file);
    expect(changed.status).toBe(1);
    expect(changed.said).toContain("line 2: its content does not have its hash");

    await writeFile(file, `${text.split("\n").slice(0, 2).join("\n")}\n`);
    const shortened = verify(file, "--head", `${chain}:${head}`);
    expect(shortened.status).toBe(1);
    expect(shortened.said).toContain("the anchored head 3:");
  }, 60_000);
});
