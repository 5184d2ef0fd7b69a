/**
 * A durable intent: written before something that cannot be repeated safely is sent, so that whoever comes after a crash
 * or a restored backup finds it, watches it to its end and never sends it again. Decides nothing and sends nothing.
 */
import { wireTime } from "#kinds";

/** How an intent ended. */
export type IntentOutcome = "Done" | "Failed";

/** As it stands in `status.intent`; times as the wire writes them. */
export interface Intent {
  readonly action: string;
  /** The object it was meant for: an intent found on another object is nobody's. */
  readonly targetUID: string;
  /** Fresh for every decision to send. */
  readonly nonce: string;
  readonly issued: string;
  /** After this it is failed unless its end was seen. */
  readonly deadline: string;
  /** What the target looked like before, so that its end can be told from its beginning. */
  readonly fingerprint: Readonly<Record<string, string>>;
  readonly outcome?: IntentOutcome;
  readonly finished?: string;
  readonly message?: string;
}

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

export function isOpen(intent: Intent | undefined): intent is Intent & { readonly outcome?: never } {
  return intent !== undefined && intent.outcome === undefined;
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
    return close(intent, "Failed", now, `it was meant for ${intent.targetUID}, and this is ${seen.targetUID}`);
  }
  if (seen.fingerprint && seen.ended(intent.fingerprint, seen.fingerprint)) {
    return close(intent, "Done", now, `${intent.action} was seen to end`);
  }
  if (now.getTime() < Date.parse(intent.deadline)) return intent;
  return close(intent, "Failed", now, `no end of ${intent.action} was seen until ${intent.deadline}`);
}

/** Closes an open intent because what was asked to perform it refused: it is known not to have been carried out. */
export function failIntent(intent: Intent, message: string, now: Date): Intent {
  return isOpen(intent) ? close(intent, "Failed", now, message) : intent;
}

function close(intent: Intent, outcome: IntentOutcome, now: Date, message: string): Intent {
  return { ...intent, outcome, finished: wireTime(now), message };
}
