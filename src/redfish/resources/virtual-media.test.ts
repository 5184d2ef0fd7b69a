import { describe, expect, it } from "vitest";
import { collection, resource, type Tree, withTree } from "../testing/tree-bmc.ts";
import { ejectMedia, insertMedia } from "./virtual-media.ts";

const url = "http://images/live.iso";
const actions = {
  Actions: { "#VirtualMedia.InsertMedia": { target: "/insert" }, "#VirtualMedia.EjectMedia": { target: "/eject" } },
};
const drives = (...list: readonly Record<string, unknown>[]): Tree => ({
  "/m": collection(...list.map((_, at) => `/m/${at}`)),
  ...Object.fromEntries(list.map((one, at) => [`/m/${at}`, one])),
});

describe("an image", () => {
  it("goes by PATCH into a drive that offers no action, and out of it the same way", () =>
    withTree({ tree: drives({ MediaTypes: ["CD"], Inserted: false }) }, async ({ service, writes, tree }) => {
      expect(await insertMedia(service, "/m", { url })).toMatchObject({
        ok: true,
        value: { inserted: true, image: url },
      });
      await ejectMedia(service, resource("/m/0", tree["/m/0"] ?? {}));
      expect(writes).toEqual([
        { method: "PATCH", path: "/m/0", body: { Image: url, Inserted: true } },
        { method: "PATCH", path: "/m/0", body: { Image: null, Inserted: false } },
      ]);
    }));

  it.each([
    ["of its type", [{ MediaTypes: ["USBStick"] }, { MediaTypes: ["DVD"] }], "/m/1"],
    ["that is empty before one that is not", [{ Inserted: true, Image: "x" }, { Inserted: false }], "/m/1"],
    ["that says nothing of itself", [{}], "/m/0"],
  ])("goes into the drive %s", (_, list, path) =>
    withTree({ tree: drives(...list) }, async ({ service, writes }) => {
      await insertMedia(service, "/m", { url });
      expect(writes.map((one) => one.path)).toEqual([path]);
    }),
  );

  it("is not for a BMC without a fitting drive", () =>
    withTree({ tree: drives({ MediaTypes: ["Floppy"] }) }, async ({ service, writes }) => {
      expect(await insertMedia(service, "/m", { url })).toMatchObject({ failure: { code: "NotSupported" } });
      expect(writes).toEqual([]);
    }));

  it("that the drive swallowed without showing it is a failure", () =>
    withTree({ tree: drives({ MediaTypes: ["CD"], Inserted: false, ...actions }) }, async ({ service }) =>
      expect(await insertMedia(service, "/m", { url })).toMatchObject({
        failure: { code: "Refused", message: expect.stringContaining("shows an empty drive") },
      }),
    ));

  it("has a password that nobody hears of", () => {
    const password = "share-S3cret";
    const reply = { status: 400, body: { error: { message: `cannot log in with ${password}` } } };
    const tree = drives({ MediaTypes: ["CD"], ...actions });
    const behave = ({ method }: { method: string }) => (method === "POST" ? reply : undefined);
    return withTree({ tree, behave }, async ({ service }) => {
      const refused = await insertMedia(service, "/m", { url, username: "u", password: () => password });
      expect(refused.ok).toBe(false);
      expect(JSON.stringify(refused)).not.toContain(password);
    });
  });
});
