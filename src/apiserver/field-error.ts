/** What is wrong with one field of an object, and the Status that reports it. Texts are upstream's, byte for byte. */
import { GoFloat, GoRaw, goFloat, goJson, goNumber, goQuote } from "./go-text.ts";

export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueDuplicate"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** One refused field. `badValue` undefined means "do not print a value"; null prints as null. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
}

/** The path of an error that belongs to no field, as upstream prints it. */
export const noField = "<nil>";

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

const valueless: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "InternalError",
]);

function formatValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number" || typeof value === "bigint") return goNumber(value);
  if (value instanceof GoRaw) return value.text;
  return value instanceof GoFloat ? goFloat(value.value) : goJson(value);
}

/** The message of one error without its field. */
export function fieldErrorBody(error: FieldError): string {
  let body = titles[error.type];
  if (!valueless.has(error.type) && error.badValue !== undefined) body += `: ${formatValue(error.badValue)}`;
  return error.detail === "" ? body : `${body}: ${error.detail}`;
}

/** The message of one error with its field. */
export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** All messages in one text: alone as it is, several in brackets, equal ones once. */
export function aggregateFieldErrors(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map(formatFieldError))];
  return messages.length === 1 ? (messages[0] ?? "") : `[${messages.join(", ")}]`;
}

export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** The causes of a Status, in order, one per error. */
export function toStatusCauses(errors: readonly FieldError[]): StatusCause[] {
  return errors.map((error) => ({ reason: error.type, message: fieldErrorBody(error), field: error.field }));
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export interface InvalidStatus {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Failure";
  readonly message: string;
  readonly reason: "Invalid";
  readonly details: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly causes?: readonly StatusCause[];
  };
  readonly code: 422;
}

function nonEmpty<K extends string>(key: K, value: string): { [P in K]?: string } {
  return (value === "" ? {} : { [key]: value }) as { [P in K]?: string };
}

/** The 422 answer for an object that failed validation. */
export function invalidStatus(groupKind: GroupKind, name: string, errors: readonly FieldError[]): InvalidStatus {
  const kind = groupKind.group === "" ? groupKind.kind : `${groupKind.kind}.${groupKind.group}`;
  const reasons = errors.length === 0 ? "" : `: ${aggregateFieldErrors(errors)}`;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `${kind} ${goQuote(name)} is invalid${reasons}`,
    reason: "Invalid",
    details: {
      ...nonEmpty("name", name),
      ...nonEmpty("group", groupKind.group),
      ...nonEmpty("kind", groupKind.kind),
      ...(errors.length === 0 ? {} : { causes: toStatusCauses(errors) }),
    },
    code: 422,
  };
}

export const required = (field: string, detail = ""): FieldError => ({ type: "FieldValueRequired", field, detail });
export const invalid = (field: string, badValue: unknown, detail: string): FieldError => ({
  type: "FieldValueInvalid",
  field,
  badValue,
  detail,
});
export const forbidden = (field: string, detail: string): FieldError => ({
  type: "FieldValueForbidden",
  field,
  detail,
});
export const duplicate = (field: string, badValue: unknown): FieldError => ({
  type: "FieldValueDuplicate",
  field,
  badValue,
  detail: "",
});
export const internalError = (field: string, detail: string): FieldError => ({ type: "InternalError", field, detail });

/** A value outside an enumeration; `supported` is listed in the given order. */
export function notSupported(field: string, badValue: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return { type: "FieldValueNotSupported", field, badValue, detail };
}

/** A text longer than allowed; a negative `max` leaves the number out. */
export function tooLong(field: string, max: number): FieldError {
  const detail = max < 0 ? "value is too long" : `may not be more than ${max} ${max === 1 ? "byte" : "bytes"}`;
  return { type: "FieldValueTooLong", field, badValue: "<value omitted>", detail };
}

/** More entries than allowed; a negative `actual` leaves the number out. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const detail = max < 0 ? "has too many items" : `must have at most ${max} ${max === 1 ? "item" : "items"}`;
  return { type: "FieldValueTooMany", field, ...(actual < 0 ? {} : { badValue: actual }), detail };
}
