/** A request body that cannot be read at all; what is merely not strict is reported beside the value instead. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/** A decoded body, and what strict field validation holds against it (`duplicate field "a.b"`, …). */
export interface Decoded<T> {
  readonly value: T;
  readonly strictErrors: readonly string[];
}

/** Upstream's sentence for the problems that `fieldValidation=Strict` refuses. */
export function strictDecodingMessage(strictErrors: readonly string[]): string {
  return `strict decoding error: ${strictErrors.join(", ")}`;
}
