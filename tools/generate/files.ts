/** Compares generated files with those on disk, and writes them. Owns whole folders: what it did not generate there is stale. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/** Path from the root, with forward slashes, to content. */
export type GeneratedFiles = ReadonlyMap<string, string>;

export interface Stale {
  readonly path: string;
  readonly problem: "missing" | "differs from what the kinds say" | "no kind makes this file";
}

/** Everything in which the disk and the kinds disagree. */
export async function staleFiles(
  root: string,
  files: GeneratedFiles,
  folders: readonly string[],
): Promise<readonly Stale[]> {
  const stale: Stale[] = [];
  for (const [path, content] of files) {
    const found = await contentOf(join(root, path));
    if (found === undefined) stale.push({ path, problem: "missing" });
    else if (found !== content) stale.push({ path, problem: "differs from what the kinds say" });
  }
  for (const path of await orphans(root, files, folders)) stale.push({ path, problem: "no kind makes this file" });
  return stale;
}

export async function writeFiles(root: string, files: GeneratedFiles, folders: readonly string[]): Promise<void> {
  for (const path of await orphans(root, files, folders)) await rm(join(root, path));
  for (const [path, content] of files) {
    if ((await contentOf(join(root, path))) === content) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

async function orphans(root: string, files: GeneratedFiles, folders: readonly string[]): Promise<readonly string[]> {
  const present = await Promise.all(folders.map((folder) => filesBelow(root, folder)));
  return present.flat().filter((path) => !files.has(path));
}

async function filesBelow(root: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true }).catch(ignoreMissing);
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
