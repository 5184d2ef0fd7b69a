/** Where suites keep what they install once: outside the repository, shared by all clones on a machine. */
import { homedir } from "node:os";
import { join } from "node:path";

export function cacheFolder(...below: readonly string[]): string {
  const { METALWRIGHT_CACHE, XDG_CACHE_HOME } = process.env;
  return join(METALWRIGHT_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "metalwright"), ...below);
}
