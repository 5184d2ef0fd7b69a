/** How long each command takes to load, beside a Node that loads nothing: what every start and every `--help` pays. */
import { spawnSync } from "node:child_process";
import { alternate, type Bench } from "./report.ts";

const PROGRAM = "dist/metalwright.js";

export const importTime: Bench = {
  name: "import time of each command",
  async run(report) {
    const bare = { "bare node": () => timed(["-e", "0"]) };
    const commands = Object.fromEntries(commandNames().map((name) => [name, () => timed([PROGRAM, name, "--help"])]));
    const medians = await alternate<string>({ ...bare, ...commands }, 5);
    const base = medians["bare node"] ?? Number.NaN;
    for (const [name, ms] of Object.entries(medians)) {
      report.row("Process start to end of --help", { command: name, ms, "over bare node, ms": ms - base });
    }
    const slowest = Math.max(...Object.keys(commands).map((name) => medians[name] ?? 0));
    report.target("slowest command over bare node", slowest / base, { atMost: 10 });
  },
};

/** The commands the program itself lists. */
function commandNames(): string[] {
  const { stdout } = spawnSync(process.execPath, [PROGRAM, "--help"], { encoding: "utf8" });
  const listed = stdout.split("Commands:")[1] ?? "";
  return [...listed.matchAll(/^ {2}([a-z][a-z0-9-]*)/gm)]
    .map(([, name]) => name ?? "")
    .filter((name) => name !== "help");
}

async function timed(args: readonly string[]): Promise<number> {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
  return performance.now() - began;
}
