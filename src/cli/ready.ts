/** How a command that `metalwright up` started tells it that it is ready, and where it is to be found. */

/** Tells the parent; false when there is none, so that a person is to be told instead. */
export function announceReady(where: Readonly<Record<string, unknown>>): boolean {
  if (!process.send) return false;
  process.send({ ready: where });
  return true;
}

export function readyIn(message: unknown): Readonly<Record<string, unknown>> | undefined {
  return (message as { readonly ready?: Readonly<Record<string, unknown>> } | null)?.ready;
}
