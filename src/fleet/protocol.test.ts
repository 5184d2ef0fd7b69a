import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fleet, startFleet } from "./fleet.ts";
import type { JsonObject } from "./json.ts";
import type { ProfileName } from "./profiles/profile.ts";
import { basic, type Call, clientOf } from "./testing/redfish.ts";

let fleet: Fleet;
let call: Call;
let system: string;

async function use(profile: ProfileName): Promise<void> {
  await fleet?.close();
  fleet = await startFleet({ servers: 1, profile });
  const [bmc] = fleet.bmcs;
  if (!bmc) throw new Error("no BMC");
  call = clientOf(bmc);
  system = bmc.systems[0]?.path ?? "";
}

beforeEach(() => use("openbmc"));
afterEach(() => fleet.close());

const info = (body: JsonObject): JsonObject[] =>
  (body.error as JsonObject)["@Message.ExtendedInfo"] as unknown as JsonObject[];

describe("reading", () => {
  it("needs credentials except for the root", async () => {
    expect((await call("GET", "/redfish/v1", { anonymous: true })).status).toBe(200);
    expect((await call("GET", "/redfish", { anonymous: true })).body).toEqual({ v1: "/redfish/v1/" });
    const refused = await call("GET", "/redfish/v1/Systems", { anonymous: true });
    expect(refused.status).toBe(401);
    expect(refused.headers["www-authenticate"]).toContain("Basic");
    expect(info(refused.body)[0]?.MessageId).toBe("Base.1.18.1.NoValidSession");
    const wrong = await call("GET", "/redfish/v1/Systems", { headers: { authorization: "Basic d3Jvbmc6d3Jvbmc=" } });
    expect(wrong.status).toBe(401);
  });

  it("does not tell strangers what exists", async () => {
    expect((await call("GET", "/redfish/v1/NoSuchThing", { anonymous: true })).status).toBe(401);
    expect((await call("GET", "/redfish/v1/NoSuchThing")).status).toBe(404);
  });

  it("answers HEAD like GET without the body", async () => {
    const [head, get] = [await call("HEAD", system), await call("GET", system)];
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(head.headers.etag).toBe(get.headers.etag);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect(get.headers["odata-version"]).toBe("4.0");
  });

  it("says what is allowed, and refuses the rest with 405", async () => {
    const options = await call("OPTIONS", system);
    expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, PATCH, OPTIONS"]);
    for (const [method, path] of [
      ["DELETE", system],
      ["PATCH", "/redfish/v1/Systems"],
      ["GET", `${system}/Actions/ComputerSystem.Reset`],
    ] as const) {
      const refused = await call(method, path, method === "PATCH" ? { body: {} } : {});
      expect([refused.status, typeof refused.headers.allow]).toEqual([405, "string"]);
      expect(info(refused.body)[0]?.MessageId).toContain("OperationNotAllowed");
    }
  });

  it("expands, selects and pages where that is offered", async () => {
    const expanded = await call("GET", "/redfish/v1/Systems?$expand=.($levels=1)");
    expect((expanded.body.Members as JsonObject[])[0]?.SerialNumber).toBeTypeOf("string");
    const selected = await call("GET", `${system}?$select=PowerState`);
    expect(Object.keys(selected.body).filter((name) => !name.startsWith("@"))).toEqual(["PowerState"]);
    const paged = await call("GET", `${system}/Memory?$skip=4&$top=4`);
    expect((paged.body.Members as JsonObject[]).length).toBe(4);
    expect(paged.body["Members@odata.count"]).toBe(16);
    const next = await call("GET", String(paged.body["Members@odata.nextLink"]));
    expect((next.body.Members as JsonObject[])[0]).toEqual({ "@odata.id": `${system}/Memory/dimm8` });
    expect((await call("GET", `${system}/Memory?$top=-1`)).status).toBe(400);
    expect((await call("GET", "/redfish/v1/Systems?$expand=.($levels=9)")).status).toBe(400);
    await use("supermicro-x12");
    expect((await call("GET", "/redfish/v1/Systems?$expand=.")).status).toBe(501);
  });
});

describe("writing", () => {
  it("is refused in full, with every problem", async () => {
    const refused = await call("PATCH", system, { body: { SerialNumber: "x", Nonsense: 1, AssetTag: "taken" } });
    expect(refused.status).toBe(400);
    expect(info(refused.body).map(({ MessageId }) => String(MessageId).split(".").at(-1))).toEqual([
      "PropertyNotWritable",
      "PropertyUnknown",
    ]);
    expect((await call("GET", system)).body.AssetTag).toBe("");
    expect((await call("PATCH", system, { body: { AssetTag: "taken" } })).status).toBe(204);
    expect((await call("GET", system)).body.AssetTag).toBe("taken");
    expect((await call("PATCH", system, { body: { AssetTag: 7 } })).status).toBe(400);
  });

  it("answers broken JSON with 400", async () => {
    const broken = await call("PATCH", system, { raw: "{nope", headers: { "content-type": "application/json" } });
    expect(info(broken.body)[0]?.MessageId).toContain("MalformedJSON");
  });
});

