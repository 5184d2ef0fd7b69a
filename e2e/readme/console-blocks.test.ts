import { describe, expect, it } from "vitest";
import { consoleBlocks, difference } from "./console-blocks.ts";

describe("console blocks", () => {
  it("are commands and what is shown below them", () => {
    const text = "# Hi\n\n```console\n$ one\na\nb\n$ two\n```\n\n```sh\n$ not this\n```\n";
    expect(consoleBlocks(text)).toEqual([
      [
        { command: "one", output: ["a", "b"] },
        { command: "two", output: [] },
      ],
    ]);
  });

  it.each([
    [["ready in … s"], "ready in 2.9 s\nmore", true],
    [["NAME …", "bmc-0 …"], "NAME   AGE\nbmc-0  1s", true],
    [["bmc-0 …"], "bmc-0", true],
    [["a", "c"], "a\nb\nc", false],
    [["a", "…", "c"], "a\nb\nc", true],
    [["…", "z"], "a\nb\nc", false],
    [["a.c"], "abc", false],
    [[], "anything", true],
  ])("%j against %j: kept is %s", (shown, text, kept) => {
    expect(difference(shown, text) === undefined).toBe(kept);
  });
});
