/** A selector that cannot be parsed; the message is upstream's, for a 400. */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
}
