/** An informer on an in-memory API under virtual time, with a handler that believes nothing it is told. For tests only. */
import { expect } from "vitest";
import { seededRandom, settle, VirtualClock } from "#clock";
import { Box } from "../testing/box.ts";
import { MemoryApi, type MemoryApiOptions } from "../testing/memory-api.ts";
import { type CachingInformer, createInformer, type InformerSettings } from "./create-informer.ts";
import { type InformerHandler, type InformerOptions, keyOf } from "./informer.ts";

export interface Rig {
  readonly clock: VirtualClock;
  readonly api: MemoryApi;
  readonly informer: CachingInformer<Box>;
  /** What the handler was told, as `verb name size`. */
  readonly told: string[];
  readonly errors: unknown[];
  /** The state of the world by replaying what the handler was told. */
  readonly view: Map<string, Box>;
  /** Fails unless cache and replayed view are what the server holds. */
  expectInStep(): void;
  /** Stops the informer and fails if it leaves a timer or a watch behind. */
  end(): Promise<void>;
}

export interface RigOptions {
  readonly api?: MemoryApiOptions;
  readonly informer?: InformerOptions<Box>;
  readonly settings?: Partial<InformerSettings>;
  /** Runs before the informer starts. */
  readonly before?: (api: MemoryApi) => Promise<unknown>;
}

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const clock = new VirtualClock();
  const api = new MemoryApi({ clock, ...options.api });
  await options.before?.(api);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const settings = { client: api, clock, random: seededRandom(7), onError, ...options.settings };
  const informer = createInformer(settings, Box, options.informer);
  const told: string[] = [];
  const view = new Map<string, Box>();
  informer.subscribe(replaying(view, told));
  const stop = new AbortController();
  const run = informer.run(stop.signal);
  await settle();
  return {
    clock,
    api,
    informer,
    told,
    errors,
    view,
    expectInStep() {
      const server = api.snapshot(Box);
      expect(byKey(informer.list())).toEqual(server);
      expect(byKey([...view.values()])).toEqual(server);
    },
    async end() {
      stop.abort();
      await run;
      await settle();
      expect(clock.pendingTimers).toBe(0);
      expect(api.openWatches).toBe(0);
    },
  };
}

/** Keeps a view by what it is told, and throws when that cannot be the next thing to happen to a key. */
export function replaying(view: Map<string, Box>, told: string[]): InformerHandler<Box> {
  const say = (verb: string, { metadata, spec }: Box) => told.push(`${verb} ${metadata.name} ${spec?.size ?? "-"}`);
  return {
    added(object, initial) {
      if (view.has(keyOf(object))) throw new Error(`added twice: ${keyOf(object)}`);
      view.set(keyOf(object), object);
      say(initial ? "initial" : "added", object);
    },
    updated(before, after) {
      if (view.get(keyOf(after)) !== before) throw new Error(`updated from a state never told: ${keyOf(after)}`);
      if (before.metadata.uid !== after.metadata.uid) throw new Error(`another object: ${keyOf(after)}`);
      view.set(keyOf(after), after);
      say("updated", after);
    },
    deleted(object) {
      if (!view.delete(keyOf(object))) throw new Error(`deleted but never told of: ${keyOf(object)}`);
      say("deleted", object);
    },
  };
}

const byKey = (objects: readonly Box[]) => Object.fromEntries(objects.map((object) => [keyOf(object), object]));
