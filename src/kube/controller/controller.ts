/**
 * What a controller is to those who write one: a kind, what else wakes it, and the three steps observe, decide, act.
 * Says nothing about how it runs; see run-controller.ts.
 */

import type { Logger } from "pino";
import type { Kind, KubeObject, ObjectKey } from "#kinds";
import type { Client } from "../client/client.ts";
import type { Informer, InformerOptions } from "../informer/informer.ts";
import type { Decision } from "./decision.ts";
import { runController } from "./run-controller.ts";
import type { Runtime } from "./runtime.ts";
import type { Wake } from "./wake.ts";

/** What a pass has to look with. Everything asked of the server takes the signal. */
export interface Look<T extends KubeObject> {
  /** The object the pass is about, as the cache has it: shared, so never modified. */
  readonly object: T;
  readonly key: ObjectKey;
  readonly now: Date;
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The cache of a kind that is among `wakes` or `reads`. */
  cache<K extends KubeObject>(kind: Kind<K>): Informer<K>;
}

/** What acting has besides: how far this pass has already changed the object is in `look.object`. */
export interface Acting<T extends KubeObject, A> extends Look<T> {
  readonly decision: Decision<A>;
  /** Performs the decision the usual way; for an `act` of your own that only adds to it. */
  perform(): Promise<void>;
}

export interface ControllerOptions<T extends KubeObject, F, A> {
  /** Names it in logs and metrics; lower case, unique in the process. */
  readonly name: string;
  readonly kind: Kind<T>;
  /** Which objects of the kind: namespace, selectors, indexes. */
  readonly scope?: InformerOptions<T>;
  readonly wakes?: readonly Wake[];
  /** A change of the object itself that does not concern this controller, e.g. of its own status; wakes it not. */
  readonly ignores?: (before: T, after: T) => boolean;
  /** Kinds that are only read, from a cache. */
  readonly reads?: readonly Kind[];
  /** Gathers the facts of one pass. */
  readonly observe: (look: Look<T>) => Promise<F> | F;
  /** Facts to decision. Pure: no clock, no randomness, no I/O, so that a recorded pass can be replayed. */
  readonly decide: (facts: F) => Decision<A>;
  /** Instead of the usual way: writes, hardware, one status patch, announcements. */
  readonly act?: (acting: Acting<T, A>) => Promise<void>;
  /** Asks the hardware; returns once it is asked, never waits for the answer. */
  readonly hardware?: (action: A, look: Look<T>) => Promise<void> | void;
  /** The object with what its status should say; the conditions of the decision unless said otherwise. */
  readonly project?: (object: T, decision: Decision<A>, now: Date) => T;
  /** Told when a key's object is not in the cache any more; it may come back. */
  readonly gone?: (key: ObjectKey) => void;
  /** Passes at the same time, never two for one object; 1 unless said otherwise. */
  readonly concurrency?: number;
  /** A pass is told to stop after this long; 60 s unless said otherwise. */
  readonly passTimeoutMs?: number;
  /** The field manager of its `apply` writes; its name unless said otherwise. */
  readonly fieldManager?: string;
}

/** A controller as the manager knows it: something with a name that runs on a runtime. */
export interface Controller {
  readonly name: string;
  /** Announces the informers it needs; called before they are started. */
  prepare(runtime: Runtime): void;
  /** Works until `stop`, then lets running passes finish; `kill` ends those too. Never rejects for what a pass does. */
  run(runtime: Runtime, stop: AbortSignal, kill: AbortSignal): Promise<void>;
}

/** This kind, what else wakes it, observe, decide, act. */
export function controller<T extends KubeObject, F, A = never>(options: ControllerOptions<T, F, A>): Controller {
  if (!/^[a-z][a-z0-9-]*$/.test(options.name)) {
    throw new TypeError(`controller name "${options.name}": use lower-case letters, digits and dashes`);
  }
  if (options.concurrency !== undefined && !(options.concurrency >= 1)) {
    throw new RangeError(`controller ${options.name}: concurrency is at least 1, not ${options.concurrency}`);
  }
  return {
    name: options.name,
    prepare: (runtime) => {
      runtime.informers.informer(options.kind, options.scope);
      for (const wake of options.wakes ?? [])
        if (wake.from !== "external") runtime.informers.informer(wake.kind, wake.options);
      for (const kind of options.reads ?? []) runtime.informers.informer(kind);
    },
    run: (runtime, stop, kill) => runController(options, runtime, { stop, kill }),
  };
}
