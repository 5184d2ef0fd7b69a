/** Turns the signals that end a process into one AbortSignal; a second one ends it at once. */

export interface SignalSource {
  on(event: NodeJS.Signals, listener: () => void): unknown;
  off(event: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): unknown;
}

export interface Termination {
  readonly signal: AbortSignal;
  /** Gives the signals back their usual meaning. */
  dispose(): void;
}

/** Aborted on the first SIGTERM or SIGINT. */
export function onTermination(source: SignalSource = process): Termination {
  const controller = new AbortController();
  const handle = (): void => {
    if (controller.signal.aborted) source.exit(1);
    else controller.abort(new Error("told to stop"));
  };
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const name of signals) source.on(name, handle);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const name of signals) source.off(name, handle);
    },
  };
}
