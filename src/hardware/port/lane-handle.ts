/** One object's hold on the lane of its BMC. Several objects may hold the same lane; releasing the last one closes it. */
import { type Answer, type Credentials, failure, type OpenStream, type Outcome, type Sender } from "#redfish";
import type { CommandOptions } from "../ipmi/ipmi-driver.ts";
import type { LaneCondition } from "../lane/conditions.ts";
import type { Port, PortDetail } from "./port.ts";
import type { PortRequest, RootOptions } from "./redfish-port.ts";

/** Several requests with one purpose and one deadline. */
export interface Operation {
  readonly name: string;
  readonly deadlineMs: number;
  readonly urgent?: boolean;
  readonly signal?: AbortSignal;
}

/** What a handle needs of the lane behind it. */
export interface HeldLane extends Pick<Port, "send" | "root" | "stream" | "command"> {
  readonly key: string;
  monotonic(): number;
  conditions(): readonly LaneCondition[];
  detail(): PortDetail;
  /** Why this holder must not send: another was first with other credentials. */
  conflictOf(handle: LaneHandle): LaneCondition | undefined;
  changeCredentials(handle: LaneHandle): void;
  leave(handle: LaneHandle): Promise<void>;
}

export interface HandleOptions {
  /** For messages: "BMC/rack-1-u7". */
  readonly holder: string;
  readonly credentials: Credentials;
  readonly onSessions?: (uris: readonly string[]) => void;
  /** A condition of the lane came or went. */
  readonly onChange?: () => void;
}

/** Timers fire up to a millisecond before their time. */
const TIMER_SLACK_MS = 2;

export class LaneHandle implements Sender {
  readonly options: HandleOptions;
  readonly #held: HeldLane;
  #credentials: Credentials;
  #released = false;
  #lastConflict: LaneCondition | undefined;

  constructor(held: HeldLane, options: HandleOptions) {
    this.#held = held;
    this.options = options;
    this.#credentials = options.credentials;
  }

  /** Canonical address of the BMC. */
  get key(): string {
    return this.#held.key;
  }

  get credentials(): Credentials {
    return this.#credentials;
  }

  get conditions(): readonly LaneCondition[] {
    const conflict = this.#conflict();
    return conflict ? [conflict, ...this.#held.conditions()] : this.#held.conditions();
  }

  detail(): PortDetail {
    return this.#held.detail();
  }

  send(request: PortRequest): Promise<Outcome<Answer>> {
    const refused = this.#refusal(`${request.method} ${request.path}`);
    return refused ? Promise.resolve(refused) : this.#held.send(request);
  }

  root(options: RootOptions): Promise<Outcome<Answer>> {
    const refused = this.#refusal("GET the service root");
    return refused ? Promise.resolve(refused) : this.#held.root(options);
  }

  stream(request: PortRequest): Promise<Outcome<OpenStream>> {
    const refused = this.#refusal(`open ${request.path}`);
    return refused ? Promise.resolve(refused) : this.#held.stream(request);
  }

  /** Runs `ipmitool` on a BMC without Redfish. */
  command(args: readonly string[], options: CommandOptions = {}): Promise<Outcome<string>> {
    const refused = this.#refusal(`ipmitool ${args.join(" ")}`);
    return refused ? Promise.resolve(refused) : this.#held.command(args, options);
  }

  /** Gives `work` a sender whose requests all end by the operation's deadline. */
  async operation<T>(operation: Operation, work: (sender: Sender) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const deadlineAt = this.#held.monotonic() + operation.deadlineMs;
    const { signal, urgent } = operation;
    const own = { deadlineAt, ...(signal === undefined ? {} : { signal }) };
    const outcome = await work({
      send: (request) => this.send({ ...request, ...own, ...(urgent === undefined ? {} : { urgent }) }),
      root: (options) => this.root({ ...options, ...own }),
    });
    if (outcome.ok || this.#held.monotonic() < deadlineAt - TIMER_SLACK_MS) return outcome;
    const message = `${operation.name} on ${this.key}: not finished within ${operation.deadlineMs} ms (${outcome.failure.message})`;
    return failure("TimedOut", message);
  }

  /** Keeps its time while it lasts. */
  #conflict(): LaneCondition | undefined {
    const now = this.#held.conflictOf(this);
    if (now?.message !== this.#lastConflict?.message) this.#lastConflict = now;
    return this.#lastConflict;
  }

  #refusal(attempt: string): Outcome<never> | undefined {
    const what = `${attempt} on ${this.key}: not sent`;
    if (this.#released) return failure("Fenced", `${what}, ${this.options.holder} has let go of the lane`);
    const conflict = this.#conflict();
    return conflict && failure("Unauthorized", `${what}, ${conflict.message}`);
  }

  /** The object's credentials changed. Equal ones change nothing, so this may be called on every pass. */
  updateCredentials(credentials: Credentials): void {
    if (sameCredentials(this.#credentials, credentials)) return;
    this.#credentials = credentials;
    this.#held.changeCredentials(this);
  }

  /** Lets go; the last to do so waits for the logout. */
  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    await this.#held.leave(this);
  }
}

export function sameCredentials(a: Credentials, b: Credentials): boolean {
  return a.username === b.username && a.password() === b.password();
}
