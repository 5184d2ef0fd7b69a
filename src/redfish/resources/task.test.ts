import { describe, expect, it } from "vitest";
import { withTree } from "../testing/tree-bmc.ts";
import { phaseOf, readTask } from "./task.ts";

it.each([
  ["New", undefined, "waiting"],
  ["Pending", undefined, "waiting"],
  ["Running", "OK", "running"],
  ["Stopping", undefined, "running"],
  ["SomethingNew", undefined, "running"],
  ["Completed", "OK", "succeeded"],
  ["Completed", "Warning", "succeeded"],
  ["Completed", undefined, "succeeded"],
  ["Completed", "Critical", "failed"],
  ["Exception", "OK", "failed"],
  ["Cancelled", undefined, "failed"],
  ["Killed", undefined, "failed"],
] as const)("%s with status %s is %s", (state, status, phase) => expect(phaseOf(state, status)).toBe(phase));

describe("a task", () => {
  it("is followed by absolute and relative monitors", () =>
    withTree(
      { tree: { "/t": { TaskState: "Running", PercentComplete: 40, Messages: [{ Message: "writing" }, 7] } } },
      async ({ service }) => {
        for (const monitor of ["/t", "https://only-the-bmc-knows.local/t"])
          expect(await readTask(service, monitor)).toMatchObject({
            ok: true,
            value: { phase: "running", percent: 40, messages: ["writing"] },
          });
      },
    ));

  it("that hands over to itself is read twice and no more", () => {
    const handed = { MessageId: "X.OperationTransitionedToJob", MessageArgs: ["/t"] };
    const tree = { "/t": { TaskState: "Completed", Messages: [handed] } };
    return withTree({ tree, quirks: { taskHandsToJob: true } }, async ({ service, asked }) => {
      await readTask(service, "/t");
      expect(asked.filter(({ path }) => path === "/t")).toHaveLength(2);
    });
  });

  it("that is no task is a broken answer", () =>
    withTree({ tree: { "/t": { Id: "1" } } }, async ({ service }) =>
      expect(await readTask(service, "/t")).toMatchObject({ failure: { code: "BrokenAnswer" } }),
    ));
});
