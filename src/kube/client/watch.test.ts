/** Watches and odd answers over real connections. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { seconds, settle, systemClock, systemRandom, VirtualClock } from "#clock";
import { ConfigMap } from "#kinds";
import { configFor, type Handler, json, open, serve, until } from "../transport/loopback-server.ts";
import { ConnectionLost } from "../transport/transport.ts";
import type { Client, WatchEvent } from "./client.ts";
import { createClient } from "./create-client.ts";
import { ApiError, DeadlineExceeded, isExpired, OutcomeUnknown } from "./errors.ts";
import { splitLines } from "./watch-stream.ts";

async function against(handler: Handler, clock = systemClock) {
  const server = await serve(handler);
  const transport = open(configFor(server.url));
  const client: Client = createClient(transport, { clock, random: systemRandom, userAgent: "test" });
  return {
    client,
    server,
    async [Symbol.asyncDispose]() {
      await transport.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const event = (type: string, name: string, more = {}): string =>
  `${JSON.stringify({ type, object: { metadata: { name, resourceVersion: "7" }, ...more } })}\n`;
const signal = AbortSignal.timeout(20_000);

async function collect(events: AsyncIterable<WatchEvent<ConfigMap>>) {
  const seen: string[] = [];
  try {
    for await (const one of events)
      seen.push(
        one.type === "BOOKMARK"
          ? `bookmark ${one.resourceVersion} ${one.initialEventsEnd}`
          : `${one.type} ${one.object.metadata.name}`,
      );
    return { seen };
  } catch (error) {
    return { seen, error };
  }
}

test("asks for what it should and decodes what comes", async () => {
  await using site = await against((_, response) => {
    response.writeHead(200);
    response.write(event("ADDED", "a") + event("MODIFIED", "a"));
    response.write(
      '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}}\n',
    );
    response.end(event("DELETED", "a"));
  });
  let activity = 0;
  const onActivity = (): void => void activity++;
  const watch = site.client.watch(ConfigMap, {
    namespace: "n",
    resourceVersion: "5",
    timeoutSeconds: 60,
    sendInitialEvents: true,
    metadataOnly: true,
    signal,
    onActivity,
  });
  expect(await collect(watch)).toEqual({ seen: ["ADDED a", "MODIFIED a", "bookmark 9 true", "DELETED a"] });
  expect(activity).toBeGreaterThan(0);
  expect(site.server.arrived).toEqual([
    "GET /api/v1/namespaces/n/configmaps?watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=60&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
  ]);
});

test("a watch cut in the middle of a line: what was whole is delivered, the rest is not an event", async () => {
  const half = event("ADDED", "b").slice(0, 30);
  await using site = await against((request, response) => {
    response.writeHead(200);
    if (request.url?.includes("/ended/")) response.end(event("ADDED", "a") + half);
    else response.write(event("ADDED", "a") + half, () => setTimeout(() => request.socket.resetAndDestroy(), 20));
  });
  expect(await collect(site.client.watch(ConfigMap, { namespace: "ended", signal }))).toEqual({ seen: ["ADDED a"] });
  const cut = await collect(site.client.watch(ConfigMap, { namespace: "cut", signal }));
  expect(cut.seen).toEqual(["ADDED a"]);
  expect(cut.error).toBeInstanceOf(ConnectionLost);
});

test("a refusal, an ERROR event and a line that is none are told apart", async () => {
  const gone = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" };
  await using site = await against((request, response) => {
    const [, namespace] = /namespaces\/(\w+)/.exec(request.url ?? "") ?? [];
    if (namespace === "refused") return json(response, gone, 410);
    response.writeHead(200);
    response.end(namespace === "error" ? `${JSON.stringify({ type: "ERROR", object: gone })}\n` : "<html>\n");
  });
  const ending = async (namespace: string): Promise<unknown> =>
    (await collect(site.client.watch(ConfigMap, { namespace, signal }))).error;
  for (const namespace of ["refused", "error"]) {
    const error = await ending(namespace);
    expect(error).toBeInstanceOf(ApiError);
    expect(isExpired(error)).toBe(true);
  }
  expect(await ending("page")).toBeInstanceOf(ConnectionLost);
});

test("a watch whose head does not come ends by its deadline; one that is open may be silent", async () => {
  const clock = new VirtualClock();
  await using site = await against((request, response) => {
    if (!request.url?.includes("/silent/")) return;
    response.writeHead(200).flushHeaders();
    setTimeout(() => response.write(event("ADDED", "late")), 50);
  }, clock);
  const dead = collect(site.client.watch(ConfigMap, { signal }));
  await until(() => site.server.arrived.length === 1, "the watch arrived");
  await clock.advance(seconds(30));
  expect((await dead).error).toBeInstanceOf(DeadlineExceeded);

  const silent = site.client.watch(ConfigMap, { namespace: "silent", signal })[Symbol.asyncIterator]();
  const first = silent.next();
  await until(() => site.server.arrived.length === 2, "the second watch arrived");
  await until(() => clock.pendingTimers === 0, "its head is here");
  await clock.advance(seconds(3600));
  expect((await first).value).toMatchObject({ type: "ADDED" });
  const sockets = [...site.server.sockets];
  await silent.return?.();
  await until(() => sockets.every((socket) => socket.destroyed), "its connection ended");
  await settle();
});

test("aborting ends a watch and its connection", async () => {
  await using site = await against((_, response) => void response.writeHead(200).write(event("ADDED", "a")));
  const controller = new AbortController();
  const result = collect(site.client.watch(ConfigMap, { signal: controller.signal }));
  await until(() => site.server.sockets.size === 1, "it is open");
  const [socket] = site.server.sockets;
  await until(() => site.server.arrived.length === 1, "it arrived");
  controller.abort("stop");
  expect((await result).error).toBe("stop");
  await until(() => socket?.destroyed === true, "its connection ended");
});

test("a 3 MB object with U+2028 and characters of every width comes through get, list and watch", async () => {
  const text = "line\u2028separator ü € 😀 \u0000 ".repeat(120_000);
  const big = { metadata: { name: "big", resourceVersion: "1" }, data: { text } };
  await using site = await against((request, response) => {
    if (request.url?.includes("watch=")) response.end(`${JSON.stringify({ type: "ADDED", object: big })}\n`);
    else json(response, request.url?.includes("/big") ? big : { metadata: {}, items: [big] });
  });
  expect(JSON.stringify(big).length).toBeGreaterThan(3_000_000);
  const read = await site.client.get(ConfigMap, { namespace: "default", name: "big" });
  expect(read.data?.text === text).toBe(true);
  const list = await site.client.list(ConfigMap);
  expect(list.items[0]?.data?.text === text).toBe(true);
  for await (const one of site.client.watch(ConfigMap, { signal }))
    expect(one.type === "ADDED" && one.object.data?.text === text).toBe(true);
});

test("half an answer and then a reset: a read is repeated, a blind write is unknown", async () => {
  let cut = 0;
  await using site = await against((request, response) => {
    if (request.method === "GET" && cut > 1) return json(response, { metadata: { name: "a" } });
    cut++;
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"metadata":', () => setTimeout(() => request.socket.resetAndDestroy(), 10));
  });
  expect(await site.client.get(ConfigMap, { namespace: "default", name: "a" })).toMatchObject({ kind: "ConfigMap" });
  expect(cut).toBe(2);
  const metadata = { namespace: "default", name: "b" };
  await expect(site.client.create(ConfigMap, { metadata })).rejects.toBeInstanceOf(OutcomeUnknown);
  expect(site.server.arrived.filter((line) => line.startsWith("POST"))).toHaveLength(1);
});

async function* chunked(bytes: Buffer, cuts: readonly number[]) {
  let from = 0;
  for (const to of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(from, to);
    from = Math.max(from, to);
  }
}

test("property: lines are the same however the bytes are cut, and the unfinished one is dropped", async () => {
  const line = fc.string({ unit: "binary" }).map((text) => Buffer.from(text).toString().replaceAll("\n", ""));
  await fc.assert(
    fc.asyncProperty(fc.array(line), line, fc.array(fc.nat(500)), async (lines, rest, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join("") + rest);
      const seen: string[] = [];
      for await (const one of splitLines(chunked(bytes, cuts))) seen.push(one);
      expect(seen).toEqual(lines);
    }),
  );
});

test("a line without end is refused instead of filling memory", async () => {
  const read = async (): Promise<void> => {
    for await (const _ of splitLines(chunked(Buffer.alloc(5000, "x"), [1000, 2000, 3000]), 2500));
  };
  await expect(read()).rejects.toBeInstanceOf(ConnectionLost);
});
