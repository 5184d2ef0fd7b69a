/** Everything the server does without being asked. */
import { CrdController } from "../crd/crd-controller.ts";
import type { Environment } from "../rest/call.ts";
import type { Background } from "./background.ts";
import { startEventExpiry } from "./event-expiry.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { NamespaceController } from "./namespace-controller.ts";
import { startRoleAggregation } from "./role-aggregation.ts";

/** Starts them all; the returned function stops them from reacting to anything new. */
export function startControllers(environment: Environment, background: Background): () => void {
  const stops = [
    new CrdController(environment, background).start(),
    new GarbageCollector(environment, background).start(),
    new NamespaceController(environment, background).start(),
    startRoleAggregation(environment, background),
    startEventExpiry(environment, background),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
