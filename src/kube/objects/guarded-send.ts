/**
 * The one path on which something irreversible is sent: open the intent by compare-and-swap, and only the process whose
 * write the server accepted sends, once. Any doubt about that write means: not sent, look again.
 */
import type { Intent, Kind, KubeObject } from "#kinds";
import type { CallOptions, Client } from "../client/client.ts";
import { type IntentRequest, openIntent } from "./intent.ts";

/** Where in its object the intent lives. */
export interface IntentPlace<T extends KubeObject> {
  readonly kind: Kind<T>;
  read(object: T): Intent | undefined;
  write(object: T, intent: Intent): T;
}

export interface GuardedSend<T extends KubeObject> {
  readonly place: IntentPlace<T>;
  /** As it was read; its resourceVersion is the precondition. */
  readonly object: T;
  readonly request: IntentRequest;
  readonly now: Date;
  /** Starts the action. Called at most once, after the intent is known to be stored. */
  send(intent: Intent): Promise<void>;
}

/**
 * Stores the intent and then sends. Rejects without having sent when one is open, when the object changed
 * (`ApiError` Conflict) or when the answer to the write was lost (`OutcomeUnknown`): the intent that may then be there is
 * observed like any other. What `send` throws leaves the intent open, because the target may have heard it.
 */
export async function sendGuarded<T extends KubeObject>(
  client: Client,
  { place, object, request, now, send }: GuardedSend<T>,
  options?: CallOptions,
): Promise<T> {
  if (!object.metadata.resourceVersion) {
    throw new TypeError(`${request.action}: the intent's object must be one the server returned`);
  }
  const intent = openIntent(place.read(object), request, now);
  const stored = await client.patchDifference(place.kind, object, place.write(object, intent), {
    ...options,
    subresource: "status",
  });
  if (place.read(stored)?.nonce !== intent.nonce) {
    throw new Error(
      `${request.action} not sent: the server accepted the intent on ${place.kind.kind} "${object.metadata.name}" ` +
        "and did not keep it; does its CRD have the field and the status subresource?",
    );
  }
  await send(intent);
  return stored;
}
