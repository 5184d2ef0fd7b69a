/** How every benchmark speaks: a table for people, one JSON line for machines, and targets that are met or missed. */

export interface Bench {
  readonly name: string;
  /** Measures, alternating what is compared within this one run, and reports. */
  run(report: Report): Promise<void>;
}

export interface Report {
  /** One line of the table; the first row of a title fixes its columns. */
  row(title: string, cells: Readonly<Record<string, string | number>>): void;
  /** A figure that has a target. `value` is a ratio or another figure that does not depend on the machine's mood. */
  target(what: string, value: number, bound: { readonly atLeast: number } | { readonly atMost: number }): void;
}

export interface Outcome {
  readonly bench: string;
  readonly rows: Record<string, Record<string, string | number>[]>;
  readonly targets: readonly { what: string; value: number; bound: string; met: boolean }[];
}

/** Runs one benchmark and prints its tables, its targets and its JSON line. */
export async function measure(bench: Bench, print: (line: string) => void): Promise<Outcome> {
  const rows: Outcome["rows"] = {};
  const targets: { what: string; value: number; bound: string; met: boolean }[] = [];
  await bench.run({
    row(title, cells) {
      rows[title] ??= [];
      rows[title].push({ ...cells });
    },
    target(what, value, bound) {
      const met = "atLeast" in bound ? value >= bound.atLeast : value <= bound.atMost;
      const words = "atLeast" in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
      targets.push({ what, value, bound: words, met });
    },
  });
  print(`\n# ${bench.name}`);
  for (const [title, lines] of Object.entries(rows)) {
    print(`\n${title}`);
    for (const line of asTable(lines)) print(line);
  }
  print("");
  for (const { what, value, bound, met } of targets)
    print(`${met ? "met   " : "MISSED"} ${what}: ${format(value)} (${bound})`);
  const outcome: Outcome = { bench: bench.name, rows, targets };
  print(JSON.stringify(outcome));
  return outcome;
}

/**
 * Runs each contender once per round, in turn, and returns each one's median: noise that comes and goes hits all of them.
 * A contender returns its own figure (operations per second, milliseconds, …).
 */
export async function alternate<Name extends string>(
  contenders: Readonly<Record<Name, () => Promise<number>>>,
  rounds = 3,
): Promise<Record<Name, number>> {
  const figures = new Map<Name, number[]>();
  const names = Object.keys(contenders) as Name[];
  for (let round = 0; round < rounds; round++) {
    for (const name of names) figures.set(name, [...(figures.get(name) ?? []), await contenders[name]()]);
  }
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name) ?? [])])) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function format(value: string | number): string {
  if (typeof value === "string") return value;
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

function asTable(lines: readonly Record<string, string | number>[]): string[] {
  const columns = Object.keys(lines[0] ?? {});
  const cells = [columns, ...lines.map((line) => columns.map((column) => format(line[column] ?? "")))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const printed = cells.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [printed[0] ?? "", rule, ...printed.slice(1)];
}
