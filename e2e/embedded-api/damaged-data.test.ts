/** A data directory that is not whole: one sentence and an exit code, never an empty store and never a crash. */
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "#clock";
import { ServerProcess } from "./server-process.ts";
import { talk } from "./talk.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const OBJECTS = 60;
const ROUNDS = Number(process.env.METALWRIGHT_DAMAGE_ROUNDS ?? 4);
const random = seededRandom(4);
const whole = new ServerProcess();

beforeAll(async () => {
  await whole.start();
  const pool = whole.pool();
  const send = talk(pool);
  const data = { text: "x".repeat(3_000) };
  const writes = Array.from({ length: OBJECTS }, (_, n) => {
    return send("POST", CONFIG_MAPS, { metadata: { name: `cm-${n}` }, data });
  });
  for (const { status } of await Promise.all(writes)) expect(status).toBe(201);
  await pool.destroy();
  await whole.kill("SIGTERM");
}, 60_000);
afterAll(() => whole.dispose());

/** A server on a copy of the whole directory, damaged by `damage`. */
async function withDamage<T>(damage: (file: string) => void, look: (server: ServerProcess) => Promise<T>): Promise<T> {
  const server = new ServerProcess();
  try {
    cpSync(whole.data, server.data, { recursive: true });
    damage(join(server.data, "store", "data.mdb"));
    return await look(server);
  } finally {
    await server.dispose();
  }
}

const refusal = (server: ServerProcess) => server.refusal();
const sentence = (end: RegExp) => expect.stringMatching(new RegExp(`^[^\\n]*${end.source}[^\\n]*\\n$`));

describe("a data directory that is not whole", () => {
  it.each([
    ["empty", (file: string) => truncateSync(file, 0), /is not an LMDB file/],
    ["cut in its head", (file: string) => truncateSync(file, 100), /is not an LMDB file/],
    ["cut in the middle", (file: string) => truncateSync(file, 50_000), /is truncated/],
    ["not LMDB", (file: string) => writeFileSync(file, "hello ".repeat(20_000)), /is not an LMDB file/],
    ["full of zeros", (file: string) => writeFileSync(file, Buffer.alloc(400_000)), /is not an LMDB file/],
  ])("%s: one sentence, exit code 1", async (_, damage, end) => {
    expect(await withDamage(damage, refusal)).toEqual({ code: 1, output: sentence(end) });
  });

  it("refuses a directory with other people's files, and leaves them alone", async () => {
    const server = new ServerProcess();
    const file = join(server.data, "store", "holiday.jpg");
    mkdirSync(join(server.data, "store"), { recursive: true });
    writeFileSync(file, "jpg");
    expect(await server.refusal()).toEqual({ code: 1, output: sentence(/holds other files \(holiday\.jpg\)/) });
    expect(readFileSync(file, "utf8")).toBe("jpg");
    await server.dispose();
  });

  it("refuses a second server on one directory", async () => {
    await withDamage(
      () => {},
      async (server) => {
        await server.start();
        const second = new ServerProcess();
        rmSync(second.directory, { recursive: true });
        expect(await second.refusal(server.data)).toEqual({ code: 1, output: sentence(/is in use by process \d+/) });
      },
    );
  });

  it(`never serves wrong data and never dies of it, ${ROUNDS} random damages`, {
    timeout: 20_000 + ROUNDS * 5_000,
  }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const outcome = await withDamage(overwriteAtRandom, startOrRefuse);
      expect({ round, outcome }).toEqual({ round, outcome: expect.stringMatching(/^(whole|refused: [^\n]+\n)$/) });
    }
  });
});

function overwriteAtRandom(file: string): void {
  const bytes = readFileSync(file);
  const at = 8192 + Math.floor(random.next() * (bytes.length - 8192 - 64));
  for (let n = 0; n < 64; n++) bytes[at + n] = Math.floor(random.next() * 256);
  writeFileSync(file, bytes);
}

/** "whole" when it serves every object as it was, "refused: …" when it ended with a sentence, else what happened. */
async function startOrRefuse(server: ServerProcess): Promise<string> {
  const failed = await server.start().then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (failed) return failed.replace(/^.*\(code 1\): /, "refused: ");
  const pool = server.pool();
  const { body } = await talk(pool)("GET", CONFIG_MAPS);
  await pool.destroy();
  const texts = body.items.filter((item: { data?: { text?: string } }) => item.data?.text === "x".repeat(3_000));
  return texts.length === OBJECTS ? "whole" : `serves ${texts.length} of ${OBJECTS} objects`;
}
