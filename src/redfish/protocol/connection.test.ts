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

describe("the fence", () => {
  it("closed before the call: nothing is sent", async () => {
    const { bmc, connection } = await connected(
      () => ({}),
      () => {
        throw new Error("lease lost");
      },
    );
    expect(await connection.send(get)).toMatchObject({ ok: false });
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
