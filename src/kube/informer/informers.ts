/** One informer per kind and selection, shared by everyone who asks. Owns their running; joins them at the end. */
import type { Kind, KubeObject } from "#kinds";
import { type CachingInformer, createInformer, type InformerSettings } from "./create-informer.ts";
import type { Informer, InformerOptions } from "./informer.ts";

export interface Informers {
  /**
   * The shared informer for a kind and selection; indexes of later callers are added to it. It starts with `run`, or
   * at once when that was called before. A different `transform` makes a different informer.
   */
  informer<T extends KubeObject>(kind: Kind<T>, options?: InformerOptions<T>): Informer<T>;
  /** Runs all of them until the signal is aborted, and resolves when the last has ended. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when all that exist now have synced. */
  synced(signal?: AbortSignal): Promise<void>;
  /** For health and metrics. */
  all(): readonly Informer<KubeObject>[];
}

interface Shared {
  readonly identity: string;
  readonly transform: unknown;
  readonly informer: unknown;
}

export function createInformers(settings: InformerSettings): Informers {
  const shared: Shared[] = [];
  const running = new Set<Promise<void>>();
  let started: AbortSignal | undefined;
  const all = () => shared.map(({ informer }) => informer as Informer<KubeObject>);

  function start(informer: Informer<KubeObject>, signal: AbortSignal): void {
    const run = informer.run(signal).finally(() => running.delete(run));
    running.add(run);
  }

  function share<T extends KubeObject>(kind: Kind<T>, options: InformerOptions<T>): CachingInformer<T> {
    const identity = identityOf(kind, options);
    const known = shared.find((entry) => entry.identity === identity && entry.transform === options.transform);
    if (known) return known.informer as CachingInformer<T>;
    const { indexes: _, ...rest } = options;
    const informer = createInformer(settings, kind, rest);
    shared.push({ identity, transform: options.transform, informer });
    if (started) start(informer as unknown as Informer<KubeObject>, started);
    return informer;
  }

  return {
    informer(kind, options = {}) {
      const informer = share(kind, options);
      informer.addIndexes(options.indexes ?? {});
      return informer;
    },
    async run(signal) {
      if (started) throw new Error("the informers run already");
      started = signal;
      for (const informer of all()) start(informer, signal);
      await aborted(signal);
      while (running.size > 0) await Promise.all(running);
    },
    async synced(signal) {
      await Promise.all(all().map((informer) => informer.synced(signal)));
    },
    all,
  };
}

function identityOf<T extends KubeObject>(kind: Kind<T>, options: InformerOptions<T>): string {
  const { namespace = "", labelSelector = "", fieldSelector = "", metadataOnly = false } = options;
  return JSON.stringify([kind.group, kind.version, kind.plural, namespace, labelSelector, fieldSelector, metadataOnly]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
