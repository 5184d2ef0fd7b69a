/** Every command in the README is executed, in order, in a copy of the repository, and must print what is shown. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleBlocks, difference, type ShownCommand } from "./console-blocks.ts";

const [start, ...tour] = consoleBlocks(readFileSync("README.md", "utf8"));
const clone = mkdtempSync(join(tmpdir(), "metalwright-readme-"));
let running: ChildProcess;
let shell: Shell;

beforeAll(async () => {
  for (const file of execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" }).split("\n")) {
    if (file === "") continue;
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(file, join(clone, file));
  }
  symlinkSync(join(process.cwd(), "node_modules"), join(clone, "node_modules"));
  mkdirSync(join(clone, "bin"));
  symlinkSync(`${process.env.METALWRIGHT_KUBECTL}`, join(clone, "bin", "kubectl"));
  shell = new Shell(clone);
});

afterAll(async () => {
  shell.close();
  running.kill("SIGTERM");
  await once(running, "exit");
  rmSync(clone, { recursive: true, force: true });
});

describe("README", () => {
  it("npm start prints what is shown and stays", async () => {
    const [command] = start as ShownCommand[];
    expect(command?.command).toBe("npm start");
    running = spawn("npm", ["start"], { cwd: clone, env: { ...process.env, KUBECONFIG: "" } });
    let printed = "";
    running.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    await expect.poll(() => printed, { timeout: 60_000 }).toContain("Ctrl-C stops everything");
    expect(difference(["…", ...(command?.output ?? [])], printed)).toBeUndefined();
    expect(running.exitCode).toBeNull();
  });

  it.each(tour.flat().map((shown) => [shown.command, shown] as const))("%s", async (_, { command, output }) => {
    const { code, text } = await shell.run(command);
    expect(difference(output, text)).toBeUndefined();
    expect(code).toBe(0);
  });
});

/** One shell for all commands, so that what one exports the next one has. */
class Shell {
  readonly #process: ChildProcess;
  #text = "";
  #told: (() => void) | undefined;

  constructor(folder: string) {
    const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, KUBECONFIG: "" };
    this.#process = spawn("bash", [], { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
    this.#process.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
      this.#told?.();
    });
  }

  async run(command: string): Promise<{ code: number; text: string }> {
    this.#text = "";
    this.#process.stdin?.write(`{ ${command}\n} 2>&1; printf '\\n<ended %d>\\n' $?\n`);
    for (;;) {
      const end = /\n<ended (\d+)>\n$/.exec(this.#text);
      if (end) return { code: Number(end[1]), text: this.#text.slice(0, end.index) };
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  close(): void {
    this.#process.kill();
  }
}
