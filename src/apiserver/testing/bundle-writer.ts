/** Makes a program of its own out of the crash writer, so that tests can kill it and watch its system calls. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** Bundles the writer below `directory` and returns the program's path. */
export async function bundleWriter(directory: string): Promise<string> {
  const build = await rolldown({
    input: join(import.meta.dirname, "crash-writer.ts"),
    platform: "node",
    plugins: [{ name: "packages", resolveId: external }],
  });
  const { output } = await build.write({ dir: join(directory, "program"), format: "esm" });
  return join(directory, "program", output[0].fileName);
}

/** The bundle lies outside the repository, so packages are named by where they are. */
function external(id: string): { id: string; external: true } | undefined {
  if (/^[./#]/.test(id) || id.startsWith("node:")) return undefined;
  return { id: pathToFileURL(createRequire(import.meta.url).resolve(id)).href, external: true };
}
