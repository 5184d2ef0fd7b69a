import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createProxy } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seconds, VirtualClock } from "#clock";
import { Redacted } from "#kinds";
import { CredentialError } from "./credential-error.ts";
import { configFor, fixture, get, type Handler, json, open, pem, serve, until } from "./loopback-server.ts";
import { NotSent, type Transport } from "./transport.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "metalwright-credentials-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Answers with who the client is. */
const whoami: Handler = (request, response) => {
  const peer = (request.socket as TLSSocket).getPeerCertificate?.();
  const { authorization } = request.headers;
  const impersonated = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.startsWith("impersonate")),
  );
  json(response, { certificate: peer?.subject?.CN, authorization, ...impersonated });
};

async function ask(transport: Transport, path = "/whoami"): Promise<Record<string, string>> {
  return JSON.parse(await (await transport.request(get(path))).text());
}

test("says who we are by token, password, certificate and impersonation", async () => {
  await using server = await serve(whoami, { tls: true });
  const clientCertificate = {
    certificate: { file: fixture("client-a.crt") },
    key: { data: new Redacted(pem("client-a.key")) },
  };
  await using byToken = open(
    configFor(server.url, { user: { token: { data: new Redacted("t0k") }, clientCertificate } }),
  );
  expect(await ask(byToken)).toEqual({ certificate: "client-a", authorization: "Bearer t0k" });
  const basic = { username: "me", password: new Redacted("pässword") };
  await using byPassword = open(
    configFor(server.url, {
      user: { basic },
      impersonate: { user: "jane", groups: ["a", "b"], extra: { "Some/Key": ["x"] } },
    }),
  );
  expect(await ask(byPassword)).toEqual({
    authorization: `Basic ${Buffer.from("me:pässword").toString("base64")}`,
    "impersonate-user": "jane",
    "impersonate-group": "a, b",
    "impersonate-extra-some%2fkey": "x",
  });
});

test("trusts only the authority it was given, under the name it was told", async () => {
  await using server = await serve(whoami, { tls: true });
  await using stranger = await serve(whoami, { tls: true, certificate: "other-server" });
  const bare = { source: "a test", server: server.url, namespace: "default", user: {} };
  await using unknown = open(bare);
  await expect(ask(unknown)).rejects.toBeInstanceOf(NotSent);
  await using careless = open({ ...bare, insecureSkipTlsVerify: true });
  expect(await ask(careless)).toEqual({});
  await using wrongName = open(configFor(stranger.url));
  await expect(ask(wrongName)).rejects.toBeInstanceOf(NotSent);
  await using rightName = open(configFor(stranger.url, { tlsServerName: "api.test" }));
  expect(await ask(rightName)).toEqual({});
});

test("certificates replaced on disk are used from then on, and the request in flight is not disturbed", async () => {
  let release = (): void => {};
  await using server = await serve(
    (request, response, body) => {
      if (request.url !== "/slow") return whoami(request, response, body);
      release = () => whoami(request, response, body);
    },
    { tls: true },
  );
  const [certificate, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  const install = async (name: string): Promise<void> => {
    await copyFile(fixture(`${name}.crt`), certificate);
    await copyFile(fixture(`${name}.key`), key);
  };
  await install("client-a");
  const clock = new VirtualClock();
  const user = { clientCertificate: { certificate: { file: certificate }, key: { file: key } } };
  await using transport = open(configFor(server.url, { user }), { clock });
  expect(await ask(transport)).toMatchObject({ certificate: "client-a" });
  const slow = ask(transport, "/slow");
  await until(() => server.arrived.includes("GET /slow"), "the slow request arrived");

  // Half of the pair replaced: unusable, so the old pair stays.
  await copyFile(fixture("client-b.crt"), certificate);
  clock.jump(seconds(11));
  expect(await ask(transport)).toMatchObject({ certificate: "client-a" });

  await install("client-b");
  clock.jump(seconds(11));
  expect(await ask(transport)).toMatchObject({ certificate: "client-b" });
  release();
  expect(await slow).toMatchObject({ certificate: "client-a" });
});

test("a token file is read again, stays in use when it vanishes, and its absence from the start is one clear error", async () => {
  await using server = await serve(whoami);
  const file = join(folder, "token");
  const clock = new VirtualClock();
  await using transport = open(configFor(server.url, { user: { token: { file } } }), { clock });
  const failure = (await ask(transport).catch((e: unknown) => e)) as Error;
  expect(failure).toBeInstanceOf(CredentialError);
  expect(failure.message).toContain(file);
  await writeFile(file, "one\n");
  expect(await ask(transport)).toEqual({ authorization: "Bearer one" });
  await writeFile(file, "two\n");
  clock.jump(seconds(11));
  expect(await ask(transport)).toEqual({ authorization: "Bearer two" });
  await rm(file);
  clock.jump(seconds(11));
  expect(await ask(transport)).toEqual({ authorization: "Bearer two" });
});

test("a 401 makes it read the token again and repeat, once; a 401 to the newest token is the answer", async () => {
  let accepted = "two";
  await using server = await serve((request, response, body) =>
    request.headers.authorization === `Bearer ${accepted}`
      ? whoami(request, response, body)
      : json(response, { kind: "Status", reason: "Unauthorized", code: 401 }, 401),
  );
  const file = join(folder, "token");
  await writeFile(file, "one");
  await using transport = open(configFor(server.url, { user: { token: { file } } }), { clock: new VirtualClock() });
  expect((await transport.request(get("/first"))).status).toBe(401);
  expect(server.arrived).toEqual(["GET /first"]);
  await writeFile(file, "two");
  expect(await ask(transport)).toEqual({ authorization: "Bearer two" });
  expect(server.arrived).toEqual(["GET /first", "GET /whoami", "GET /whoami"]);
  accepted = "nothing";
  const answer = await transport.request(get("/last"));
  expect([answer.status, JSON.parse(await answer.text()).reason]).toEqual([401, "Unauthorized"]);
});

async function proxy(refuse = false) {
  const tunnelled: string[] = [];
  const server = createProxy();
  server.on("connect", (request, socket) => {
    tunnelled.push(`${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    socket.on("error", () => {});
    if (refuse) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const inner = connectSocket(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(inner).pipe(socket);
    });
    inner.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnelled,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

test("goes through a proxy, with its password, and a proxy that refuses is NotSent", async () => {
  await using server = await serve(whoami, { tls: true });
  await using good = await proxy();
  const through = (host: string) => configFor(server.url, { proxyUrl: new Redacted(`http://u:secret@${host}`) });
  {
    await using transport = open(through(good.host));
    expect(await ask(transport)).toEqual({});
  }
  expect(good.tunnelled).toEqual([`127.0.0.1:${server.port} Basic ${Buffer.from("u:secret").toString("base64")}`]);
  await using bad = await proxy(true);
  await using refused = open(through(bad.host));
  const failure = (await ask(refused).catch((e: unknown) => e)) as Error;
  expect(failure).toBeInstanceOf(NotSent);
  expect(failure.message).not.toContain("secret");
});
