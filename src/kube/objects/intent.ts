/**
 * A durable intent: written before something that cannot be repeated safely is sent, so that whoever comes after a crash
 * or a restored backup finds it, watches it to its end and never sends it again. Decides nothing and sends nothing.
 */
import { type Intent, wireTime } from "#kinds";

const DONE = "Done";

/** What is asked for when an intent is opened. */
export interface IntentRequest {
  readonly action: string;
  readonly targetUID: string;
  readonly nonce: string;
  readonly timeoutMs: number;
  readonly fingerprint: Readonly<Record<string, string>>;
}

/** An intent was to be opened while another is open: only one irreversible thing happens at a time. */
export class IntentOpen extends Error {
  override readonly name = "IntentOpen";
  readonly open: Intent;
  constructor(wanted: string, open: Intent) {
    super(
      `${wanted} not begun: ${open.action} (nonce ${open.nonce}, issued ${open.issued}) has not ended yet; ` +
        `it is watched until ${open.deadline}`,
    );
    this.open = open;
  }
}

/** An intent was to be opened with a nonce that was used before. */
export class NonceReused extends Error {
  override readonly name = "NonceReused";
  constructor(wanted: string, nonce: string) {
    super(`${wanted} not begun: nonce ${nonce} was used before; sending again takes a fresh decision and a new nonce`);
  }
}

/** Whether its end is not known yet. */
export function isOpen(intent: Intent | undefined): intent is Intent & { readonly outcome?: never } {
  return intent !== undefined && intent.outcome === undefined;
}

/** Whether its end was seen; an intent that is neither open nor done has failed, and its outcome says why. */
export function isDone(intent: Intent | undefined): boolean {
  return intent?.outcome === DONE;
}

/**
 * The intent to write before sending. `current` is what the object carries; the write that stores the result must be a
 * compare-and-swap on the object `current` was read from. Throws {@link IntentOpen} or {@link NonceReused}.
 */
export function openIntent(current: Intent | undefined, wanted: IntentRequest, now: Date): Intent {
  if (isOpen(current)) throw new IntentOpen(wanted.action, current);
  if (current?.nonce === wanted.nonce) throw new NonceReused(wanted.action, wanted.nonce);
  const { action, targetUID, nonce, fingerprint, timeoutMs } = wanted;
  if (!nonce || !targetUID) throw new TypeError(`${action}: an intent needs a nonce and the target's UID`);
  const deadline = wireTime(new Date(now.getTime() + timeoutMs));
  return { action, targetUID, nonce, issued: wireTime(now), deadline, fingerprint };
}

/** What the target shows now: its fingerprint, or undefined when it could not be read. */
export interface Sighting {
  readonly targetUID: string;
  readonly fingerprint: Readonly<Record<string, string>> | undefined;
  /** Whether this sighting, compared with the fingerprint before, shows the end of the action. */
  ended(before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): boolean;
}

/** An open intent after a look at its target: still open, or closed as Done or Failed. Never asks for it to be sent. */
export function observeIntent(intent: Intent, seen: Sighting, now: Date): Intent {
  if (!isOpen(intent)) return intent;
  if (seen.targetUID !== intent.targetUID) {
    return failIntent(intent, `it was meant for ${intent.targetUID}, and this is ${seen.targetUID}`, now);
  }
  if (seen.fingerprint && seen.ended(intent.fingerprint, seen.fingerprint)) {
    return close(intent, DONE, now);
  }
  if (now.getTime() < Date.parse(intent.deadline)) return intent;
  return failIntent(intent, `no end of ${intent.action} was seen until ${intent.deadline}`, now);
}

/** Closes an open intent as failed, for example because what was asked to perform it refused. */
export function failIntent(intent: Intent, why: string, now: Date): Intent {
  return isOpen(intent) ? close(intent, `Failed: ${why}`, now) : intent;
}

function close(intent: Intent, outcome: string, now: Date): Intent {
  return { ...intent, outcome, finished: wireTime(now) };
}
