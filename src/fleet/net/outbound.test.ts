import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { Outbound } from "./outbound.ts";

let server: Server;
let held: ServerResponse[];
let url: string;
let clock: VirtualClock;
let outbound: Outbound;

beforeEach(async () => {
  held = [];
  server = createServer((_, response) => held.push(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  clock = new VirtualClock();
  outbound = new Outbound(clock);
});
afterEach(async () => {
  await outbound.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const signal = new AbortController().signal;
const until = async (check: () => boolean): Promise<void> => {
  while (!check()) await new Promise((resolve) => setImmediate(resolve));
};

describe("a request that leaves the fleet", () => {
  it("ends at its deadline", async () => {
    const lost = outbound.request(url, { signal, deadlineMs: 1_000 });
    const failed = expect(lost).rejects.toThrow("no answer in time");
    await until(() => held.length === 1);
    await clock.advance(1_000);
    await failed;
  });

  it("ends when its owner does", async () => {
    const owner = new AbortController();
    const lost = outbound.request(url, { signal: owner.signal });
    const failed = expect(lost).rejects.toThrow("power went away");
    await until(() => held.length === 1);
    owner.abort(new Error("power went away"));
    await failed;
  });

  it("keeps no more of an answer than it was told, and counts the rest", async () => {
    const asked = outbound.request(url, { signal, keepBytes: 4 });
    await until(() => held.length === 1);
    held[0]?.end("0123456789");
    expect(await asked).toEqual({ status: 200, text: "0123", bytes: 10 });
  });

  it("waits its turn, and its deadline starts with the turn", async () => {
    const asked = Array.from({ length: 65 }, () => outbound.request(url, { signal, deadlineMs: 1_000 }));
    await until(() => held.length === 64);
    await clock.advance(999);
    held[0]?.end("first");
    await until(() => held.length === 65);
    for (const response of held.slice(1, 64)) response.end("later");
    await Promise.all(asked.slice(0, 64));
    // The last one has had its turn for half a second, and has waited for a second and a half.
    await clock.advance(500);
    held[64]?.end("last");
    expect((await asked[64])?.text).toBe("last");
  });
});
