/** Runs a program in the foreground on behalf of npm: it gets our signals, and it ends when whoever asked for it is gone. */
import { spawn } from "node:child_process";

const LOOK_FOR_PARENT_MS = 1000;

/** Resolves with the exit code. npm ends the shell between itself and us without a signal to us, so the parent is looked for. */
export function foreground(command, args, options = {}) {
  const child = spawn(command, args, { stdio: "inherit", ...options });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) child.kill("SIGTERM");
  }, LOOK_FOR_PARENT_MS);
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      clearInterval(timer);
      resolve(code ?? (signal ? 1 : 0));
    });
  });
}
