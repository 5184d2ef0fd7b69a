/** Builds the command with one guard taken out, to see that the suite notices. The change exists in the bundle only. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

export interface Mutation {
  /** End of the path of the source file. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const isPackage = (id: string): boolean => !/^[./#]/.test(id);

/** The folder and the program in it; throws when the source no longer holds what was to be taken out. */
export async function buildMutant({ file, from, to }: Mutation): Promise<{ folder: string; program: string }> {
  let applied = false;
  const transform = (code: string, id: string): string | undefined => {
    if (!id.endsWith(file)) return undefined;
    applied = code.includes(from);
    return code.replace(from, to);
  };
  const build = await rolldown({
    input: { mutant: "src/cli/main.ts" },
    platform: "node",
    external: isPackage,
    plugins: [{ name: "mutation", transform }],
  });
  // Inside the repository, so that the packages it imports are found.
  mkdirSync(".build", { recursive: true });
  const folder = mkdtempSync(join(".build", "mutant-"));
  await build.write({ dir: folder, format: "esm" });
  await build.close();
  if (!applied) throw new Error(`${file} does not hold "${from}" any more: adapt the mutation`);
  return { folder, program: join(folder, "mutant.js") };
}
