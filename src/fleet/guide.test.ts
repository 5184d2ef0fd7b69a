import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { faultKinds } from "./faults/fault.ts";
import { parseScript } from "./faults/script.ts";
import { profileNames } from "./profiles/profile.ts";

const guide = () => readFile(join(import.meta.dirname, "../../docs/guide/fleet.md"), "utf8");

describe("the guide", () => {
  it("lists every fault with what it does, and every profile", async () => {
    const text = (await guide()).replace(/ +/g, " ");
    for (const [kind, what] of Object.entries(faultKinds)) expect(text).toContain(`| \`${kind}\` | ${what} |`);
    for (const name of profileNames) expect(text).toContain(`\`${name}\``);
  });

  it("shows a script that can be used", async () => {
    const [, script = ""] = /```yaml\n([\s\S]*?)```/.exec(await guide()) ?? [];
    expect(parseScript(parse(script)).length).toBe(2);
  });
});
