/** A reader slower than the sender: the sender is held back, and nothing is ever left lying. */
import { expect, test } from "vitest";
import { configFor, get, open, serve } from "./loopback-server.ts";

const CHUNK = Buffer.alloc(65_536, "x");
const CHUNKS = 128;

test("a stream read more slowly than it is sent arrives whole", async () => {
  await using server = await serve((_, response) => {
    response.writeHead(200);
    for (let i = 0; i < CHUNKS; i++) response.write(CHUNK);
  });
  await using transport = open(configFor(server.url));
  const answer = await transport.request(get("/", { streaming: true, signal: AbortSignal.timeout(10_000) }));
  let received = 0;
  for await (const chunk of answer.chunks()) {
    received += chunk.length;
    if (received === CHUNKS * CHUNK.length) break;
    // Whatever arrives meanwhile must be found afterwards, though nothing more may arrive to announce it.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(received).toBe(CHUNKS * CHUNK.length);
});
