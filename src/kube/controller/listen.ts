/** Connects what wakes a controller to its queue: its own kind, owned and mapped kinds, and sources of its own. */
import type { KubeObject, ObjectKey } from "#kinds";
import { type InformerHandler, keyOf } from "../informer/informer.ts";
import { controllerOf, refersTo } from "../objects/owner.ts";
import type { WorkQueue } from "../queue/work-queue.ts";
import type { ControllerOptions } from "./controller.ts";
import type { Runtime } from "./runtime.ts";
import type { KindWake } from "./wake.ts";

/** Objects that were there before go behind what changes now. */
const INITIAL = { priority: -1 } as const;

/** Subscribes everything; the returned function ends all of it. */
export function listen<T extends KubeObject, F, A>(
  options: ControllerOptions<T, F, A>,
  { informers, logger }: Runtime,
  queue: WorkQueue,
): () => void {
  const own = waking<T>(queue, (object) => [object.metadata]);
  const updated = (before: T, after: T): void => {
    if (!options.ignores?.(before, after)) own.updated?.(before, after);
  };
  const ends = [informers.informer(options.kind, options.scope).subscribe({ ...own, updated })];
  for (const wake of options.wakes ?? []) {
    if (wake.from === "external") {
      ends.push(wake.subscribe((key) => queue.add(named(key))));
    } else {
      const keys = safely(wake.keys ?? ownersOf(options), (error) =>
        logger.error({ controller: options.name, kind: wake.kind.kind, err: error }, "mapping to keys failed"),
      );
      ends.push(informers.informer(wake.kind, wake.options).subscribe(waking(queue, keys)));
    }
  }
  return () => {
    for (const end of ends) end();
  };
}

type Keys<T> = (object: T) => Iterable<ObjectKey | string | KubeObject["metadata"]>;

function waking<T extends KubeObject>(queue: WorkQueue, keys: Keys<T>): InformerHandler<T> {
  const add = (how: typeof INITIAL | undefined, ...objects: readonly T[]): void => {
    // As a set: a waiting worker takes the first at once, and the same key again would be a second pass.
    const woken = new Set(objects.flatMap((object) => [...keys(object)].map(named)));
    for (const key of woken) queue.add(key, how);
  };
  return {
    added: (object, initial) => add(initial ? INITIAL : undefined, object),
    updated: (before, after) => add(undefined, before, after),
    deleted: (object) => add(undefined, object),
  };
}

/** The owner among our kind that manages the object; an owner of a namespaced kind lives in the object's namespace. */
function ownersOf<T extends KubeObject, F, A>({ kind }: ControllerOptions<T, F, A>): KindWake["keys"] & object {
  return (object) => {
    const owner = controllerOf(object);
    if (!owner || !refersTo(owner, kind)) return [];
    const { namespace } = object.metadata;
    return [{ name: owner.name, ...(kind.scope === "Namespaced" && namespace ? { namespace } : {}) }];
  };
}

function safely<T>(keys: Keys<T>, onError: (error: unknown) => void): Keys<T> {
  return (object) => {
    try {
      return [...keys(object)];
    } catch (error) {
      onError(error);
      return [];
    }
  };
}

function named(key: ObjectKey | string | KubeObject["metadata"]): string {
  return typeof key === "string" ? key : keyOf({ name: "", ...key });
}
