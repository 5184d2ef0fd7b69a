import type { AddressInfo } from "node:net";
import { connect as connectSocket, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { systemClock } from "#clock";
import { Fenced, fenced } from "./fence.ts";
import { configFor, get, json, open, serve, until } from "./loopback-server.ts";
import { ConnectionLost, NotSent } from "./transport.ts";

test("carries requests and their answers, and uses connections again", async () => {
  await using server = await serve((request, response, body) =>
    json(response, { method: request.method, url: request.url, agent: request.headers["user-agent"], body }),
  );
  await using transport = open(configFor(`${server.url}/prefix`));
  for (const body of ["one", "zwei ü", ...Array.from({ length: 20 }, String)]) {
    const answer = await transport.request(get("/x?y=1", { method: "POST", body, headers: { "user-agent": "t" } }));
    expect(answer.status).toBe(200);
    expect(JSON.parse(await answer.text())).toEqual({ method: "POST", url: "/prefix/x?y=1", agent: "t", body });
  }
  // undici lets a connection rest for one turn of the event loop, so a second one takes turns with it.
  expect(server.connections).toBeLessThanOrEqual(2);
});

test("joins repeated headers", async () => {
  await using server = await serve((_, response) => {
    response
      .writeHead(200, [
        ["warning", '299 - "a"'],
        ["warning", '299 - "b"'],
      ] as never)
      .end("{}");
  });
  await using transport = open(configFor(server.url));
  const answer = await transport.request(get("/"));
  expect(answer.headers.warning).toBe('299 - "a", 299 - "b"');
});

test("a refused connection is NotSent and says so", async () => {
  const server = await serve(() => {});
  await server[Symbol.asyncDispose]();
  await using transport = open(configFor(server.url));
  const failure = await transport.request(get("/a", { method: "POST", body: "{}" })).catch((e: unknown) => e);
  expect(failure).toBeInstanceOf(NotSent);
  expect((failure as Error).message).toMatch(/^POST \/a: it could not be sent: .*ECONNREFUSED/);
});

test("half an answer and then a reset is ConnectionLost, before and after the head", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/body") {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"half":');
      setImmediate(() => request.socket.resetAndDestroy());
    } else request.socket.resetAndDestroy();
  });
  await using transport = open(configFor(server.url));
  await expect(transport.request(get("/head"))).rejects.toBeInstanceOf(ConnectionLost);
  await expect(transport.request(get("/body")).then((r) => r.text())).rejects.toBeInstanceOf(ConnectionLost);
});

test("an answer shorter than it announced is ConnectionLost, never a text", async () => {
  await using server = await serve((request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("{}");
    request.socket.end();
  });
  await using transport = open(configFor(server.url));
  await expect(transport.request(get("/")).then((r) => r.text())).rejects.toBeInstanceOf(ConnectionLost);
});

test("giving up on a server that never answers ends with the reason and closes the socket", async () => {
  await using server = await serve(() => {});
  await using transport = open(configFor(server.url));
  const controller = new AbortController();
  const pending = transport.request(get("/slow", { signal: controller.signal }));
  await until(() => server.arrived.length === 1, "the request arrived");
  const [socket] = server.sockets;
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(pending).rejects.toBe(reason);
  await until(() => socket?.destroyed === true, "the socket closed");
});

test("giving up while the body arrives rejects the reader and closes the socket", async () => {
  await using server = await serve((_, response) => void response.writeHead(200).write("part"));
  await using transport = open(configFor(server.url));
  const controller = new AbortController();
  const answer = await transport.request(get("/", { signal: controller.signal }));
  const [socket] = server.sockets;
  const text = answer.text();
  controller.abort(new Error("enough"));
  await expect(text).rejects.toThrow("enough");
  await until(() => socket?.destroyed === true, "the socket closed");
});

