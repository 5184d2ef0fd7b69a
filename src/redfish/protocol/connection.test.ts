import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "#clock";
import { bmcAddress } from "./address.ts";
import { Connection } from "./connection.ts";
import { type Script, type ScriptedBmc, scriptedBmc } from "./scripted-bmc.ts";

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function connected(script: Script, fence?: () => void): Promise<{ bmc: ScriptedBmc; connection: Connection }> {
  const bmc = await scriptedBmc(script);
  const connection = new Connection({ address: bmc.address, clock: systemClock, ...(fence ? { fence } : {}) });
  cleanUps.push(
    () => connection.close(),
    () => bmc.close(),
  );
  return { bmc, connection };
}

const get = { method: "GET", path: "/redfish/v1/" } as const;

describe("a BMC that answers", () => {
  it("gives status, lower-case headers and decoded JSON", async () => {
    const { connection } = await connected(() => ({ headers: { ETag: '"1"' }, body: { Name: "Root" } }));
    expect(await connection.send(get)).toMatchObject({
      ok: true,
      value: { status: 200, headers: { etag: '"1"' }, body: { Name: "Root" } },
    });
  });

  it("may answer with nothing at all", async () => {
    const { connection } = await connected(() => ({ status: 204 }));
    expect(await connection.send(get)).toMatchObject({ ok: true, value: { body: undefined } });
  });
});

const extended = {
  error: {
    code: "Base.1.8.GeneralError",
    message: "A general error has occurred.",
    "@Message.ExtendedInfo": [
      { MessageId: "Base.1.8.PropertyValueNotInList", Message: "The value 'Foo' for ResetType is not in the list." },
    ],
  },
};
const page = "<html><head><title>iDRAC</title></head></html>";

describe("a BMC that does not do as asked", () => {
  it.each([
    ["extended info becomes the sentence", { status: 400, body: extended }, "Refused", /The value 'Foo'/],
    ["401", { status: 401 }, "Unauthorized", /HTTP 401$/],
    ["404", { status: 404, body: {} }, "NotFound", /HTTP 404$/],
    ["405", { status: 405 }, "NotSupported", /HTTP 405/],
    ["412", { status: 412 }, "PreconditionFailed", /HTTP 412/],
    ["503", { status: 503, headers: { "retry-after": "7" } }, "Busy", /HTTP 503/],
    ["500", { status: 500, body: page }, "ServerError", /a web page instead of JSON/],
    ["plain words", { status: 400, body: "Failed to save it." }, "Refused", /HTTP 400: "Failed to save it\."$/],
    ["200 with a web page", { body: page }, "BrokenAnswer", /a web page instead of JSON/],
    ["200 with half an object", { body: '{"Name": "Ro' }, "BrokenAnswer", /broken JSON/],
    [
      "an answer cut off",
      { body: { Name: "Root", More: "x".repeat(100) }, cutAfter: 20 },
      "ConnectionLost",
      /ended before/,
    ],
  ] as const)("%s", async (_, reply, code, message) => {
    const { connection } = await connected(() => reply);
    const outcome = await connection.send(get);
    expect(outcome).toMatchObject({ ok: false, failure: { code, message: expect.stringMatching(message) } });
  });

  it("says when to come back", async () => {
    const { connection } = await connected(() => ({ status: 503, headers: { "retry-after": "7" } }));
    expect(await connection.send(get)).toMatchObject({ failure: { retryAfterMs: 7000 } });
  });

  it.each([
    ["iLO.2.25.UnableToModifyDuringSystemPOST", 400, "Busy"],
    ["Base.1.8.ServiceTemporarilyUnavailable", 500, "Busy"],
    ["Base.1.8.PasswordChangeRequired", 400, "Forbidden"],
    ["Base.1.8.InsufficientPrivilege", 400, "Forbidden"],
    ["Base.1.8.InsufficientPrivilege", 401, "Unauthorized"],
    ["Base.1.8.PropertyUnknown", 400, "Refused"],
  ])("%s with status %i is %s", async (MessageId, status, code) => {
    const body = { error: { "@Message.ExtendedInfo": [{ MessageId, Message: "No." }] } };
    const { connection } = await connected(() => ({ status, body }));
    expect(await connection.send(get)).toMatchObject({ failure: { code } });
  });

  it("recognises a full session table by its message, whatever the status", async () => {
    const body = {
      error: { "@Message.ExtendedInfo": [{ MessageId: "IDRAC.2.8.RAC0218", Message: "Maximum sessions." }] },
    };
    const { connection } = await connected(() => ({ status: 400, body }));
    expect(await connection.send(get)).toMatchObject({ failure: { code: "SessionsFull" } });
  });

  it("is given up on at the deadline", async () => {
    const { connection } = await connected(() => ({ hang: true }));
    const outcome = await connection.send({ ...get, timeoutMs: 50 });
    expect(outcome).toMatchObject({ failure: { code: "TimedOut", message: expect.stringContaining("within 50 ms") } });
  });

  it("is unreachable when nobody listens", async () => {
    const bmc = await scriptedBmc(() => ({}));
    await bmc.close();
    const connection = new Connection({ address: bmc.address, clock: systemClock });
    cleanUps.push(() => connection.close());
    expect(await connection.send(get)).toMatchObject({ failure: { code: "Unreachable" } });
  });
});

