import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Loaded, runScript } from "./ipxe.ts";

const variables = { uuid: "u-1", "net0/mac": "02:00:00:00:00:01" };

function follow(scripts: Readonly<Record<string, string>>, start = "http://boot/ipxe/"): Promise<Loaded | string> {
  return runScript(start, variables, async (url) => {
    const found = scripts[url];
    if (found === undefined) throw new Error(`404 ${url}`);
    return found;
  });
}
const lines = (...all: readonly string[]): string => ["#!ipxe", ...all].join("\n");
const one = (...all: readonly string[]): Promise<Loaded | string> => follow({ "http://boot/ipxe/": lines(...all) });

describe("a script", () => {
  it("loads a kernel with its arguments and every initrd", async () => {
    expect(
      await one(
        `set who \${uuid}`,
        `kernel http://k a=1 who=\${who} --quiet`,
        "initrd --name x http://i1",
        "initrd http://i2",
        "boot",
      ),
    ).toEqual({
      kernel: "http://k",
      commandLine: "a=1 who=u-1 --quiet",
      initrds: ["http://i1", "http://i2"],
    });
  });

  it("chains, also relative to itself", async () => {
    const loaded = await follow({
      "http://boot/ipxe/": lines(`chain --replace --autofree /ipxe/\${uuid}`),
      "http://boot/ipxe/u-1": lines("kernel http://k", "boot"),
    });
    expect(loaded).toMatchObject({ kernel: "http://k" });
  });

  it.each([
    [
      "a failed comparison takes the alternative",
      ["iseq a b || goto other", "kernel http://wrong", "boot", ":other", "kernel http://right", "boot"],
    ],
    [
      "a comparison that holds does not",
      ["iseq a a || goto other", "kernel http://right", "boot", ":other", "kernel http://wrong", "boot"],
    ],
    [
      "a set variable is set",
      [`isset \${uuid} && goto have`, "kernel http://wrong", "boot", ":have", "kernel http://right", "boot"],
    ],
    [
      "an unset one is not",
      [`isset \${nope} && goto have`, "kernel http://right", "boot", ":have", "kernel http://wrong", "boot"],
    ],
  ])("%s", async (_, script) => {
    expect(await one(...script)).toMatchObject({ kernel: "http://right" });
  });

  it.each([
    [["exit"], "the script said exit"],
    [["boot"], "the script boots without a kernel"],
    [["echo hello"], "the script ended without booting"],
    [["goto nowhere"], "the script jumps to a label it does not have"],
    [["chain http://boot/ipxe/"], "the scripts chain in a circle"],
  ])("%j gives up: %s", async (script, why) => {
    expect(await one(...script)).toBe(why);
  });

  it("must be one", async () => {
    expect(await follow({ "http://boot/ipxe/": "<html>" })).toBe("http://boot/ipxe/ is not an iPXE script");
  });

  it("ends, whatever it says", async () => {
    const word = fc.constantFrom(
      ":a",
      ":b",
      "goto a",
      "goto b",
      "echo x",
      "iseq a a && goto b",
      "isset || goto a",
      "set x y",
      "boot",
      "kernel k",
      "|| &&",
      "exit",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 12 }), async (script) => {
        const outcome = await one(...script);
        expect(["string", "object"]).toContain(typeof outcome);
      }),
    );
  });
});
