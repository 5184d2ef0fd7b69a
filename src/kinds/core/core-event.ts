/** The Event of the core group, which `kubectl describe` reads. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";
import type { CoreObjectReference } from "./object-reference.ts";

export interface CoreEvent extends KubeObject {
  involvedObject: CoreObjectReference;
  type?: string;
  reason?: string;
  message?: string;
  action?: string;
  count?: number;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  source?: { component?: string; host?: string };
  reportingComponent?: string;
  reportingInstance?: string;
}

export const CoreEvent: Kind<CoreEvent> = {
  group: "",
  version: "v1",
  kind: "Event",
  plural: "events",
  scope: "Namespaced",
};
