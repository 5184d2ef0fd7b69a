import { describe, expect, it } from "vitest";
import type { Reply } from "../protocol/scripted-bmc.ts";
import { withTree } from "../testing/tree-bmc.ts";
import { pushUpdate, readUpdateService, simpleUpdate } from "./update.ts";

const UPDATE = "/redfish/v1/UpdateService";
const SECRET = "image-Store-passw0rd";
const action = { "#UpdateService.SimpleUpdate": { target: `${UPDATE}/Go` } };
const update = { imageUri: "http://images/b.bin", username: "reader", password: () => SECRET };

async function started(reply: Reply, service: Record<string, unknown> = { Actions: action }) {
  const behave = ({ method }: { method: string }): Reply | undefined => (method === "POST" ? reply : undefined);
  return withTree({ tree: { [UPDATE]: service }, behave }, async ({ service: redfish, writes, asked }) => {
    const updates = await readUpdateService(redfish, UPDATE);
    if (!updates.ok) throw new Error(updates.failure.message);
    const image = { fileName: "b.bin", content: Buffer.from("bits") };
    const outcome =
      "Actions" in service
        ? await simpleUpdate(redfish, updates.value, { ...update, force: true })
        : await pushUpdate(redfish, updates.value, image);
    return { outcome, writes, type: asked.at(-1)?.headers["content-type"] };
  });
}

describe("an update by address", () => {
  it("says who fetches the image, with name and password in their places", async () => {
    const { outcome, writes } = await started({ status: 202, headers: { location: "/task/1" } });
    expect(outcome).toEqual({ ok: true, value: { monitor: "/task/1" } });
    expect(writes[0]?.body).toEqual({
      ImageURI: "http://images/b.bin",
      Username: "reader",
      Password: SECRET,
      ForceUpdate: true,
    });
  });

  it.each([
    ["accepted without a task", { status: 202 }],
    ["answered as if done", { status: 200, body: {} }],
    ["answered with nothing", { status: 204 }],
  ])("%s is told as a broken answer and was sent once", async (_, reply) => {
    const { outcome, writes } = await started(reply);
    expect(outcome).toMatchObject({ failure: { code: "BrokenAnswer" } });
    expect(writes).toHaveLength(1);
  });

  it("never tells the password that the BMC repeats", async () => {
    const { outcome } = await started({ status: 400, body: { error: { message: `cannot fetch with ${SECRET}` } } });
    expect(outcome).toMatchObject({ ok: false, failure: { message: expect.stringContaining("cannot fetch") } });
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
  });
});

describe("a pushed update", () => {
  it.each([
    [
      "a form where one is taken",
      { MultipartHttpPushUri: "/form", HttpPushUri: "/raw" },
      "/form",
      /^multipart\/form-data/,
    ],
    ["raw where that is all", { HttpPushUri: "/raw" }, "/raw", /^application\/octet-stream$/],
  ])("is sent as %s", async (_, service, path, type) => {
    const { outcome, writes, type: sent } = await started({ status: 202, headers: { location: "/task/2" } }, service);
    expect(outcome).toMatchObject({ ok: true });
    expect(writes[0]?.path).toBe(path);
    expect(sent).toMatch(type);
  });

  it("is not supported where nothing takes it", async () => {
    expect((await started({}, {})).outcome).toMatchObject({ failure: { code: "NotSupported" } });
  });
});