test("leaving the loop over a stream ends it", async () => {
  await using server = await serve((_, response) => void response.writeHead(200).write("first"));
  await using transport = open(configFor(server.url));
  const answer = await transport.request(get("/", { streaming: true }));
  const [socket] = server.sockets;
  for await (const chunk of answer.chunks()) {
    expect(Buffer.from(chunk).toString()).toBe("first");
    break;
  }
  await until(() => socket?.destroyed === true, "the socket closed");
});

test("what arrives while the reader is busy is there when it comes back", async () => {
  let send = (_text: string): void => {};
  await using server = await serve((_, response) => {
    response.writeHead(200);
    send = (text) => void response.write(text);
    send("one");
  });
  await using transport = open(configFor(server.url));
  const answer = await transport.request(get("/", { streaming: true }));
  const seen: string[] = [];
  for await (const chunk of answer.chunks()) {
    seen.push(Buffer.from(chunk).toString());
    if (seen.length === 3) break;
    send(`more ${seen.length}`);
    await systemClock.sleep(50);
  }
  expect(seen).toEqual(["one", "more 1", "more 2"]);
});

test("streams take no places: requests go on however many there are", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/stream") response.writeHead(200).write("first");
    else json(response, {});
  });
  await using transport = open(configFor(server.url), { maxInFlight: 1 });
  const streams = await Promise.all([1, 2, 3].map(() => transport.request(get("/stream", { streaming: true }))));
  const answer = await transport.request(get("/request"));
  expect(await answer.text()).toBe("{}");
  expect(streams.map((stream) => stream.status)).toEqual([200, 200, 200]);
});

test("a slow reader of a stream holds the sender back instead of filling memory, and still gets every byte", async () => {
  const total = 64 * 1_048_576;
  let written = 0;
  await using server = await serve((_, response) => {
    const chunk = Buffer.alloc(65_536, "x");
    const pump = (): void => {
      while (written < total) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", pump);
      }
      response.end();
    };
    response.writeHead(200);
    pump();
  });
  await using transport = open(configFor(server.url));
  const answer = await transport.request(get("/", { streaming: true, signal: AbortSignal.timeout(15_000) }));
  await until(() => written > 1_000_000, "the sender began");
  let seen = written;
  let unchanged = 0;
  await until(() => {
    unchanged = seen === written ? unchanged + 1 : 0;
    seen = written;
    return unchanged === 100;
  }, "the sender stood still");
  expect(written).toBeLessThan(total / 2);
  let received = 0;
  for await (const chunk of answer.chunks()) received += chunk.length;
  expect(received).toBe(total);
});

test("characters cut between chunks and U+2028 arrive whole", async () => {
  const text = JSON.stringify({ text: "a\u2028b ü € 😀".repeat(100) });
  const bytes = Buffer.from(text);
  await using server = await serve((_, response) => {
    response.writeHead(200);
    const next = (at: number): void => {
      if (at >= bytes.length) return void response.end();
      response.write(bytes.subarray(at, at + 7), () => setImmediate(next, at + 7));
    };
    next(0);
  });
  await using transport = open(configFor(server.url));
  expect(await (await transport.request(get("/"))).text()).toBe(text);
});

