/** The lint rule that keeps the rooms in order must bite: biome is shown each violation as if it stood in the room. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function lint(file: string, source: string): string {
  const biome = join(root, "node_modules/.bin/biome");
  const options = { cwd: root, encoding: "utf8", input: `${source}\n` } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [biome, "lint", `--stdin-file-path=${file}`], options);
  return stdout + stderr;
}

describe("import directions", () => {
  it.each([
    ["kube", "#api"],
    ["kube", "#apiserver"],
    ["kinds", "#kube"],
    ["clock", "#kinds"],
    ["api", "#operator"],
    ["fleet", "#hardware"],
  ])("%s may not import %s", (room, above) => {
    expect(lint(`src/${room}/probe.ts`, `export { x } from "${above}";`)).toContain("noRestrictedImports");
  });

  it("a room is entered through its front door only", () => {
    expect(lint("src/kube/client/probe.ts", `export { x } from "../../kinds/kind.ts";`)).toContain("noRestrictedImports");
  });

  it("importing downwards through the front door is fine", () => {
    expect(lint("src/kube/probe.ts", `export { apiVersionOf } from "#kinds";`)).not.toContain("noRestrictedImports");
  });
});
