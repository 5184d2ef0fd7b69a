/** Turns field errors into the refusal of an object. */
import { type FieldError, type GroupKind, invalidStatus } from "../field-error.ts";
import { StatusError } from "../http/status-error.ts";

export function invalidObject(kind: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const status = invalidStatus(kind, name, errors);
  return new StatusError(status.code, status.reason, status.message, status.details);
}
