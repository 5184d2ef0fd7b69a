/** `npm run build`: dist/, one small chunk per command so that each loads only what it needs. */
import { ensureBuilt, ensureInstalled } from "./tooling.mjs";

await ensureInstalled();
await ensureBuilt();
