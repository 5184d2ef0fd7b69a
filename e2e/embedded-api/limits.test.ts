/** What one client sends must not cost the others anything: bodies without end, many half-sent requests. */
import { readFileSync } from "node:fs";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerProcess } from "./server-process.ts";
import { talk } from "./talk.ts";

const MEGABYTE = 1024 * 1024;
const HOSTILE_BYTES = 100 * MEGABYTE;
const server = new ServerProcess();
beforeAll(() => server.start(), 60_000);
afterAll(() => server.dispose());

function residentMegabytes(): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

function dial(): Promise<TLSSocket> {
  return new Promise((done, fail) => {
    const socket = connect({ host: "127.0.0.1", port: server.port, rejectUnauthorized: false });
    socket.once("secureConnect", () => done(socket)).on("error", fail);
  });
}

/** Sends a body for as long as it is taken, and says how much that was and what came back. */
async function pour(head: string): Promise<{ sent: number; answer: string }> {
  const socket = await dial();
  const block = Buffer.alloc(MEGABYTE, "x");
  let answer = "";
  let open = true;
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  let wake = (): void => {};
  socket.on("drain", () => wake());
  socket.on("close", () => {
    open = false;
    wake();
  });
  socket.on("error", () => {});
  socket.write(head);
  let sent = 0;
  for (; open && sent < HOSTILE_BYTES; sent += MEGABYTE) {
    const chunk = head.includes("chunked") ? [`${MEGABYTE.toString(16)}\r\n`, block, "\r\n"] : [block];
    const taken = chunk.map((part) => socket.write(part)).at(-1);
    if (taken || !open) continue;
    await new Promise<void>((done) => {
      wake = done;
    });
  }
  socket.destroy();
  return { sent, answer };
}

const HEAD = "POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";

describe("limits", () => {
  it.each([
    ["announced", `${HEAD}content-length: ${HOSTILE_BYTES}\r\n\r\n`],
    ["in chunks", `${HEAD}transfer-encoding: chunked\r\n\r\n`],
  ])("cuts off a body of 100 MB, %s", async (_, head) => {
    const { sent, answer } = await pour(head);
    expect(sent).toBeLessThan(HOSTILE_BYTES / 2);
    expect(answer === "" || answer.startsWith("HTTP/1.1 413")).toBe(true);
    expect(residentMegabytes()).toBeLessThan(400);
  });

  it("serves others while many requests are half sent", async () => {
    const sockets = await Promise.all(Array.from({ length: 200 }, dial));
    for (const [n, socket] of sockets.entries()) {
      socket.write(n % 2 === 0 ? HEAD : `${HEAD}content-length: 1000\r\n\r\n{`);
    }
    const pool = server.pool();
    const began = performance.now();
    for (let n = 0; n < 20; n++) expect((await talk(pool)("GET", "/api/v1/namespaces")).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(10_000);
    await pool.destroy();
    for (const socket of sockets) socket.destroy();
  });
});
