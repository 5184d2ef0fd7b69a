/** `npm run check`: types, format, lint, import directions, dead code. `-- --fix` repairs format and lint. */
import { ensureInstalled, run, tool } from "./tooling.mjs";

await ensureInstalled();
const fix = process.argv.includes("--fix");
run(process.execPath, [tool("tsc"), "-p", "."]);
run(process.execPath, [tool("biome"), "check", "--error-on-warnings", ...(fix ? ["--write"] : []), "."]);
run(process.execPath, [tool("knip")]);