describe("writing parts of arrays", () => {
  it("keeps what an empty object stands for and drops what null stands for", async () => {
    const path = "/redfish/v1/Managers/bmc/NetworkProtocol";
    const servers = async () => ((await call("GET", path)).body.NTP as JsonObject).NTPServers;
    await call("PATCH", path, { body: { NTP: { NTPServers: ["a", "b", "c"] } } });
    await call("PATCH", path, { body: { NTP: { NTPServers: [{}, null, "d"] } } });
    expect(await servers()).toEqual(["a", "d"]);
    expect(((await call("GET", path)).body.NTP as JsonObject).ProtocolEnabled).toBe(true);
  });

  it("says so when there is nothing to do", async () => {
    const nothing = await call("PATCH", system, { body: { "@odata.id": system } });
    expect([nothing.status, nothing.text.includes("NoOperation")]).toEqual([400, true]);
  });
});

describe("entity tags", () => {
  const patch = (ifMatch: string) =>
    call("PATCH", system, { body: { AssetTag: `t${ifMatch.length}` }, headers: { "if-match": ifMatch } });

  it("change exactly when the resource does", async () => {
    const tag = (await call("GET", system)).headers.etag ?? "";
    expect((await call("GET", system)).headers.etag).toBe(tag);
    expect((await call("GET", system, { headers: { "if-none-match": tag } })).status).toBe(304);
    expect((await patch(tag)).status).toBe(204);
    expect((await patch(tag)).status).toBe(412);
    expect((await patch("*")).status).toBe(204);
  });

  it("let only one of several simultaneous writers through", async () => {
    const [bmc] = fleet.bmcs;
    const traffic = fleet.control.bmcs[0]?.traffic;
    if (!bmc || !traffic) throw new Error("no BMC");
    const tag = (await call("GET", system)).headers.etag ?? "";
    const headers = { authorization: basic(bmc.username, bmc.password), "if-match": tag };
    const before = traffic.requests;
    // Every head arrives before any body does: that is when a check made too early lets all of them pass.
    const writers = ["a", "b", "c", "d"].map((assetTag) => {
      const body = JSON.stringify({ AssetTag: assetTag });
      const sending = httpRequest(bmc.address + system, {
        method: "PATCH",
        headers: { ...headers, "content-length": body.length },
      });
      sending.flushHeaders();
      return { sending, body, answered: once(sending, "response") as Promise<[IncomingMessage]> };
    });
    while (traffic.requests < before + writers.length) await new Promise((resolve) => setImmediate(resolve));
    for (const { sending, body } of writers) sending.end(body);
    const statuses = await Promise.all(writers.map(async ({ answered }) => (await answered)[0].resume().statusCode));
    expect(statuses.sort()).toEqual([204, 412, 412, 412]);
  });

  it("of Lenovo come weak and are wanted strong", async () => {
    await use("lenovo-xcc");
    const tag = (await call("GET", system)).headers.etag ?? "";
    expect(tag).toMatch(/^W\//);
    expect((await patch(tag)).status).toBe(412);
    expect((await patch(tag.replace("W/", ""))).status).toBe(204);
  });

  it.each([
    ["supermicro-x12", 412, 412],
    ["dell-idrac9", 204, 412],
    ["openbmc", 204, 202],
  ] as const)("on actions of %s: reset %i, update %i", async (profile, reset, update) => {
    await use(profile);
    const headers = { "if-match": '"whatever"' };
    const body = { ResetType: "On" };
    expect((await call("POST", `${system}/Actions/ComputerSystem.Reset`, { body, headers })).status).toBe(reset);
    const image = { ImageURI: "http://127.0.0.1/bios-9.9.bin" };
    expect(
      (await call("POST", "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate", { body: image, headers }))
        .status,
    ).toBe(update);
  });

  it("are missing where firmware has none", async () => {
    await use("generic");
    expect((await call("GET", system)).headers.etag).toBeUndefined();
  });
});

describe("sessions", () => {
  const logIn = () => {
    const [bmc] = fleet.bmcs;
    return call("POST", "/redfish/v1/SessionService/Sessions", {
      body: { UserName: bmc?.username, Password: bmc?.password },
      anonymous: true,
    });
  };

  it("open with a token, work, and end", async () => {
    const opened = await logIn();
    expect(opened.status).toBe(201);
    const token = { anonymous: true, headers: { "x-auth-token": opened.headers["x-auth-token"] ?? "" } } as const;
    expect((await call("GET", system, token)).status).toBe(200);
    expect((await call("DELETE", opened.headers.location ?? "", token)).status).toBe(204);
    expect((await call("GET", system, token)).status).toBe(401);
    expect(fleet.control.bmcs[0]?.openSessions).toBe(0);
  });

  it("refuse wrong passwords", async () => {
    const refused = await call("POST", "/redfish/v1/SessionService/Sessions", {
      body: { UserName: "root", Password: "wrong" },
      anonymous: true,
    });
    expect(refused.status).toBe(401);
  });

  it("run out: the ninth on an iDRAC is refused in Dell's words", async () => {
    await use("dell-idrac9");
    for (let n = 0; n < 8; n++) expect((await logIn()).status).toBe(201);
    const refused = await logIn();
    expect([refused.status, refused.text.includes("RAC0218")]).toEqual([400, true]);
    expect((await call("GET", system)).status).toBe(200);
  });

  it("do not exist on a generic service", async () => {
    await use("generic");
    expect((await logIn()).status).toBe(404);
    expect((await call("GET", "/redfish/v1")).body.SessionService).toBeUndefined();
  });
});

describe("accounts", () => {
  const accounts = "/redfish/v1/AccountService/Accounts";
  const fresh = { UserName: "operator", Password: "Secret-123", RoleId: "Operator" };

  it("are created, changed and deleted", async () => {
    const made = await call("POST", accounts, { body: fresh });
    expect(made.status).toBe(201);
    const path = made.headers.location ?? "";
    const asOperator = (password: string) => ({
      headers: { authorization: `Basic ${Buffer.from(`operator:${password}`).toString("base64")}` },
    });
    expect((await call("GET", system, asOperator("Secret-123"))).status).toBe(200);
    expect((await call("PATCH", path, { body: { Password: "Changed-456" } })).status).toBe(204);
    expect((await call("GET", system, asOperator("Secret-123"))).status).toBe(401);
    expect((await call("GET", system, asOperator("Changed-456"))).status).toBe(200);
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("GET", system, asOperator("Changed-456"))).status).toBe(401);
  });

  it("obey the policy and never show a password", async () => {
    expect((await call("POST", accounts, { body: { ...fresh, Password: "short" } })).status).toBe(400);
    expect((await call("POST", accounts, { body: { ...fresh, RoleId: "King" } })).status).toBe(400);
    expect((await call("POST", accounts, { body: fresh })).status).toBe(201);
    expect((await call("POST", accounts, { body: fresh })).text).toContain("ResourceAlreadyExists");
    expect((await call("GET", `${accounts}/2`)).body.Password).toBeNull();
  });

  it("of Dell lock after three wrong passwords, also for the right one", async () => {
    await use("dell-idrac9");
    const wrong = { headers: { authorization: `Basic ${Buffer.from("root:wrong").toString("base64")}` } };
    expect((await call("GET", system, wrong)).status).toBe(401);
    expect((await call("GET", system, wrong)).status).toBe(401);
    expect((await call("GET", system)).status).toBe(200);
    for (let n = 0; n < 3; n++) await call("GET", system, wrong);
    expect((await call("GET", system)).status).toBe(401);
  });

  it("that may only read change nothing", async () => {
    await call("POST", `${accounts}/Members`, { body: { ...fresh, RoleId: "ReadOnly" } });
    const headers = { authorization: `Basic ${Buffer.from("operator:Secret-123").toString("base64")}` };
    expect((await call("GET", system, { headers })).status).toBe(200);
    const refused = await call("PATCH", system, { body: { AssetTag: "mine" }, headers });
    expect([refused.status, refused.text.includes("InsufficientPrivilege")]).toEqual([403, true]);
  });

  it("of Dell are slots: POST and DELETE are refused, PATCH fills and empties one", async () => {
    await use("dell-idrac9");
    expect((await call("POST", accounts, { body: fresh })).status).toBe(405);
    expect(((await call("GET", accounts)).body.Members as unknown[]).length).toBe(16);
    expect((await call("PATCH", `${accounts}/3`, { body: { ...fresh, Enabled: true } })).status).toBe(204);
    expect((await call("GET", `${accounts}/3`)).body).toMatchObject({ UserName: "operator", Enabled: true });
    expect((await call("DELETE", `${accounts}/3`)).status).toBe(405);
    expect((await call("PATCH", `${accounts}/3`, { body: { UserName: "", Enabled: false } })).status).toBe(204);
    expect((await call("PATCH", `${accounts}/1`, { body: { UserName: "" } })).status).toBe(400);
  });
});
