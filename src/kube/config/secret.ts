/** A value that must never be printed. It must never be turned into text except by `reveal`. */
import { inspect } from "node:util";

const REDACTED = "[redacted]";

/** Prints, logs and serialises as `[redacted]`; only `reveal` gives the value, at the place that needs it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
