import { describe, expect, it } from "vitest";
import { systemClock } from "#clock";
import { collection, withTree } from "../testing/tree-bmc.ts";
import { type FailureCode, failure } from "./outcome.ts";
import { RedfishService } from "./service.ts";
import { Survey } from "./survey.ts";

const tree = {
  "/c": collection("/c/1", "/c/2", "/c/3"),
  "/c/1": { Id: "1" },
  "/c/2": { Id: "2" },
  "/c/3": { Id: "3" },
};

describe("a survey", () => {
  it("reads a resource once, whoever asks and however it is spelled", () =>
    withTree({ tree }, async ({ service, asked }) => {
      const survey = new Survey(service);
      await survey.members("/c");
      await Promise.all([survey.read("/c/1"), survey.read("/c/1/"), survey.read("/c/2")]);
      expect(asked.filter(({ path }) => path.startsWith("/c/"))).toHaveLength(3);
    }));

  it("leaves out what is broken and says so", () =>
    withTree({ tree, behave: ({ path }) => (path === "/c/2" ? { status: 500 } : undefined) }, async ({ service }) => {
      const survey = new Survey(service);
      expect((await survey.members("/c")).map(({ body }) => body.Id)).toEqual(["1", "3"]);
      expect(survey.problems).toMatchObject([{ code: "ServerError", message: expect.stringContaining("/c/2") }]);
      expect(survey.ended).toBeUndefined();
    }));

  it("takes a collection that may be absent as absent, without a problem", () =>
    withTree({ tree }, async ({ service }) => {
      const survey = new Survey(service);
      expect(await survey.membersIfThere("/nowhere")).toBeUndefined();
      expect(survey.problems).toEqual([]);
      expect(await survey.members("/nowhere")).toEqual([]);
      expect(survey.problems).toMatchObject([{ code: "NotFound" }]);
    }));

  it.each([
    ["Unreachable", 1],
    ["Unauthorized", 1],
    ["Fenced", 1],
    ["Busy", 1],
    ["TimedOut", 2],
    ["ConnectionLost", 2],
    ["ServerError", 5],
    ["BrokenAnswer", 5],
  ] as const satisfies readonly (readonly [FailureCode, number])[])("%s ends it after %i", async (code, reads) => {
    const paths = new Set<string>();
    const send = async ({ path }: { path: string }) => {
      paths.add(path);
      return failure(code, path);
    };
    const survey = new Survey(new RedfishService({ send }, systemClock));
    await survey.readAll(["/1", "/2", "/3", "/4", "/5"]);
    expect(paths.size).toBe(reads);
    expect(survey.ended?.code).toBe(reads < 5 ? code : undefined);
  });
});
