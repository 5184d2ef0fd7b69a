/** Keeps two processes off one data directory: a lock file that names its owner and outlives no crash. */
import { readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UnusableData } from "./journal.ts";

const LOCK_FILE = ".lock";

/** Takes the lock, or throws {@link UnusableData}; the returned function gives it back. */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, LOCK_FILE);
  const owner = `${process.pid} ${startOf(process.pid)}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(file, owner, { flag: "wx", mode: 0o600 });
      return () => unlinkSync(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new UnusableData(`${directory} cannot be written: ${(error as Error).message}`);
      }
      removeStale(file, directory);
    }
  }
  throw new UnusableData(`${directory} is being opened by another process`);
}

function removeStale(file: string, directory: string): void {
  const [pid, start] = readOwner(file).split(" ");
  if (pid && startOf(Number(pid)) === start && start !== "") {
    throw new UnusableData(`${directory} is in use by process ${pid}: stop it first, or choose another directory`);
  }
  // Rename first: of two processes that find the same stale lock only one succeeds.
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    unlinkSync(aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** When a process started, in a form that a later process with the same id cannot have; empty when there is none. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return isAlive(pid) ? "alive" : "";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