describe("a BMC that sends us elsewhere", () => {
  const moving =
    (location: string): Script =>
    ({ path }) =>
      path === "/redfish/v1/" ? { status: 308, headers: { location } } : { body: { path } };

  it("on itself is followed, with what we sent along", async () => {
    const { bmc, connection } = await connected(moving("/redfish/v1/Systems/1/"));
    const outcome = await connection.send({ ...get, headers: { "x-auth-token": "t" } });
    expect(outcome).toMatchObject({ ok: true, value: { body: { path: "/redfish/v1/Systems/1/" } } });
    expect(bmc.asked[1]?.headers["x-auth-token"]).toBe("t");
  });

  it("on another host is not: our credentials stay here", async () => {
    const { bmc, connection } = await connected(moving("http://127.0.0.2:1/redfish/v1/x"));
    expect(await connection.send(get)).toMatchObject({
      failure: { code: "Refused", message: expect.stringContaining("it sends us to http://127.0.0.2:1/") },
    });
    expect(bmc.asked).toHaveLength(1);
  });

  it("in a circle is followed once", async () => {
    const { bmc, connection } = await connected(() => ({ status: 302, headers: { location: "/redfish/v1/" } }));
    expect(await connection.send(get)).toMatchObject({ ok: false });
    expect(bmc.asked).toHaveLength(2);
  });

  it("with a change is not followed", async () => {
    const { bmc, connection } = await connected(moving("/elsewhere"));
    expect(await connection.send({ method: "POST", path: "/redfish/v1/", body: {} })).toMatchObject({ ok: false });
    expect(bmc.asked).toHaveLength(1);
  });
});

describe("the fence", () => {
  it("closed before the call: nothing is sent", async () => {
    const { bmc, connection } = await connected(
      () => ({}),
      () => {
        throw new Error("lease lost");
      },
    );
    expect(await connection.send(get)).toMatchObject({ ok: false, failure: { code: "Fenced" } });
    expect(await connection.stream(get)).toMatchObject({ ok: false, failure: { code: "Fenced" } });
    expect(bmc.asked).toEqual([]);
  });

  it("closed while the request waits behind another: nothing is sent", async () => {
    let open = true;
    const fence = (): void => {
      if (!open) throw new Error("lease lost");
    };
    const { bmc, connection } = await connected(({ path }) => (path === "/slow" ? { hang: true } : {}), fence);
    const slow = connection.send({ method: "GET", path: "/slow", timeoutMs: 200 });
    await vi.waitFor(() => expect(bmc.asked).toHaveLength(1));
    const waiting = connection.send({ method: "POST", path: "/reset", body: {} });
    open = false;
    expect(await slow).toMatchObject({ failure: { code: "TimedOut" } });
    expect(await waiting).toMatchObject({ failure: { code: "Fenced" } });
    expect(bmc.asked.map(({ path }) => path)).toEqual(["/slow"]);
  });
});

it("an idle connection keeps no socket, and the next request opens one", async () => {
  const sockets = new Set<unknown>();
  const server = createServer((_, response) => response.end("{}"));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = bmcAddress("http", "127.0.0.1", (server.address() as AddressInfo).port);
  const connection = new Connection({ address, clock: systemClock, idleMs: 30 });
  cleanUps.push(
    () => connection.close(),
    async () => void server.close(),
  );
  for (let round = 0; round < 2; round++) {
    expect(await connection.send(get)).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  }
});

describe("addresses", () => {
  it.each([
    ["HTTPS", "BMC-1.Example", undefined, { scheme: "https", host: "bmc-1.example", port: 443 }],
    ["http", "127.1", 8000, { scheme: "http", host: "127.0.0.1", port: 8000 }],
    ["https", "[FE80::0001]", 443, { scheme: "https", host: "fe80::1", port: 443 }],
  ])("%s %s %s is one spelling", (scheme, host, port, canonical) => {
    expect(bmcAddress(scheme, host, port)).toEqual(canonical);
  });

  it.each([
    ["ftp", "h", 1, /neither http nor https/],
    ["http", "a b", 1, /neither an IP address nor a host name/],
    ["http", "h", 0, /not between/],
  ])("%s %s %s is refused", (scheme, host, port, message) => {
    expect(() => bmcAddress(scheme, host, port)).toThrow(message);
  });
});
