/** No success leaves before its sync: shown by the system calls of the running server, and shown to be noticed if not so. */
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "undici";
import { describe, expect, it } from "vitest";
import { buildMutant } from "./mutant.ts";
import { ServerProcess } from "./server-process.ts";
import { type Acknowledgement, acknowledgements, parseSystemCalls, TRACED } from "./system-calls.ts";
import { type Send, talk } from "./talk.ts";

const CONNECTIONS = 4;
const WRITES = 10;
/** Larger than anything else on these connections, so that the requests are told from handshakes by their size. */
const PADDING_BYTES = 6_000;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
/** A slow disk: an answer that does not wait for its sync is ahead of it every time, not now and then. */
const SLOW_SYNC = "inject=fdatasync:delay_enter=40000";

/** Runs writers against a traced server, and returns what the log says about each acknowledged write. */
async function traceWrites(program?: string): Promise<Acknowledgement[]> {
  const log = join(tmpdir(), `metalwright-strace-${process.pid}-${performance.now()}`);
  const strace = ["strace", "-D", "-f", "--seccomp-bpf", "-y", "-s", "8", "-e", TRACED, "-e", SLOW_SYNC, "-o", log];
  const server = new ServerProcess({ under: strace, ...(program && { program }) });
  const pools: Pool[] = [];
  try {
    await server.start();
    for (let n = 0; n < CONNECTIONS; n++) pools.push(server.pool({ connections: 1, pipelining: 1 }));
    await Promise.all(pools.map((pool, n) => writeSeries(talk(pool), n)));
    for (const pool of pools) await pool.destroy();
    await server.kill("SIGTERM");
    const seen = acknowledgements(parseSystemCalls(readFileSync(log, "utf8")), "/store/data.mdb");
    return seen.filter(({ request }) => request.result > PADDING_BYTES);
  } finally {
    await server.dispose();
    rmSync(log, { force: true });
  }
}

/** Creates and changes objects, one after another on one connection. */
async function writeSeries(send: Send, writer: number): Promise<void> {
  // Or the end of the handshake would look like the answer to the first write.
  await send("GET", "/version");
  const padding = "x".repeat(PADDING_BYTES);
  for (let n = 0; n < WRITES / 2; n++) {
    const name = `w${writer}-${n}`;
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { padding } };
    expect((await send("POST", CONFIG_MAPS, object)).status).toBe(201);
    const changed = { ...object, data: { padding, n: "1" } };
    expect((await send("PUT", `${CONFIG_MAPS}/${name}`, changed)).status).toBe(200);
  }
}

describe("durability", () => {
  it("acknowledges every write only after its pages and the page that makes them count are synced", async () => {
    const seen = await traceWrites();
    expect(seen).toHaveLength(CONNECTIONS * WRITES);
    expect(seen.filter(({ durable }) => !durable)).toEqual([]);
  });

  it.each([
    ["the sync is taken out", "store/lmdb-journal.ts", "overlappingSync: false", "noSync: true"],
    [
      "a write is acknowledged while it is being synced",
      "store/store.ts",
      "await this.#journal.append",
      "void this.#journal.append",
    ],
  ])("notices when %s", async (_, file, from, to) => {
    const { program, folder } = await buildMutant({ file, from, to });
    try {
      const seen = await traceWrites(program);
      expect(seen).toHaveLength(CONNECTIONS * WRITES);
      expect(seen.filter(({ durable }) => !durable)).not.toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
