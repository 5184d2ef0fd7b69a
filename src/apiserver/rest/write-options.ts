/** The query parameters of writes: dry run, field manager, field validation. Bad values are refused with upstream's text. */
import { type FieldError, invalid, invalidStatus, notSupported, required } from "../field-error.ts";
import { StatusError } from "../http/status-error.ts";
import type { Call } from "./call.ts";

export type FieldValidation = "Strict" | "Warn" | "Ignore";

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean;
  /** The object already carries its field owners. */
  readonly isApply: boolean;
}

const VALIDATIONS = ["", "Ignore", "Strict", "Warn"];
const MAX_MANAGER_BYTES = 128;

export type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

export function writeOptions({ request }: Call, kind: OptionsKind, isApply = false): WriteOptions {
  const { query } = request;
  const dryRun = query.getAll("dryRun").filter((v) => v !== "");
  const manager = query.get("fieldManager") ?? "";
  const fieldValidation = query.get("fieldValidation") ?? "";
  const force = query.get("force");
  const errors = [
    ...dryRunErrors(dryRun),
    ...managerErrors(manager, isApply),
    ...(force !== null && !isApply && kind === "PatchOptions"
      ? [
          {
            type: "FieldValueForbidden",
            field: "force",
            detail: "may not be specified for non-apply patch",
          } as FieldError,
        ]
      : []),
    ...(VALIDATIONS.includes(fieldValidation) ? [] : [notSupported("fieldValidation", fieldValidation, VALIDATIONS)]),
  ];
  refuse(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    manager: manager || managerFromAgent(request.headers["user-agent"]),
    fieldValidation: (fieldValidation || "Warn") as FieldValidation,
    force: force === "true" || force === "1",
    isApply,
  };
}

/** Throws upstream's refusal of options, which belong to no object. */
export function refuse(kind: OptionsKind | "DeleteOptions" | "ListOptions", errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const status = invalidStatus({ group: "meta.k8s.io", kind }, "", errors);
  throw new StatusError(422, status.reason, status.message, status.details);
}

export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.some((v) => v !== "All") ? [notSupported("dryRun", dryRun, ["All"])] : [];
}

function managerErrors(manager: string, isApply: boolean): FieldError[] {
  if (manager === "" && isApply) return [required("fieldManager", "is required for apply patch")];
  if (Buffer.byteLength(manager) > MAX_MANAGER_BYTES) {
    return [
      { type: "FieldValueTooLong", field: "fieldManager", detail: `may not be more than ${MAX_MANAGER_BYTES} bytes` },
    ];
  }
  const at = [...manager].findIndex((c) => /[\p{C}\p{Zl}\p{Zp}]/u.test(c));
  return at < 0 ? [] : [invalid("fieldManager", manager, `invalid character at position ${at}`)];
}

/** Without a field manager the first word of the user agent stands for the writer. */
function managerFromAgent(agent = ""): string {
  const word = agent.split("/")[0] ?? "";
  return Buffer.from(word.replace(/\p{C}/gu, "")).subarray(0, MAX_MANAGER_BYTES).toString("utf8");
}
