/** A CEL expression as text: where things are in it, and how a problem at a place is shown. */

export interface Problem {
  readonly offset: number;
  readonly message: string;
}

/** A problem found while parsing or checking; `offset` counts code points. */
export class SourceError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Everything wrong with the syntax of one expression. */
export class SourceErrors extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.message).join("; "));
    this.problems = problems;
  }

  static at(offset: number, message: string): SourceErrors {
    return new SourceErrors([{ offset, message }]);
  }
}

function locate(text: string, offset: number): { line: number; column: number; content: string } {
  const before = [...text].slice(0, offset).join("");
  const lines = before.split("\n");
  const line = lines.length;
  return { line, column: [...(lines.at(-1) ?? "")].length, content: text.split("\n")[line - 1] ?? "" };
}

function render(text: string, problem: Problem): string {
  const { line, column, content } = locate(text, problem.offset);
  const pointer = [...content].slice(0, column).map((c) => ((c.codePointAt(0) ?? 0) > 0x7f ? "．" : "."));
  const caret = ([...content][column]?.codePointAt(0) ?? 0) > 0x7f ? "＾" : "^";
  return `ERROR: <input>:${line}:${column + 1}: ${problem.message}\n | ${content}\n | ${pointer.join("")}${caret}`;
}

/** All problems with their line and a pointer, in the order of their places. */
export function renderProblems(text: string, problems: readonly Problem[]): string {
  return [...problems]
    .sort((a, b) => a.offset - b.offset)
    .map((problem) => render(text, problem))
    .join("\n");
}
