/** Enough of iPXE's script language to follow a boot service: variables, chains, labels, images, boot. */

export interface Loaded {
  readonly kernel: string;
  readonly initrds: readonly string[];
  readonly commandLine: string;
}

interface Run {
  readonly variables: Map<string, string>;
  readonly fetch: (url: string) => Promise<string>;
  readonly initrds: string[];
  kernel: string | undefined;
  commandLine: string;
  chains: number;
}

type Step =
  | { readonly next: "line" }
  | { readonly next: "label"; readonly label: string }
  | { readonly next: "script"; readonly url: string }
  | { readonly next: "boot" }
  | { readonly next: "give-up"; readonly why: string };

const MOST_CHAINS = 10;
const MOST_LINES = 10_000;
const optionsWithValue = new Set(["--name", "-n", "--timeout", "-t"]);
const onward: Step = { next: "line" };

/** Follows the script at `url` to an image to boot, or says why it gave up. */
export async function runScript(
  url: string,
  variables: Readonly<Record<string, string>>,
  fetch: (url: string) => Promise<string>,
): Promise<Loaded | string> {
  const run: Run = {
    variables: new Map(Object.entries(variables)),
    fetch,
    initrds: [],
    kernel: undefined,
    commandLine: "",
    chains: 0,
  };
  const why = await followScript(run, url);
  if (why !== undefined) return why;
  if (!run.kernel) return "the script boots without a kernel";
  return { kernel: run.kernel, initrds: run.initrds, commandLine: run.commandLine };
}

async function followScript(run: Run, url: string): Promise<string | undefined> {
  if (++run.chains > MOST_CHAINS) return "the scripts chain in a circle";
  const lines = (await run.fetch(url)).split("\n").map((line) => line.trim());
  if (lines[0] !== "#!ipxe") return `${url} is not an iPXE script`;
  const step = walk(run, lines);
  if (step.next === "script") return followScript(run, new URL(step.url, url).href);
  if (step.next === "give-up") return step.why;
  if (step.next !== "boot") return "the script ended without booting";
  return run.kernel ? undefined : "the script boots without a kernel";
}

/** Runs line by line until something leaves the script. */
function walk(run: Run, lines: readonly string[]): Step {
  for (let at = 1, done = 0; at < lines.length && done < MOST_LINES; at++, done++) {
    const step = executeLine(run, lines[at] ?? "");
    if (step.next !== "line" && step.next !== "label") return step;
    if (step.next === "label") at = lines.indexOf(`:${step.label}`);
    if (at < 0) return { next: "give-up", why: "the script jumps to a label it does not have" };
  }
  return onward;
}

/** A line is commands joined by `||` (after a failure) and `&&` (after a success). */
function executeLine(run: Run, line: string): Step {
  if (line === "" || line.startsWith("#") || line.startsWith(":")) return onward;
  let failed = false;
  for (const [at, part] of line.split(/\s+(\|\||&&)\s*/).entries()) {
    if (at % 2 === 1) {
      if ((part === "||") !== failed) return onward;
      continue;
    }
    const step = execute(run, expand(run, part.trim()));
    failed = step === "failed";
    if (step !== "failed" && step.next !== "line") return step;
  }
  return onward;
}

function execute(run: Run, text: string): Step | "failed" {
  const [command = "", ...words] = text.split(/\s+/).filter((word) => word !== "");
  const [first = "", ...rest] = withoutOptions(words);
  switch (command) {
    case "set":
      run.variables.set(first, rest.join(" "));
      return onward;
    case "isset":
      return first === "" ? "failed" : onward;
    case "iseq":
      return first === rest[0] ? onward : "failed";
    case "kernel":
    case "imgselect":
      run.kernel = first;
      run.commandLine = rest.join(" ");
      return onward;
    case "initrd":
      run.initrds.push(first);
      return onward;
    case "chain":
      return { next: "script", url: first };
    case "goto":
      return { next: "label", label: first };
    case "boot":
      return { next: "boot" };
    case "exit":
    case "sanboot":
    case "shell":
      return { next: "give-up", why: `the script said ${command}` };
    default:
      return onward;
  }
}

/** Options stand before the operands; what follows them, dashes or not, belongs to the image. */
function withoutOptions(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  if (!first.startsWith("-")) return words;
  return withoutOptions(optionsWithValue.has(first) ? rest.slice(1) : rest);
}

function expand(run: Run, text: string): string {
  return text.replace(/\$\{([^}]*)\}/g, (_, name: string) => run.variables.get(name.split(":")[0] ?? "") ?? "");
}
