/** Label keys and the values we give them: compatibility surface, never renamed. */

/** On a ServerClaim, `"true"`: a maintenance waits for the owner. Written by the operator, never read as input. */
export const maintenanceNeededLabel = "metal.ironcore.dev/maintenance-needed";
/** On a ServerClaim: the owner agrees to the maintenance. Presence counts, the value does not. */
export const maintenanceApprovedLabel = "metal.ironcore.dev/maintenance-approved";
/** On a ServerClaim, `"true"`: the owner asks for a maintenance. */
export const maintenanceRequestedLabel = "metal.ironcore.dev/maintenance-requested";
/** Older spellings of the owner's consent; here the value must be `"true"`. */
export const okToMaintenanceLabels = ["ok-to-maintenance", "metal.ironcore.dev/ok-to-maintenance"] as const;
/** Older, unprefixed spelling of the owner's request; the value must be `"true"`. */
export const unprefixedMaintenanceNeededLabel = "maintenance-needed";

/** Labels and annotations of a Server below this prefix are what the machine itself may read of them. */
export const metadataPrefix = "metadata.metal.ironcore.dev/";
/** Where a server stands. */
export const locationLabel = "metadata.metal.ironcore.dev/location";
export const rackLabel = "metadata.metal.ironcore.dev/rack";
export const shelfLabel = "metadata.metal.ironcore.dev/shelf";
export const heightLabel = "metadata.metal.ironcore.dev/height";
