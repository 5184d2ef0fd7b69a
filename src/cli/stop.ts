/** Waits until a person, a supervisor or a parent that is gone wants the program to end. */

export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      // An open line to the parent would keep the process alive after its work is done.
      if (process.connected) process.disconnect();
      resolve();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
    process.once("disconnect", stop);
  });
}
