/** The lint rule that keeps the rooms in order must bite: biome is shown violations in a copy of the tree's layout. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const copy = mkdtempSync(join(tmpdir(), "metalwright-rooms-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const config = JSON.parse(readFileSync(join(root, "biome.json"), "utf8")) as Record<string, unknown>;
writeFileSync(join(copy, "biome.json"), JSON.stringify({ ...config, vcs: { enabled: false } }));

function lint(file: string, source: string): string {
  const path = join(copy, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${source}\n`);
  const biome = join(root, "node_modules/.bin/biome");
  const { stdout, stderr } = spawnSync(process.execPath, [biome, "lint", path], { cwd: copy, encoding: "utf8" });
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
    expect(lint(`src/${room}/above.ts`, `export { x } from "${above}";`)).toContain("noRestrictedImports");
  });

  it("a room is entered through its front door only", () => {
    expect(lint("src/kube/client/door.ts", `export { x } from "../../kinds/kind.ts";`)).toContain(
      "noRestrictedImports",
    );
  });

  it("importing downwards through the front door is fine", () => {
    const said = lint("src/kube/below.ts", `export { apiVersionOf } from "#kinds";`);
    expect(said).toContain("Checked 1 file");
    expect(said).not.toContain("noRestrictedImports");
  });
});
