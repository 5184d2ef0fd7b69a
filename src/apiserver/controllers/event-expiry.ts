/** Events are news: they go an hour after they were last written. */
import { hours, minutes, type Timer } from "#clock";
import type { KubeObject } from "#kinds";
import type { Environment } from "../rest/call.ts";
import { discard } from "../rest/modify.ts";
import type { Background } from "./background.ts";

const EVENTS = "core/events";
const KEPT_MS = hours(1);
const LOOK_EVERY_MS = minutes(1);

export function startEventExpiry({ store, clock }: Environment, background: Background): () => void {
  let timer: Timer;
  const arm = (): void => {
    timer = clock.after(LOOK_EVERY_MS, () => {
      background.run("expire events", expire);
      arm();
    });
  };
  const isDue = (event: KubeObject): boolean => clock.now().getTime() - lastWritten(event) > KEPT_MS;
  const expire = async (): Promise<void> => {
    for (const { key, object } of [...store.range(EVENTS, `${EVENTS}/`)]) {
      if (isDue(object)) await discard(store, key, isDue);
    }
  };
  arm();
  return () => timer.cancel();
}

interface EventTimes extends KubeObject {
  readonly lastTimestamp?: string;
  readonly eventTime?: string;
  readonly series?: { readonly lastObservedTime?: string };
}

function lastWritten(object: KubeObject): number {
  const { metadata, lastTimestamp, eventTime, series } = object as EventTimes;
  const managed = (metadata.managedFields ?? []).map((m) => m.time);
  const times = [metadata.creationTimestamp, lastTimestamp, eventTime, series?.lastObservedTime, ...managed];
  return Math.max(...times.map((t) => (t ? Date.parse(t) : 0)).filter((t) => !Number.isNaN(t)));
}
