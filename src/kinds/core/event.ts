/** The Event of `events.k8s.io`, which controllers write. The API server shows it as a core Event too. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";
import type { CoreObjectReference } from "./object-reference.ts";

export interface Event extends KubeObject {
  /** RFC 3339 with microseconds. */
  eventTime: string | null;
  regarding?: CoreObjectReference;
  related?: CoreObjectReference;
  type?: string;
  reason?: string;
  action?: string;
  note?: string;
  reportingController?: string;
  reportingInstance?: string;
  series?: { count: number; lastObservedTime: string };
}

export const Event: Kind<Event> = {
  group: "events.k8s.io",
  version: "v1",
  kind: "Event",
  plural: "events",
  scope: "Namespaced",
};
