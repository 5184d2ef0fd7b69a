import { describe, expect, it } from "vitest";
import { withTree } from "../testing/tree-bmc.ts";
import { endStaleSession } from "./sessions.ts";

describe("a session that a crash left behind", () => {
  const tree = { "/s/1": { UserName: "metalwright" }, "/s/2": { UserName: "somebody" } };
  it.each([
    ["/s/1", { ended: true }, 1],
    ["/s/2", { ended: false }, 0],
    ["/s/3", { ended: false }, 0],
  ])("%s: %j", (uri, value, deletes) =>
    withTree({ tree }, async ({ service, writes }) => {
      expect(await endStaleSession(service, { uri, username: "metalwright" })).toEqual({ ok: true, value });
      expect(writes).toHaveLength(deletes);
    }),
  );
});
