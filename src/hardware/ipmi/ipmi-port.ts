/** IPMI through a lane: every command takes its turn and its token; a refused password is not tried again. */
import { type Credentials, failure, type Outcome } from "#redfish";
import type { Lane } from "../lane/lane.ts";
import type { Port } from "../port/port.ts";
import type { CommandOptions } from "./ipmi-driver.ts";
import { type IpmiTarget, runIpmitool } from "./ipmitool.ts";

export interface IpmiPortOptions {
  readonly lane: Lane;
  readonly target: Omit<IpmiTarget, "clock">;
  readonly fence?: () => void;
}

const GRACE_MS = 5_000;

export class IpmiPort implements Port {
  readonly #options: IpmiPortOptions;
  #credentials: Credentials;
  #refused: string | undefined;

  constructor(options: IpmiPortOptions) {
    this.#options = options;
    this.#credentials = options.target.credentials;
  }

  /** A session lasts as long as a command. */
  get sessionMode(): "none" | "refused" {
    return this.#refused === undefined ? "none" : "refused";
  }

  send(): Promise<Outcome<never>> {
    return Promise.resolve(failure("NotSupported", `${this.#options.lane.key} speaks IPMI and not Redfish`));
  }

  root(): Promise<Outcome<never>> {
    return this.send();
  }

  stream(): Promise<Outcome<never>> {
    return this.send();
  }

  /** None is ever left behind. */
  adopt(): void {}

  command(args: readonly string[], options: CommandOptions): Promise<Outcome<string>> {
    const { lane } = this.#options;
    const { signal, deadlineAt, changes = false, timeoutMs } = options;
    const exchange = {
      attempt: `ipmitool ${args.join(" ")}`,
      urgent: changes || deadlineAt !== undefined,
      changes,
      ...(signal ? { signal } : {}),
      ...(deadlineAt === undefined ? {} : { deadlineAt }),
      ...(changes ? {} : { share: args.join(" ") }),
    };
    return lane.run(exchange, (own) => this.#run(args, own, timeoutMs));
  }

  useCredentials(credentials: Credentials): void {
    this.#credentials = credentials;
    this.#refused = undefined;
    this.#options.lane.conditions.set("CredentialsRefused", undefined);
  }

  async close(): Promise<void> {
    await this.#options.lane.close(GRACE_MS);
  }

  async #run(args: readonly string[], signal: AbortSignal, timeoutMs: number | undefined): Promise<Outcome<string>> {
    const { lane, target, fence } = this.#options;
    if (this.#refused !== undefined) return failure("Unauthorized", this.#refused);
    try {
      await lane.pace(signal);
    } catch {
      return failure("Unreachable", `ipmitool ${args.join(" ")}: called off before it was started`);
    }
    try {
      fence?.();
    } catch (error) {
      return failure("Fenced", `ipmitool ${args.join(" ")}: not started, ${String(error)}`);
    }
    const startedAt = lane.clock.monotonic();
    const more = timeoutMs === undefined ? {} : { timeoutMs };
    const outcome = await runIpmitool(
      { ...target, credentials: this.#credentials, clock: lane.clock },
      { args, signal, ...more },
    );
    lane.count("IPMI", outcome, startedAt);
    if (!outcome.ok && outcome.failure.code === "Unauthorized") this.#refuse(outcome.failure.message);
    return outcome;
  }

  #refuse(message: string): void {
    this.#refused = `${message}; the password is not tried again until the credentials change`;
    this.#options.lane.conditions.set("CredentialsRefused", this.#refused);
  }
}
