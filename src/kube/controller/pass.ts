/** One pass: observe, decide, act on one object. Says how it ended and never rejects. */

import type { Logger } from "pino";
import type { KubeObject, ObjectKey } from "#kinds";
import type { ControllerOptions, Look } from "./controller.ts";
import type { Decision } from "./decision.ts";
import { perform, projectConditions } from "./perform.ts";
import type { Runtime } from "./runtime.ts";

export interface Pass<T extends KubeObject = KubeObject> {
  readonly key: ObjectKey;
  /** As the cache has it; undefined when it does not. */
  readonly object: T | undefined;
  readonly reconcileId: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export type PassEnd =
  | { readonly was: "done"; readonly decision: Decision<unknown> }
  | { readonly was: "gone" }
  | { readonly was: "failed"; readonly step: "observe" | "decide" | "act"; readonly error: unknown };

export async function runPass<T extends KubeObject, F, A>(
  options: ControllerOptions<T, F, A>,
  runtime: Runtime,
  pass: Pass<T>,
): Promise<PassEnd> {
  const { object } = pass;
  let step: "observe" | "decide" | "act" = "observe";
  try {
    if (!object) {
      options.gone?.(pass.key);
      return { was: "gone" };
    }
    const look = lookAt(object, options, runtime, pass);
    const facts = await options.observe(look);
    pass.signal.throwIfAborted();
    step = "decide";
    const decision = options.decide(facts);
    record(options.name, runtime, pass, { facts, decision });
    step = "act";
    await act(options, runtime, look, decision);
    for (const said of decision.announcements ?? []) runtime.events.record(object, said);
    return { was: "done", decision };
  } catch (error) {
    return { was: "failed", step, error };
  }
}

async function act<T extends KubeObject, F, A>(
  options: ControllerOptions<T, F, A>,
  runtime: Runtime,
  look: Look<T>,
  decision: Decision<A>,
): Promise<void> {
  const usual = (): Promise<void> =>
    perform(decision, {
      client: runtime.client,
      kind: options.kind,
      object: look.object,
      now: look.now,
      signal: look.signal,
      fieldManager: options.fieldManager ?? options.name,
      project: options.project ?? projectConditions,
      hardware: (action) => {
        if (!options.hardware) throw new Error(`controller ${options.name} decided on hardware and has none to ask`);
        return options.hardware(action, look);
      },
    });
  await (options.act ? options.act({ ...look, decision, perform: usual }) : usual());
}

function lookAt<T extends KubeObject, F, A>(
  object: T,
  options: ControllerOptions<T, F, A>,
  runtime: Runtime,
  { key, log, signal }: Pass,
): Look<T> {
  const { client, clock, informers } = runtime;
  return {
    object,
    key,
    now: clock.now(),
    client,
    signal,
    log,
    cache: (kind) => {
      const wake = options.wakes?.find((w) => w.from !== "external" && isSameKind(w.kind, kind));
      const declared = options.reads?.some((read) => isSameKind(read, kind));
      if (isSameKind(options.kind, kind)) return informers.informer(kind, options.scope as object);
      if (wake && wake.from !== "external") return informers.informer(kind, wake.options as object);
      if (declared) return informers.informer(kind);
      throw new Error(`controller ${options.name} has no cache of ${kind.kind}: name it among its wakes or reads`);
    },
  };
}

function isSameKind(a: { kind: string; group: string }, b: { kind: string; group: string }): boolean {
  return a.kind === b.kind && a.group === b.group;
}

function record(
  controller: string,
  { passes, clock }: Runtime,
  { key, reconcileId }: Pass,
  what: { readonly facts: unknown; readonly decision: Decision<unknown> },
): void {
  passes?.record({ controller, key, reconcileId, at: clock.now(), ...what });
}
