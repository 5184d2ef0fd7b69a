import { describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { type Answer, failure, type Outcome, type RedfishRequest, success } from "#redfish";
import { OwnSessions } from "./own-sessions.ts";

const SESSIONS = "/s";

/** A BMC's session table, with a clock that is hours wrong. */
function table(entries: Readonly<Record<string, { user: string; created?: number }>>) {
  const epoch = Date.parse("2003-05-01T00:00:00Z");
  const left = new Map(Object.entries(entries));
  const deleted: string[] = [];
  const answer = (body: unknown): Outcome<Answer> => success({ status: 200, headers: {}, body });
  const send = async ({ method, path }: RedfishRequest): Promise<Outcome<Answer>> => {
    if (path === SESSIONS) return answer({ Members: [...left.keys()].map((id) => ({ "@odata.id": id })) });
    const entry = left.get(path);
    if (!entry) return failure("NotFound", "no such session");
    if (method === "DELETE") {
      left.delete(path);
      deleted.push(path);
      return answer(undefined);
    }
    const created = entry.created === undefined ? {} : { CreatedTime: new Date(epoch + entry.created).toISOString() };
    return answer({ "@odata.id": path, UserName: entry.user, ...created });
  };
  return { send, deleted };
}

function ours(): OwnSessions {
  return new OwnSessions("mw", new VirtualClock());
}

describe("own sessions", () => {
  it("are removed when they are recorded and still ours", async () => {
    const { send, deleted } = table({ "/s/1": { user: "mw" }, "/s/2": { user: "other" }, "/s/9": { user: "mw" } });
    const own = ours();
    own.adopt(["/s/1", "/s/2", "/s/3"]);
    own.opened("/s/9", false);
    await own.cleanUp(send, 0);
    expect(deleted).toEqual(["/s/1"]);
    expect(own.list()).toEqual(["/s/9"]);
    expect(own.pending).toBe(false);
  });

  it("are not removed when the address is the one in use again", async () => {
    const { send, deleted } = table({ "/s/1": { user: "mw" } });
    const own = ours();
    own.adopt(["/s/1"]);
    own.opened("/s/1", false);
    await own.cleanUp(send, 0);
    expect(deleted).toEqual([]);
    expect(own.list()).toEqual(["/s/1"]);
  });

  it("that the BMC no longer accepted are left to be removed, those we ended are not", () => {
    const own = ours();
    own.opened("/s/1", false);
    own.opened(undefined, false);
    own.opened("/s/2", false);
    expect(own.list()).toEqual(["/s/1", "/s/2"]);
    own.opened(undefined, true);
    expect(own.list()).toEqual(["/s/1"]);
  });

  it("that cannot be removed are given up after three tries", async () => {
    const own = ours();
    own.adopt(["/s/1"]);
    const refuses = async (): Promise<Outcome<Answer>> => failure("Forbidden", "not yours to see");
    for (let i = 0; i < 2; i++) await own.cleanUp(refuses, 0);
    expect(own.pending).toBe(true);
    await own.cleanUp(refuses, 0);
    expect(own.pending).toBe(false);
  });

  // The login went unanswered from 10 s to 40 s; the session in use was opened at 100 s.
  it.each([
    ["ours, opened while the login was under way", { user: "mw", created: 12_000 }, true],
    ["ours, opened at the last moment", { user: "mw", created: 41_000 }, true],
    ["of our user, opened before", { user: "mw", created: 5_000 }, false],
    ["of our user, opened after", { user: "mw", created: 60_000 }, false],
    ["of another user at that time", { user: "other", created: 12_000 }, false],
    ["of our user, without a time", { user: "mw" }, false],
  ] as const)("after an unanswered login: %s", async (_, session, removed) => {
    const { send, deleted } = table({ "/s/1": session, "/s/2": { user: "mw", created: 100_000 } });
    const own = ours();
    own.unanswered({ path: SESSIONS, from: 10_000, to: 40_000 });
    own.opened("/s/2", false);
    await own.cleanUp(send, 100_000);
    expect(deleted).toEqual(removed ? ["/s/1"] : []);
    expect(own.pending).toBe(false);
  });

  it("tell what to record after every change", () => {
    const told: (readonly string[])[] = [];
    const own = new OwnSessions("mw", new VirtualClock(), (uris) => told.push(uris));
    own.adopt(["/s/1"]);
    own.opened("/s/2", false);
    own.opened(undefined, true);
    expect(told).toEqual([["/s/1"], ["/s/1", "/s/2"], ["/s/1"]]);
  });
});
