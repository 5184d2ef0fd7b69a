/** Which files are made from the kinds. Add one here and both `generate` and its check know it. */
import { allKinds } from "#api";
import { crdOf, type DefinedKind } from "#kinds";
import { additionsPage, indexPage, kindPage, kindPagePath } from "./api-reference.ts";
import { crdYaml } from "./crd-yaml.ts";
import type { GeneratedFiles } from "./files.ts";

/** Folders that hold nothing but generated files. */
export const generatedFolders = ["deploy/crds", "docs/reference/api"] as const;

export function generatedFiles(kinds: readonly DefinedKind[] = allKinds): GeneratedFiles {
  return new Map([
    ...kinds.map((kind) => [`deploy/crds/${kind.group}_${kind.plural}.yaml`, crdYaml(crdOf(kind))] as const),
    ...kinds.map((kind) => [`docs/reference/api/${kindPagePath(kind)}`, kindPage(kind)] as const),
    ["docs/reference/api/index.md", indexPage(kinds)],
    ["docs/reference/api/additions.md", additionsPage(kinds)],
  ]);
}
