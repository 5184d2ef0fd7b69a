/** What two API servers must agree on: everything but what only one of them can know. */
import { cloneJson, type JsonObject } from "../json.ts";
import type { ConflictReport } from "../managed-fields/conflict.ts";
import type { RealAnswer } from "./real-api.ts";

/** Without identity and revision, with times made equal, and managers in an order that does not depend on them. */
export function comparable(object: JsonObject): JsonObject {
  const copy = cloneJson(object);
  const metadata = copy.metadata as JsonObject;
  for (const key of ["uid", "resourceVersion", "creationTimestamp", "generation"]) delete metadata[key];
  const entries = Array.isArray(metadata.managedFields) ? (metadata.managedFields as JsonObject[]) : [];
  for (const entry of entries) if (entry.time !== undefined) entry.time = "some time";
  const key = (entry: JsonObject): string => JSON.stringify([entry.operation, entry.manager, entry.subresource ?? ""]);
  metadata.managedFields = entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return copy;
}

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

const body = (code: number, message: unknown, causes: readonly Cause[]): object => ({
  code,
  message,
  causes: causes.map(({ reason, message, field }) => [reason, message, field].join("|")).sort(),
});

/** A conflict as the real server answered it; the order of its causes is not defined. */
export function conflictOf({ code, body: status }: RealAnswer): object {
  const details = status.details as unknown as { causes?: Cause[] } | undefined;
  return body(code, status.message, details?.causes ?? []);
}

/** The same for a conflict found here. */
export function conflictBody({ message, causes }: ConflictReport): object {
  return body(409, message, causes);
}
