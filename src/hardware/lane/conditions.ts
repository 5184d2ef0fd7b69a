/** What is wrong between us and one BMC, in words that a controller can put on the object. Holds no history. */
import type { Clock } from "#clock";

export type LaneConditionType =
  /** Another object names the same address with other credentials, and was first. */
  | "CredentialsConflict"
  /** The BMC refused the password; it is not tried again until it changes. */
  | "CredentialsRefused"
  /** Every session slot is taken; requests go out with basic authentication meanwhile. */
  | "SessionSlotsFull"
  /** The BMC does not answer; nothing is sent until the pause is over. */
  | "Unresponsive"
  /** The BMC's certificate is not the one we trust. */
  | "CertificateUntrusted";

export interface LaneCondition {
  readonly type: LaneConditionType;
  readonly message: string;
  readonly since: Date;
}

export class LaneConditions {
  readonly #clock: Clock;
  readonly #onChange: () => void;
  #present: LaneCondition[] | undefined;

  constructor(clock: Clock, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  list(): readonly LaneCondition[] {
    return this.#present ?? [];
  }

  has(type: LaneConditionType): boolean {
    return this.list().some((condition) => condition.type === type);
  }

  /** Sets a condition (keeping its time while it lasts), or clears it when there is nothing to say. */
  set(type: LaneConditionType, message: string | undefined): void {
    const known = this.list().find((condition) => condition.type === type);
    if (known?.message === message) return;
    const others = this.list().filter((condition) => condition !== known);
    const next =
      message === undefined ? others : [...others, { type, message, since: known?.since ?? this.#clock.now() }];
    this.#present = next.length > 0 ? next : undefined;
    if ((known === undefined) !== (message === undefined)) this.#onChange();
  }
}
