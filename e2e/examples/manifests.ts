/** The manifests of this folder, for the tests that apply them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import type { KubeObject } from "#kinds";

export interface Manifest {
  readonly file: string;
  readonly objects: readonly KubeObject[];
  readonly text: string;
}

/** A manifest that must be refused: its last object, after those before it were accepted. */
export interface InvalidManifest extends Manifest {
  /** Part of what the API server answers. */
  readonly expect: string;
}

export const examplesFolder = fileURLToPath(new URL("../../examples/", import.meta.url));

/** In the order `kubectl apply -f examples/` takes them. */
export function goodManifests(): readonly Manifest[] {
  return manifestsIn(examplesFolder);
}

export function invalidManifests(): readonly InvalidManifest[] {
  return manifestsIn(join(examplesFolder, "invalid")).map((manifest) => {
    const expect = /^# expect: (.+)$/m.exec(manifest.text)?.[1];
    if (expect === undefined)
      throw new Error(`${manifest.file} does not say what to expect: begin it with "# expect: …"`);
    return { ...manifest, expect };
  });
}

function manifestsIn(folder: string): readonly Manifest[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  return files.sort().map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    // YAML 1.1, as kubectl reads it: a bare On is a boolean.
    const documents = parseAllDocuments(text, { version: "1.1" });
    return { file, text, objects: documents.map((document) => document.toJS() as KubeObject) };
  });
}
