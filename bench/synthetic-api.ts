/**
 * A process that serves as many objects as it is told to, as an API server would: lists in pages, watches, initial
 * events, bookmarks and updates at a steady rate. Encodes everything once, so that it is never what is measured.
 * `node scripts/run-ts.mjs bench/synthetic-api.ts COUNT` prints its port and ends when its standard input does.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const COUNT = Number(process.argv[2] ?? "1000");
/** Twelve times as often as a real one. */
const BOOKMARK_EVERY_MS = 5000;

let revision = COUNT;
const encoded = Array.from({ length: COUNT }, (_, i) => JSON.stringify(serverLike(i, i + 1)));
const watchers = new Set<ServerResponse>();

const http = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  response.setHeader("content-type", "application/json");
  if (url.pathname === "/updates") return update(Number(url.searchParams.get("rate")), response, url);
  if (url.searchParams.get("watch") === "true") return watch(url, response);
  list(url, response);
});

/** About three kilobytes, a third of it managedFields: the shape of a discovered server. */
function serverLike(i: number, resourceVersion: number, sentAt = "") {
  const fields = Object.fromEntries(Array.from({ length: 20 }, (_, f) => [`f:field${f}`, { ".": {}, "f:value": {} }]));
  return {
    apiVersion: "bench.io/v1",
    kind: "Rack",
    metadata: {
      name: `rack-${i}`,
      uid: `00000000-0000-4000-8000-${i.toString().padStart(12, "0")}`,
      resourceVersion: `${resourceVersion}`,
      generation: 3,
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { "bench.io/row": `${i % 100}`, "bench.io/site": `site-${i % 7}` },
      annotations: { "bench.io/sent-at": sentAt },
      managedFields: [{ manager: "bench", operation: "Update", apiVersion: "bench.io/v1", fieldsV1: fields }],
    },
    spec: { power: "On", bootOrder: ["pxe", "disk"], bmcRef: { name: `bmc-${i}` }, taints: [] },
    status: {
      state: "Available",
      nics: Array.from({ length: 4 }, (_, n) => ({ name: `eth${n}`, mac: `02:00:00:${i}:${n}`, speed: 25_000 })),
      disks: Array.from({ length: 8 }, (_, d) => ({
        name: `nvme${d}`,
        serial: `S${i}-${d}`,
        bytes: 1_920_383_410_176,
      })),
      conditions: ["Ready", "Discovered", "Healthy"].map((type) => ({
        type,
        status: "True",
        reason: "AsExpected",
        message: `${type} since it was seen last`,
        lastTransitionTime: "2026-01-01T00:00:00Z",
      })),
    },
  };
}

function list(url: URL, response: ServerResponse): void {
  const from = Number(url.searchParams.get("continue") ?? 0);
  const to = from + Number(url.searchParams.get("limit") ?? COUNT);
  const metadata = { resourceVersion: `${revision}`, ...(to < COUNT ? { continue: `${to}` } : {}) };
  const head = `{"apiVersion":"bench.io/v1","kind":"RackList","metadata":${JSON.stringify(metadata)}`;
  response.end(`${head},"items":[${encoded.slice(from, to).join(",")}]}`);
}

function watch(url: URL, response: ServerResponse): void {
  response.flushHeaders();
  if (url.searchParams.get("sendInitialEvents") === "true") {
    response.write(encoded.map((object) => `{"type":"ADDED","object":${object}}\n`).join(""));
    response.write(bookmark({ "k8s.io/initial-events-end": "true" }));
  }
  watchers.add(response);
  response.on("close", () => watchers.delete(response));
}

function bookmark(annotations: Record<string, string>): string {
  const metadata = { resourceVersion: `${revision}`, annotations };
  return `${JSON.stringify({ type: "BOOKMARK", object: { apiVersion: "bench.io/v1", kind: "Rack", metadata } })}\n`;
}

/** Sends `rate` updates a second, evenly, each stamped with the machine's monotonic time at which it leaves. */
function update(rate: number, response: ServerResponse, url: URL): void {
  const total = rate * Number(url.searchParams.get("seconds"));
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(total, ((performance.now() - began) / 1000) * rate);
    for (; sent < due; sent++) {
      const object = serverLike(sent % COUNT, ++revision, `${process.hrtime.bigint()}`);
      for (const watcher of watchers) watcher.write(`${JSON.stringify({ type: "MODIFIED", object })}\n`);
    }
    if (sent < total) return;
    clearInterval(timer);
    response.end("{}");
  }, 1);
}

setInterval(() => {
  for (const watcher of watchers) watcher.write(bookmark({}));
}, BOOKMARK_EVERY_MS);
http.listen(0, "127.0.0.1", () => console.log((http.address() as AddressInfo).port));
process.stdin.on("end", () => process.exit(0)).resume();
