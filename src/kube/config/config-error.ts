/** The one error of this folder: what is wrong with the configuration, where, and the remedy. */

/** The configuration cannot be used as it is; the message names the file, every problem found and what to do. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly code = "InvalidKubeconfig";
}

/** The system's short word for a failed file operation: `ENOENT`, `EACCES`, … */
export function fileErrorWord(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it does not exist";
  if (code === "EACCES" || code === "EPERM") return "permission to read it is denied";
  if (code === "EISDIR") return "it is a directory";
  return code ?? String(error);
}
