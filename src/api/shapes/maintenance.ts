/** What everything that needs a maintenance repeats: whether the owner is asked, and how often to try again. */
import { Type } from "#kinds";
import { MaintenancePolicy } from "../names/states.ts";

export const maintenancePolicy = Type.optional(
  Type.word(
    "OwnerApproval waits for the claim's owner before a claimed server is touched, Enforced does not.",
    Object.values(MaintenancePolicy),
  ),
);

export const retryPolicy = Type.optional(
  Type.object("What happens after a failure.", {
    maxAttempts: Type.optional(
      Type.integer("Automatic retries; 0 means none, absent uses the operator's default.", { minimum: 0, maximum: 10 }),
    ),
  }),
);
