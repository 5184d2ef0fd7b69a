/**
 * The usual way to act on a decision: writes in their order, then hardware, then one status patch, then announcements.
 * Stops at the first refusal, because what follows was decided on facts that no longer hold. Decides nothing.
 */
import { type Condition, type Kind, type KubeObject, withCondition } from "#kinds";
import type { Client, ObjectName } from "../client/client.ts";
import { isNotFound } from "../client/errors.ts";
import { keyOf } from "../informer/informer.ts";
import type { Decision, Write } from "./decision.ts";

export interface Performance<T extends KubeObject, A> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly object: T;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly fieldManager: string;
  readonly project: (object: T, decision: Decision<A>, now: Date) => T;
  readonly hardware: (action: A) => Promise<void> | void;
}

/** Performs everything but the announcements; rejects with the first refusal. */
export async function perform<T extends KubeObject, A>(decision: Decision<A>, on: Performance<T, A>): Promise<void> {
  const versions = new OwnVersions();
  for (const write of decision.writes) await performWrite(write, on, versions);
  for (const action of decision.hardware) await on.hardware(action);
  const after = on.project(on.object, decision, on.now);
  if (after === on.object) return;
  const call = { signal: on.signal, priority: "status", subresource: "status" } as const;
  const change = versions.rebased(on.kind, on.object, after);
  await on.client.patchDifference(on.kind, change.before, change.after, call);
}

/** The object with the decision's conditions in its status; the same object when nothing changed. */
export function projectConditions<T extends KubeObject>(object: T, decision: Decision<unknown>, now: Date): T {
  const { status } = object as T & { status?: { conditions?: readonly Condition[] } };
  const before = status?.conditions ?? [];
  let conditions = before;
  for (const stated of decision.conditions) conditions = withCondition(conditions, stated, now);
  return conditions === before ? object : { ...object, status: { ...status, conditions } };
}

/** As `projectConditions`, and what the pass waits for as `status.waitingFor`, for kinds that have the field. */
export function projectWaiting<T extends KubeObject>(object: T, decision: Decision<unknown>, now: Date): T {
  const projected = projectConditions(object, decision, now) as T & { status?: { waitingFor?: unknown } };
  const waiting = decision.waitingFor && JSON.parse(JSON.stringify(decision.waitingFor));
  if (JSON.stringify(projected.status?.waitingFor) === JSON.stringify(waiting)) return projected;
  const { waitingFor: _, ...rest } = projected.status ?? {};
  return { ...projected, status: waiting ? { ...rest, waitingFor: waiting } : rest };
}

async function performWrite<T extends KubeObject, A>(
  write: Write,
  on: Performance<T, A>,
  versions: OwnVersions,
): Promise<void> {
  const { client, signal, fieldManager } = on;
  const { kind } = write;
  const call = "subresource" in write && write.subresource ? { signal, subresource: write.subresource } : { signal };
  switch (write.verb) {
    case "create":
      await client.create(kind, write.object, call);
      return;
    case "change": {
      const change = versions.rebased(kind, write.before, write.after);
      const result = await client.patchDifference(kind, change.before, change.after, call);
      versions.note(kind, write.before.metadata.resourceVersion, result);
      return;
    }
    case "apply": {
      const force = write.force === undefined ? {} : { force: write.force };
      await client.apply(kind, write.object, { ...call, ...force, fieldManager });
      return;
    }
    case "patch":
      await client.patch(kind, write.name, write.patch, call);
      return;
    case "delete":
      await deleted(client, write, signal);
  }
}

/** What is gone already is as deleted as it can be. */
async function deleted(client: Client, write: Write & { verb: "delete" }, signal: AbortSignal): Promise<void> {
  const preconditions = write.preconditions ? { preconditions: write.preconditions } : {};
  await client.delete(write.kind, write.name as ObjectName, { signal, ...preconditions }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/**
 * Several changes of one decision to one object: each is decided on the version that was observed, and the server moves
 * the version with the first. The later ones carry the version our own write produced; anybody else's still conflicts.
 */
class OwnVersions {
  readonly #produced = new Map<string, { readonly from: string | undefined; readonly to: string | undefined }>();

  note(kind: Kind, observed: string | undefined, result: KubeObject): void {
    this.#produced.set(nameOf(kind, result), { from: observed, to: result.metadata.resourceVersion });
  }

  rebased<T extends KubeObject>(kind: Kind<T>, before: T, after: T): { readonly before: T; readonly after: T } {
    const own = this.#produced.get(nameOf(kind, before));
    if (!own?.to || own.from !== before.metadata.resourceVersion) return { before, after };
    return { before: at(before, own.to), after: at(after, own.to) };
  }
}

function at<T extends KubeObject>(object: T, resourceVersion: string): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}

function nameOf(kind: Kind, object: KubeObject): string {
  return `${kind.plural}.${kind.group} ${keyOf(object)}`;
}
