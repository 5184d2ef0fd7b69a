/** A patch that cannot be applied, with the status upstream answers. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly code: 400 | 413 | 422 | 500;
  readonly reason: "BadRequest" | "RequestEntityTooLarge" | "Invalid" | "";
  /** What went wrong, for logs; upstream keeps it from the client where the message is generic. */
  readonly detail: string;

  private constructor(
    code: PatchError["code"],
    reason: PatchError["reason"],
    texts: { message: string; detail: string },
  ) {
    super(texts.message);
    this.code = code;
    this.reason = reason;
    this.detail = texts.detail;
  }

  /** The patch itself is malformed. */
  static badRequest(message: string): PatchError {
    return new PatchError(400, "BadRequest", { message, detail: message });
  }

  /** The patch is well formed but does not fit the object; upstream answers a generic sentence. */
  static doesNotApply(detail: string): PatchError {
    return new PatchError(422, "Invalid", {
      message: "the server rejected our request due to an error in our request",
      detail,
    });
  }

  static tooLarge(message: string): PatchError {
    return new PatchError(413, "RequestEntityTooLarge", { message, detail: message });
  }

  /** Upstream lets the error through unclassified, which becomes a 500 with its text and no reason. */
  static internal(message: string): PatchError {
    return new PatchError(500, "", { message, detail: message });
  }
}
