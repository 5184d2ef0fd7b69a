/** A value that does not fit its type model, or field paths nobody can read. The message is upstream's. */
export class TypedError extends Error {
  override readonly name = "TypedError";
}

/** One complaint about a value, at a path that grows as the recursion unwinds. */
export interface TypedProblem {
  readonly path: string;
  readonly message: string;
}

/** Upstream's text for one or several complaints. */
export function formatProblems(problems: readonly TypedProblem[]): string {
  const lines = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return lines.length === 1 ? (lines[0] as string) : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}
