import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { allKinds, Server } from "#api";
import { crdOf, kind, Type } from "#kinds";
import { additionsPage, kindPage } from "./api-reference.ts";
import { crdYaml } from "./crd-yaml.ts";
import { staleFiles, writeFiles } from "./files.ts";
import { generatedFiles, generatedFolders } from "./outputs.ts";

describe("the repository", () => {
  it("holds exactly what the kinds say; if not, run `npm run generate`", async () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    expect(await staleFiles(root, generatedFiles(), generatedFolders)).toEqual([]);
  });
});

describe("generated files", () => {
  let root = "";
  const folders = ["out"];
  const files = new Map([
    ["out/a.md", "a"],
    ["out/deep/b.md", "b"],
  ]);
  const problems = async () =>
    (await staleFiles(root, files, folders)).map(({ path, problem }) => `${path}: ${problem}`);

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "generate-"));
    await writeFiles(root, files, folders);
  });
  afterEach(() => rm(root, { recursive: true }));

  it("are current once written", async () => {
    expect(await problems()).toEqual([]);
    expect(await readFile(join(root, "out/deep/b.md"), "utf8")).toBe("b");
  });

  it("are stale by name when changed, missing or nobody's", async () => {
    await writeFile(join(root, "out/a.md"), "edited");
    await rm(join(root, "out/deep/b.md"));
    await writeFile(join(root, "out/old.md"), "");
    expect(await problems()).toEqual([
      "out/a.md: differs from what the kinds say",
      "out/deep/b.md: missing",
      "out/old.md: no kind makes this file",
    ]);
  });

  it("replace what was there, and take away what no kind makes", async () => {
    await writeFile(join(root, "out/a.md"), "edited");
    await writeFile(join(root, "out/old.md"), "");
    await writeFiles(root, files, folders);
    expect(await problems()).toEqual([]);
  });
});

describe("a CRD as YAML", () => {
  it.each(allKinds)("of $kind reads back as it was, by old and new readers", (defined) => {
    const crd = crdOf(defined);
    expect(parse(crdYaml(crd), { version: "1.1" })).toEqual(crd);
    expect(parse(crdYaml(crd), { version: "1.2" })).toEqual(crd);
  });

  it("says where it comes from and uses no aliases", () => {
    const text = crdYaml(crdOf(Server));
    expect(text.split("\n")[0]).toContain("npm run generate");
    expect(text).not.toMatch(/[&*]a\d+/);
  });
});

describe("the reference of a kind", () => {
  const Widget = kind({
    group: "example.com",
    version: "v1",
    kind: "Widget",
    plural: "widgets",
    scope: "Cluster",
    describe: "A widget.",
    deprecationWarning: "use gadgets",
    spec: Type.object("What is wanted.", {
      size: Type.integer("How big.", { minimum: 1 }),
      mode: Type.optional(Type.choice("How.", ["A", "B"], { default: "A" })),
      state: Type.added(Type.immutable(Type.word("Where | when.", ["X", "Y"], { added: ["Y"] }), "stays")),
    }),
  });

  it.each([
    ["its sentence", "A widget."],
    ["its deprecation", "use gadgets"],
    ["a required field with its bounds", "| `spec.size` | integer (int32) | yes |  | How big. Bounds: at least 1. |"],
    ["a choice with its default", '| `spec.mode` | string |  | `"A"` | How. One of `A`, `B`. |'],
    ["an addition, marked, with its values and rule", "**added** Where \\| when. Known values: `X`, `Y` (**added**);"],
    ["a rule with its message", "Rule `self == oldSelf`: “stays”."],
  ])("shows %s", (_, text) => {
    expect(kindPage(Widget)).toContain(text);
  });

  it("lists what we add, fields and values", () => {
    const rows = additionsPage([Widget])
      .split("\n")
      .filter((line) => line.startsWith("| [Widget]"));
    expect(rows).toEqual([
      "| [Widget](example.com/widget.md) | `spec.state` | Where \\| when. |",
      "| [Widget](example.com/widget.md) | `spec.state` | Further known values: `Y`. |",
    ]);
  });
});