/** A door in front of a server that opens when told: until then connections are accepted by nobody who speaks TLS. */
async function slowDoor(port: number) {
  const held: Socket[] = [];
  let isOpen = false;
  const pass = (socket: Socket): void => {
    const inner = connectSocket(port, "127.0.0.1");
    inner.on("error", () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  };
  const door = createServer((socket) => {
    socket.on("error", () => {});
    if (isOpen) pass(socket);
    else held.push(socket);
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(door.address() as AddressInfo).port}`,
    held,
    open() {
      isOpen = true;
      held.splice(0).forEach(pass);
    },
    async [Symbol.asyncDispose]() {
      for (const socket of held) socket.destroy();
      await new Promise((resolve) => door.close(resolve));
    },
  };
}

function switchableFence() {
  let closed = false;
  return {
    close: () => {
      closed = true;
    },
    check: () => {
      if (closed) throw new Fenced("the lease is lost");
    },
  };
}

test("a fence that closes while the connection comes up: nothing reaches the server", async () => {
  await using server = await serve((_, response) => json(response, {}), { tls: true });
  await using door = await slowDoor(server.port);
  await using transport = open(configFor(door.url));
  const fence = switchableFence();
  const pending = fenced(transport, fence).request(get("/write", { method: "POST", body: "{}" }));
  const failure = pending.catch((e: unknown) => e);
  await until(() => door.held.length === 1, "the connection waits");
  fence.close();
  door.open();
  expect(await failure).toBeInstanceOf(Fenced);
  // The same connection then carries what is allowed: the server is there, and this alone reached it.
  await (await transport.request(get("/read"))).text();
  expect(server.arrived).toEqual(["GET /read"]);
});

test("a fence that closes while a request queues: nothing reaches the server", async () => {
  let release = (): void => {};
  await using server = await serve((_, response) => {
    release = () => json(response, {});
  });
  await using transport = open(configFor(server.url), { maxInFlight: 1 });
  const fence = switchableFence();
  const client = fenced(transport, fence);
  const first = client.request(get("/first"));
  const second = client.request(get("/second", { method: "POST" })).catch((e: unknown) => e);
  await until(() => server.arrived.length === 1, "the first arrived");
  fence.close();
  release();
  await (await first).text();
  expect(await second).toBeInstanceOf(Fenced);
  expect(server.arrived).toEqual(["GET /first"]);
});

test("a request given up while the connection comes up is never sent, and the connection serves others", async () => {
  await using server = await serve((_, response) => json(response, {}), { tls: true });
  await using door = await slowDoor(server.port);
  await using transport = open(configFor(door.url));
  const controller = new AbortController();
  const pending = transport.request(get("/given-up", { method: "POST", signal: controller.signal }));
  const failure = pending.catch((e: unknown) => e);
  await until(() => door.held.length === 1, "the connection waits");
  controller.abort(new Error("enough"));
  expect(await failure).toMatchObject({ message: "enough" });
  door.open();
  await (await transport.request(get("/later"))).text();
  expect(server.arrived).toEqual(["GET /later"]);
});

test("close fails what is under way and what waits, and leaves no socket", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/stream") response.writeHead(200).write("first");
  });
  await using transport = open(configFor(server.url), { maxInFlight: 1 });
  const stream = await transport.request(get("/stream", { streaming: true }));
  const sent = transport.request(get("/sent")).catch((e: unknown) => e);
  const waiting = transport.request(get("/waiting")).catch((e: unknown) => e);
  await until(() => server.arrived.length === 2, "both arrived");
  await transport.close();
  expect(await sent).toBeInstanceOf(ConnectionLost);
  expect(await waiting).toBeInstanceOf(NotSent);
  await expect(stream.text()).rejects.toBeInstanceOf(ConnectionLost);
  await expect(transport.request(get("/after"))).rejects.toBeInstanceOf(NotSent);
  await until(() => server.sockets.size === 0, "every socket closed");
});

test("a thousand requests, some given up, leave no place taken", async () => {
  await using server = await serve((request, response) => {
    if (!request.url?.startsWith("/hang")) json(response, {});
  });
  await using transport = open(configFor(server.url), { maxInFlight: 8 });
  const one = async (at: number): Promise<void> => {
    const hang = at % 10 === 0;
    const signal = hang ? AbortSignal.timeout(20) : AbortSignal.timeout(10_000);
    const answer = await transport.request(get(hang ? `/hang${at}` : `/${at}`, { signal }));
    await answer.text();
  };
  const results = await Promise.allSettled(Array.from({ length: 1000 }, (_, at) => one(at)));
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(100);
  expect(server.sockets.size).toBeLessThanOrEqual(2 * 8);
  await transport.close();
  await until(() => server.sockets.size === 0, "every socket closed");
});
