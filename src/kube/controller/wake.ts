/** What makes a controller look at an object again. Values only: who listens and to what is the runner's business. */
import type { Kind, KubeObject, ObjectKey } from "#kinds";
import type { InformerOptions } from "../informer/informer.ts";

/** A change of objects of another kind. */
export interface KindWake<T extends KubeObject = KubeObject> {
  readonly from: "owned" | "mapped";
  readonly kind: Kind<T>;
  readonly options: InformerOptions<T>;
  /** The keys to look at because of this object; for owned kinds the runner finds the owner. */
  readonly keys?: (object: T) => Iterable<ObjectKey | string>;
}

/** A change of something that is not in Kubernetes. */
export interface ExternalWake {
  readonly from: "external";
  /** Calls `wake` with each key to look at, until the returned function is called. Must not throw. */
  readonly subscribe: (wake: (key: ObjectKey | string) => void) => () => void;
}

export type Wake = KindWake | ExternalWake;

/** Objects whose controller reference points at ours wake their owner. */
export function owned<T extends KubeObject>(kind: Kind<T>, options: InformerOptions<T> = {}): Wake {
  return { from: "owned", kind, options } as KindWake<T> as unknown as KindWake;
}

/** Objects of this kind wake whatever `keys` derives from them: none, one or many; before a change and after it. */
export function mapped<T extends KubeObject>(
  kind: Kind<T>,
  keys: (object: T) => Iterable<ObjectKey | string>,
  options: InformerOptions<T> = {},
): Wake {
  return { from: "mapped", kind, options, keys } as KindWake<T> as unknown as KindWake;
}

/** A source of our own, for example hardware that changed: subscribed while the controller runs. */
export function external(subscribe: ExternalWake["subscribe"]): Wake {
  return { from: "external", subscribe };
}
