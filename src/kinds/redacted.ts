/** A secret that cannot be printed by accident: every way of writing it out gives `[redacted]`. */

const mask = "[redacted]";

export class Redacted<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The only way to the value; call it at the moment of use and keep the result nowhere. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [Symbol.toPrimitive](): string {
    return mask;
  }

  /** What `util.inspect`, `console.log` and failed assertions print. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return mask;
  }
}

export function redacted<T>(value: T): Redacted<T> {
  return new Redacted(value);
}
