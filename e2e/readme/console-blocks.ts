/** The `console` blocks of a Markdown file: commands after "$ ", and below each the output a reader is promised. */

export interface ShownCommand {
  readonly command: string;
  /** Lines in order; "…" stands for any text, and on a line of its own for any lines. */
  readonly output: readonly string[];
}

export function consoleBlocks(markdown: string): readonly ShownCommand[][] {
  const blocks = [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, block = ""]) => {
    const commands: { command: string; output: string[] }[] = [];
    for (const line of block.trimEnd().split("\n")) {
      if (line.startsWith("$ ")) commands.push({ command: line.slice(2), output: [] });
      else commands.at(-1)?.output.push(line);
    }
    return commands;
  });
}

/** Why the text does not keep what was shown; undefined when it does. */
export function difference(shown: readonly string[], text: string): string | undefined {
  const lines = text.trimEnd().split("\n");
  let at = 0;
  let anywhere = false;
  for (const line of shown) {
    if (line.trim() === "…") {
      anywhere = true;
      continue;
    }
    const found = lines.findIndex((candidate, n) => n >= at && (anywhere || n === at) && matches(line, candidate));
    if (found < 0) return `expected "${line}" ${anywhere ? "after" : "as"} line ${at + 1} of:\n${text}`;
    at = found + 1;
    anywhere = false;
  }
  return undefined;
}

/** Columns may be wider or narrower than in the document. */
function matches(shown: string, line: string): boolean {
  const pattern = shown
    .trim()
    .split(/\s+/)
    .map((word) => word.split("…").map(escaped).join(".*"))
    .join("\\s+")
    .replaceAll("\\s+.*", "(\\s+.*)?");
  return new RegExp(`^${pattern}$`).test(line.trim());
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
