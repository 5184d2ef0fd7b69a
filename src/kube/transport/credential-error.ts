/** Says why there is nothing to present to the server. */

/** Credentials could not be obtained, so no request was sent. Repeating at once will not help; the message says what does. */
export class CredentialError extends Error {
  override readonly name = "CredentialError";
  readonly code = "CredentialsUnavailable";
}
