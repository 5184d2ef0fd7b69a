/**
 * The one door through which anything is done to hardware: recorded before it is sent and after, and what must not
 * happen twice only behind a durable intent. Sends an action once; never again by itself.
 */
import { type Failure, failure, type Outcome } from "#redfish";
import type { AuditLog } from "../audit/audit-log.ts";
import { describeAction, type HardwareAction, isRepeatable, type Performed, serverOf } from "../driver/driver.ts";
import type { ServerSnapshot } from "../watch/snapshot.ts";

/** The object that an action is for. */
export interface ActionObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

/**
 * Makes an intent durable before the action is sent; the fingerprint is what the hardware looks like before.
 * Rejects when it may not be sent: another intent is open, or someone else wrote first.
 */
export type IntentGuard = (fingerprint: Readonly<Record<string, string>>) => Promise<{ readonly nonce: string }>;

export interface ActionRequest {
  readonly action: HardwareAction;
  /** Who asked: a controller, or a person. */
  readonly by: string;
  /** One sentence. */
  readonly why: string;
  readonly object: ActionObject;
  /** Needed for every action that is not repeatable. */
  readonly intent?: IntentGuard;
  readonly signal?: AbortSignal;
  /** Waiting and all requests of the action together; two minutes unless said otherwise. */
  readonly deadlineMs?: number;
}

/** What the door needs of the BMC it leads to. */
export interface BehindTheDoor {
  readonly bmc: string;
  perform(action: HardwareAction, deadlineMs: number, signal: AbortSignal | undefined): Promise<Outcome<Performed>>;
  server(id: string): ServerSnapshot | undefined;
  /** Looks at a server after something was done to it. */
  look(id: string): Promise<unknown>;
}

const DEADLINE_MS = 120_000;
/** Nonces remembered: more than a process can have under way. */
const MOST_NONCES = 10_000;

export class ActionDoor {
  readonly #audit: AuditLog;
  readonly #nonces = new Set<string>();

  constructor(audit: AuditLog) {
    this.#audit = audit;
  }

  /** Throws for a request that is a mistake of the caller: an action that needs an intent and has none. */
  async perform(behind: BehindTheDoor, request: ActionRequest): Promise<Outcome<Performed>> {
    const { action, intent, signal, deadlineMs = DEADLINE_MS } = request;
    const before = snapshotOf(behind, action);
    let nonce: string | undefined;
    if (!isRepeatable(action)) {
      if (!intent)
        throw new TypeError(`${nameOf(action)} on ${behind.bmc}: it cannot be repeated safely and has no intent`);
      const opened = await this.#open(intent, fingerprint(before));
      if (!opened.ok) return this.#refused(behind, request, opened.failure);
      nonce = opened.value;
    }
    const record = { ...recordOf(behind, request), ...(nonce === undefined ? {} : { nonce }) };
    try {
      await this.#audit.write({ phase: "begin", ...record, before });
    } catch (error) {
      return failure("Refused", `${nameOf(action)} on ${behind.bmc}: not sent, ${String(error)}`);
    }
    const outcome = await behind.perform(action, deadlineMs, signal);
    await this.#recordEnd(behind, { record, action, before, outcome });
    return outcome;
  }

  async #open(intent: IntentGuard, before: Readonly<Record<string, string>>): Promise<Outcome<string>> {
    try {
      const { nonce } = await intent(before);
      if (nonce === "") return failure("Refused", "its intent has no nonce");
      if (this.#nonces.has(nonce)) return failure("Refused", `its nonce ${nonce} was used before`);
      this.#remember(nonce);
      return { ok: true, value: nonce };
    } catch (error) {
      return failure("Refused", error instanceof Error ? error.message : String(error));
    }
  }

  #remember(nonce: string): void {
    this.#nonces.add(nonce);
    const [oldest] = this.#nonces;
    if (this.#nonces.size > MOST_NONCES && oldest !== undefined) this.#nonces.delete(oldest);
  }

  async #refused(behind: BehindTheDoor, request: ActionRequest, why: Failure): Promise<Outcome<never>> {
    const outcome = failure(why.code, `${nameOf(request.action)} on ${behind.bmc}: not sent, ${why.message}`);
    await this.#audit
      .write({ phase: "refused", ...recordOf(behind, request), outcome: why.message })
      .catch(() => undefined);
    return outcome;
  }

  /** The action has happened: a record that cannot be written any more stops the next one, not this result. */
  async #recordEnd(behind: BehindTheDoor, done: Done): Promise<void> {
    const { record, action, before, outcome } = done;
    const server = serverOf(action);
    if (server !== undefined && mayHaveHappened(outcome)) await behind.look(server);
    const after = snapshotOf(behind, action);
    const end = { phase: "end", ...record, before, after, ...ending(outcome) };
    await this.#audit.write(end).catch(() => undefined);
  }
}

interface Done {
  readonly record: Readonly<Record<string, unknown>>;
  readonly action: HardwareAction;
  readonly before: unknown;
  readonly outcome: Outcome<Performed>;
}

function recordOf({ bmc }: BehindTheDoor, { action, by, why, object }: ActionRequest): Record<string, unknown> {
  return { bmc, by, why, object, action: describeAction(action) };
}

function ending(outcome: Outcome<Performed>): Record<string, unknown> {
  if (outcome.ok) return { outcome: outcome.value.sent ? "sent" : "already so" };
  return { outcome: outcome.failure.code, message: outcome.failure.message };
}

function mayHaveHappened(outcome: Outcome<Performed>): boolean {
  if (outcome.ok) return outcome.value.sent;
  return outcome.failure.code === "ConnectionLost" || outcome.failure.code === "TimedOut";
}

/** What is recorded of a server: what an action may change. */
function snapshotOf(behind: BehindTheDoor, action: HardwareAction): Record<string, unknown> | undefined {
  const id = serverOf(action);
  const server = id === undefined ? undefined : behind.server(id);
  if (!server) return undefined;
  const { power, bootProgress, lastResetTime, biosVersion, boot, indicator } = server.facts.value;
  const override = boot && { enabled: boot.overrideEnabled, target: boot.overrideTarget, mode: boot.overrideMode };
  return { seen: server.facts.at, power, bootProgress, lastResetTime, biosVersion, boot: override, indicator };
}

/** The part of it that tells "before" from "after" when nobody saw the action itself. */
function fingerprint(before: Record<string, unknown> | undefined): Record<string, string> {
  const told = ["power", "lastResetTime", "bootProgress", "biosVersion"] as const;
  return Object.fromEntries(told.flatMap((name) => (typeof before?.[name] === "string" ? [[name, before[name]]] : [])));
}

function nameOf(action: HardwareAction): string {
  if (action.kind === "Custom") return action.name;
  return action.kind === "Reset" ? `Reset/${action.type}` : action.kind;
}
