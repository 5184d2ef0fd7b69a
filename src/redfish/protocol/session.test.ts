import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "#clock";
import { Connection } from "./connection.ts";
import { type Asked, type Reply, type ScriptedBmc, scriptedBmc } from "./scripted-bmc.ts";
import { pathOf, Session } from "./session.ts";

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const SESSIONS = "/redfish/v1/SessionService/Sessions";
const root = { body: { Links: { Sessions: { "@odata.id": SESSIONS } } } };

/** A BMC with sessions: tokens are `t1`, `t2`, …, and those in `ended` are refused. */
function withSessions(ended = new Set<string>()): (asked: Asked) => Reply {
  let count = 0;
  return ({ method, path, headers, body }) => {
    if (path === "/redfish/v1/") return root;
    if (method === "POST" && path === SESSIONS) {
      if ((body as { Password: string }).Password !== "right") return { status: 401 };
      count++;
      return { status: 201, headers: { "x-auth-token": `t${count}`, location: `${SESSIONS}/${count}` }, body: {} };
    }
    const token = String(headers["x-auth-token"] ?? "");
    if (token === "" || ended.has(token)) return { status: 401 };
    return method === "DELETE" ? { status: 204 } : { body: { token } };
  };
}

async function session(script: (asked: Asked) => Reply, password = "right") {
  const bmc: ScriptedBmc = await scriptedBmc(script);
  const connection = new Connection({ address: bmc.address, clock: systemClock });
  cleanUps.push(
    () => connection.close(),
    () => bmc.close(),
  );
  const uris: (string | undefined)[] = [];
  const credentials = { username: "root", password: () => password };
  return { bmc, uris, session: new Session({ connection, credentials, onSession: (uri) => uris.push(uri) }) };
}

const systems = { method: "GET", path: "/redfish/v1/Systems" } as const;

describe("session", () => {
  it("is opened once for all who ask at the same time, and reused", async () => {
    const { bmc, session: s } = await session(withSessions());
    const answers = await Promise.all([s.send(systems), s.send(systems), s.send(systems)]);
    expect(answers.map((a) => a.ok && a.value.body)).toEqual([{ token: "t1" }, { token: "t1" }, { token: "t1" }]);
    expect(bmc.asked.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("is renewed once when the BMC forgot it", async () => {
    const ended = new Set<string>();
    const { session: s, uris } = await session(withSessions(ended));
    await s.send(systems);
    ended.add("t1");
    expect(await s.send(systems)).toMatchObject({ ok: true, value: { body: { token: "t2" } } });
    expect(uris).toEqual([`${SESSIONS}/1`, undefined, `${SESSIONS}/2`]);
  });

  it("is ended by logout, and the BMC is asked to forget it", async () => {
    const { bmc, session: s } = await session(withSessions());
    await s.send(systems);
    expect(await s.logout()).toMatchObject({ ok: true });
    expect(bmc.asked.at(-1)).toMatchObject({ method: "DELETE", path: `${SESSIONS}/1` });
    expect(s.mode).toBe("none");
  });

  it("a wrong password is tried exactly once, however often we are asked", async () => {
    const { bmc, session: s } = await session(withSessions(), "wrong");
    for (let i = 0; i < 5; i++) expect(await s.send(systems)).toMatchObject({ failure: { code: "Unauthorized" } });
    expect(bmc.asked.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(bmc.asked.filter(({ path }) => path === systems.path)).toHaveLength(0);
  });

  it.each([
    ["the root names none", { body: {} }, { status: 500 }],
    ["creation is not allowed", root, { status: 405 }],
    ["creation gives no token", root, { status: 201, body: {} }],
  ])("basic auth is used when %s", async (_, rootReply, created) => {
    const { bmc, session: s } = await session(({ method, path }) => {
      if (path === "/redfish/v1/") return rootReply;
      return method === "POST" ? created : { body: {} };
    });
    expect(await s.send(systems)).toMatchObject({ ok: true });
    expect(s.mode).toBe("basic");
    expect(bmc.asked.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from("root:right").toString("base64")}`);
  });

  it("a wrong password without sessions is tried exactly once too", async () => {
    const { bmc, session: s } = await session(({ path }) => (path === "/redfish/v1/" ? { body: {} } : { status: 401 }));
    for (let i = 0; i < 5; i++) expect(await s.send(systems)).toMatchObject({ failure: { code: "Unauthorized" } });
    expect(bmc.asked.filter(({ path }) => path === systems.path)).toHaveLength(1);
  });

  it("a root that wants a login first does not keep us from the usual place", async () => {
    const sessions = withSessions();
    const { session: s } = await session((asked) =>
      asked.path === "/redfish/v1/" && !asked.headers["x-auth-token"] ? { status: 401 } : sessions(asked),
    );
    expect(await s.send(systems)).toMatchObject({ ok: true, value: { body: { token: "t1" } } });
  });

  it("the root that opening has read is not read again, and the next one is", async () => {
    const { bmc, session: s } = await session(withSessions());
    const roots = (): number => bmc.asked.filter(({ path }) => path === "/redfish/v1/").length;
    expect(await s.root()).toMatchObject({ ok: true });
    expect(roots()).toBe(1);
    expect(await s.root()).toMatchObject({ ok: true });
    expect(roots()).toBe(2);
  });
});

describe("secrets", () => {
  const echo = ({ body, headers, path }: Asked): Reply =>
    path === "/redfish/v1/"
      ? root
      : { status: 401, body: { error: { message: `${JSON.stringify(body)} ${JSON.stringify(headers)}` } } };

  it("no failure contains the password, though the BMC repeats the whole request", async () => {
    const { session: s } = await session(echo, "hunter2-secret");
    const refused = JSON.stringify([await s.send(systems), await s.send(systems), await s.sendBasic(systems)]);
    expect(refused).toContain("[redacted]");
    expect(refused).not.toContain("hunter2");
    expect(refused).not.toContain(Buffer.from("root:hunter2-secret").toString("base64"));
  });

  it("a refusal that is remembered is remembered without the password of its time", async () => {
    const bmc = await scriptedBmc(echo);
    const connection = new Connection({ address: bmc.address, clock: systemClock });
    cleanUps.push(
      () => connection.close(),
      () => bmc.close(),
    );
    const passwords = { now: "old-hunter2" };
    const s = new Session({ connection, credentials: { username: "root", password: () => passwords.now } });
    await s.send(systems);
    passwords.now = "new-hunter3";
    expect(JSON.stringify(await s.send(systems))).not.toContain("old-hunter2");
  });

  it("a token that the BMC repeats is not told", async () => {
    const sessions = withSessions();
    const { session: s } = await session((asked) => {
      const { headers, method } = asked;
      if (method === "GET" && headers["x-auth-token"])
        return { status: 400, body: { error: { message: `token ${headers["x-auth-token"]}-9f` } } };
      const reply = sessions(asked);
      return reply.headers ? { ...reply, headers: { ...reply.headers, "x-auth-token": "abcdef0123" } } : reply;
    });
    const refused = JSON.stringify(await s.send(systems));
    expect(refused).toContain("HTTP 400");
    expect(refused).not.toContain("abcdef0123");
  });
});

describe("locations", () => {
  it.each([
    ["/redfish/v1/TaskService/Tasks/1", "/redfish/v1/TaskService/Tasks/1"],
    ["https://idrac-abc.local/redfish/v1/Tasks/1?x=y", "/redfish/v1/Tasks/1?x=y"],
  ])("%s", (location, path) => {
    expect(pathOf(location)).toBe(path);
  });
});
