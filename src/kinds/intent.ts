/** A durable note, written before something that must not happen twice. After a restart it is observed to its end, never sent again. */

export interface Intent {
  /** What was decided, in the words of whoever acts on it: `Reset/ForceOff`, `Flash/BIOS`. */
  action: string;
  /** UID of the object the action is for: an intent of a namesake is nobody's. */
  targetUID: string;
  /** Fresh for every decision; the same nonce is never acted on twice. */
  nonce: string;
  /** RFC 3339. */
  issued: string;
  /** RFC 3339; after it an intent without a visible effect has failed. */
  deadline: string;
  /** What the hardware looked like before, so that "it happened" can be seen: boot count, task, version. */
  fingerprint: Record<string, string>;
  /** Absent while it is not known how it ended. */
  outcome?: string;
  /** RFC 3339; present exactly when `outcome` is. */
  finished?: string;
}
