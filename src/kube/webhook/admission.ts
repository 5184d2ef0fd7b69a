/** The words of admission: what a webhook is asked (AdmissionReview v1), and what it can answer. */
import type { KubeObject } from "#kinds";
import type { JsonPatchOperation } from "../client/client.ts";

export interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface AnyRequest {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  /** Absent while a name is still to be generated. */
  readonly name?: string;
  readonly namespace?: string;
  readonly subResource?: string;
  readonly userInfo: UserInfo;
  readonly dryRun: boolean;
  readonly options?: unknown;
  /** Aborted when the API server has stopped waiting for the answer. */
  readonly signal: AbortSignal;
}

/** What is about to happen to an object, and to which. */
export type AdmissionRequest<T extends KubeObject = KubeObject> = AnyRequest &
  (
    | { readonly operation: "CREATE"; readonly object: T; readonly oldObject?: undefined }
    | { readonly operation: "UPDATE"; readonly object: T; readonly oldObject: T }
    | { readonly operation: "DELETE"; readonly object?: undefined; readonly oldObject: T }
    | { readonly operation: "CONNECT"; readonly object?: undefined; readonly oldObject?: undefined }
  );

/** The answer; patches count only from a mutating webhook. */
export interface Verdict {
  readonly allowed: boolean;
  readonly warnings?: readonly string[];
  readonly message?: string;
  /** HTTP status the person sees; 403 unless said otherwise. */
  readonly code?: number;
  readonly reason?: string;
  readonly patch?: readonly JsonPatchOperation[];
}

/** Lets it pass; the warnings are shown to the person who asked. */
export function allow(...warnings: readonly string[]): Verdict {
  return { allowed: true, ...(warnings.length > 0 ? { warnings } : {}) };
}

/** Refuses; the message says what is wrong and what to do instead. */
export function deny(message: string, more: Pick<Verdict, "code" | "reason" | "warnings"> = {}): Verdict {
  return { allowed: false, message, ...more };
}

/** Lets it pass with these changes. */
export function patch(operations: readonly JsonPatchOperation[], ...warnings: readonly string[]): Verdict {
  return { ...allow(...warnings), patch: operations };
}
