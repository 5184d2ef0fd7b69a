import { describe, expect, it } from "vitest";
import type { Reply } from "../protocol/scripted-bmc.ts";
import { collection, type Tree, withTree } from "../testing/tree-bmc.ts";
import { ensureAccount, removeAccount } from "./accounts.ts";

const SECRET = "p4ss-Word-of-the-day";
const accounts = { accounts: "/a", policy: { specials: "" } };
const wanted = { userName: "op", role: "Operator", password: () => SECRET };
const slots: Tree = {
  "/a": collection("/a/1", "/a/2", "/a/3"),
  "/a/1": { Id: "1", UserName: "" },
  "/a/2": { Id: "2", UserName: "root" },
  "/a/3": { Id: "3", UserName: "" },
};
const refusing =
  (status: number, body?: unknown) =>
  ({ method }: { method: string }): Reply | undefined =>
    method === "POST" || method === "DELETE" ? { status, ...(body === undefined ? {} : { body }) } : undefined;

describe("an account", () => {
  it("goes into the first empty slot but the reserved one where none can be created", () =>
    withTree({ tree: slots, behave: refusing(405) }, async ({ service, writes }) => {
      expect(await ensureAccount(service, accounts, wanted)).toMatchObject({ ok: true, value: { path: "/a/3" } });
      expect(writes.at(-1)).toEqual({
        method: "PATCH",
        path: "/a/3",
        body: { UserName: "op", RoleId: "Operator", Enabled: true, Password: SECRET },
      });
    }));

  it("is refused where no slot is left", () =>
    withTree({ tree: { ...slots, "/a": collection("/a/1", "/a/2") }, behave: refusing(405) }, async ({ service }) =>
      expect(await ensureAccount(service, accounts, wanted)).toMatchObject({
        failure: { message: expect.stringContaining("no empty slot") },
      }),
    ));

  it("that is as wanted is left alone unless there is a password to set", () => {
    const tree = { "/a": collection("/a/2"), "/a/2": { Id: "2", UserName: "op", RoleId: "Operator", Enabled: true } };
    return withTree({ tree }, async ({ service, writes }) => {
      await ensureAccount(service, accounts, { userName: "op", role: "Operator" });
      expect(writes).toEqual([]);
    });
  });

  it("never tells its password when the BMC repeats it in a refusal", () => {
    const said = {
      MessageId: "Base.1.8.PropertyValueFormatError",
      Message: `'${SECRET}' is weak`,
      MessageArgs: [SECRET],
    };
    const body = { error: { "@Message.ExtendedInfo": [said] } };
    return withTree({ tree: slots, behave: refusing(400, body) }, async ({ service }) => {
      const refused = await ensureAccount(service, accounts, wanted);
      expect(refused).toMatchObject({ ok: false, failure: { message: expect.stringContaining("[redacted]") } });
      expect(JSON.stringify(refused)).not.toContain(SECRET);
    });
  });

  it("is emptied where it cannot be deleted, without a password", () =>
    withTree({ tree: slots, behave: refusing(405) }, async ({ service, writes }) => {
      expect(await removeAccount(service, accounts, { userName: "root", id: "2" })).toMatchObject({ ok: true });
      expect(writes.at(-1)?.body).toEqual({ UserName: "", Enabled: false });
    }));

  it("of the same name in another slot is not removed", () =>
    withTree({ tree: slots }, async ({ service, writes }) => {
      expect(await removeAccount(service, accounts, { userName: "root", id: "9" })).toEqual({
        ok: true,
        value: { changed: false },
      });
      expect(writes).toEqual([]);
    }));
});
