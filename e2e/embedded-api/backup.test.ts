/** A backup taken from a running server becomes another server: the same objects, the same revisions, the same keys. */
import { execFile } from "node:child_process";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerProcess } from "./server-process.ts";
import { type Send, talk } from "./talk.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const source = new ServerProcess();
const copy = new ServerProcess();
const file = join(source.directory, "backup");
let send: Send;

beforeAll(async () => {
  await source.start();
  send = talk(source.pool());
});
afterAll(async () => {
  await source.dispose();
  await copy.dispose();
});

function metalwright(...args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    execFile(process.execPath, ["dist/metalwright.js", ...args], { timeout: 30_000 }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

const backUp = (to: string) => metalwright("apiserver", "backup", "--data", source.data, "--to", to);
const restore = (from: string, data: string) => metalwright("apiserver", "restore", "--data", data, "--from", from);
const create = (name: string) => send("POST", CONFIG_MAPS, { metadata: { name }, data: { text: name } });

describe("backup", { timeout: 60_000 }, () => {
  it("takes one consistent state while the server is being written to", async () => {
    for (let n = 0; n < 20; n++) expect((await create(`before-${n}`)).status).toBe(201);
    expect((await send("DELETE", `${CONFIG_MAPS}/before-0`)).status).toBe(200);
    let isRunning = true;
    const writing = (async () => {
      let n = 0;
      while (isRunning) expect((await create(`during-${n++}`)).status).toBe(201);
      return n;
    })();
    const { code, output } = await backUp(file);
    isRunning = false;
    expect(await writing).toBeGreaterThan(0);
    expect([code, output]).toEqual([0, expect.stringMatching(/^\d+ records of .* are in .*\n$/)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("becomes a server with the same objects and keys", async () => {
    expect(await restore(file, copy.data)).toMatchObject({ code: 0 });
    await copy.start();
    const pool = copy.pool();
    const { items } = (await talk(pool)("GET", CONFIG_MAPS)).body;
    const original = (await send("GET", CONFIG_MAPS)).body.items as { metadata: { name: string } }[];
    const byName = new Map(original.map((item) => [item.metadata.name, item]));
    for (const item of items) expect(item).toEqual(byName.get(item.metadata.name));
    const names = items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect(names.filter((name: string) => name.startsWith("before-"))).toHaveLength(19);
    // What was written during the backup is there up to one moment, without a gap.
    const during = names.filter((name: string) => name.startsWith("during-"));
    for (let n = 0; n < during.length; n++) expect(during).toContain(`during-${n}`);
    await pool.destroy();
    for (const key of ["ca.crt", "ca.key", "admin.crt", "tokens.key"]) {
      expect(readFileSync(join(copy.data, "pki", key), "utf8")).toBe(
        readFileSync(join(source.data, "pki", key), "utf8"),
      );
    }
  });

  it("goes on counting where the backup was, and watches resume from before it", async () => {
    const pool = copy.pool();
    const { body } = await talk(pool)("POST", CONFIG_MAPS, { metadata: { name: "after" } });
    const before = (await send("GET", `${CONFIG_MAPS}/before-19`)).body.metadata.resourceVersion;
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(before));
    const watch = await pool.request({ method: "GET", path: `${CONFIG_MAPS}?watch=1&resourceVersion=${before}` });
    for await (const chunk of watch.body) {
      expect(JSON.parse(String(chunk).split("\n")[0] ?? "")).toMatchObject({
        type: "DELETED",
        object: { metadata: { name: "before-0" } },
      });
      break;
    }
    await pool.destroy();
  });

  it("refuses what would overwrite, and files that are not whole, in one sentence", async () => {
    const elsewhere = join(source.directory, "elsewhere");
    expect(await backUp(file)).toEqual({ code: 1, output: expect.stringMatching(/^.* exists already: .*\n$/) });
    expect(await restore(file, source.data)).toEqual({
      code: 1,
      output: expect.stringMatching(/^.*store exists already/),
    });
    const text = readFileSync(file, "utf8");
    const damaged = join(source.directory, "damaged");
    writeFileSync(damaged, text.replace("before-7", "before-8"));
    expect(await restore(damaged, elsewhere)).toEqual({
      code: 1,
      output: expect.stringMatching(/is cut short or damaged/),
    });
    writeFileSync(damaged, text);
    truncateSync(damaged, text.length - 500);
    expect(await restore(damaged, elsewhere)).toEqual({
      code: 1,
      output: expect.stringMatching(/is cut short or damaged/),
    });
    writeFileSync(damaged, "hello\n");
    expect(await restore(damaged, elsewhere)).toEqual({ code: 1, output: expect.stringMatching(/is not a backup/) });
    const nothing = await metalwright("apiserver", "backup", "--data", elsewhere, "--to", join(elsewhere, "x"));
    expect(nothing.code).toBe(1);
  });
});
