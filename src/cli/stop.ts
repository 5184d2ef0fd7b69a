/** Waits until a person, a supervisor or a parent that is gone wants the program to end. */

export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    process.once("disconnect", () => resolve());
  });
}
