/** `npm run generate` writes what is made from the kinds: CRDs and the API reference. `-- --check` only compares, and names what is stale. */
import { staleFiles, writeFiles } from "./generate/files.ts";
import { generatedFiles, generatedFolders } from "./generate/outputs.ts";

const [flag] = process.argv.slice(2);
if (flag !== undefined && flag !== "--check") {
  console.error(`unknown argument ${flag}: use no argument, or --check`);
  process.exit(2);
}
// Bundled into .build/NAME/, so the root is found from where the command runs.
const root = process.cwd();
const files = generatedFiles();
if (flag === "--check") {
  const stale = await staleFiles(root, files, generatedFolders);
  for (const { path, problem } of stale) console.error(`${path}: ${problem}`);
  if (stale.length > 0) console.error("run `npm run generate` and commit the result");
  process.exit(stale.length > 0 ? 1 : 0);
}
await writeFiles(root, files, generatedFolders);
console.log(`${files.size} files are up to date`);
