/** The session slots of one BMC. Idle sessions end by themselves; a full table refuses. */
import type { Clock, Random } from "#clock";

export interface Session {
  readonly id: string;
  readonly token: string;
  readonly username: string;
  readonly created: Date;
  lastUsedMs: number;
}

export class Sessions {
  readonly #byId = new Map<string, Session>();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly slots: number;
  timeoutSeconds = 1800;
  #opened = 0;

  constructor(slots: number, clock: Clock, random: Random) {
    this.slots = slots;
    this.#clock = clock;
    this.#random = random;
  }

  /** Undefined when all slots are taken. */
  open(username: string): Session | undefined {
    this.#endIdle();
    if (this.#byId.size >= this.slots) return undefined;
    const id = String(++this.#opened);
    const session: Session = {
      id,
      token: this.#token(),
      username,
      created: this.#clock.now(),
      lastUsedMs: this.#clock.monotonic(),
    };
    this.#byId.set(id, session);
    return session;
  }

  /** The live session of a token; using it keeps it alive. */
  use(token: string): Session | undefined {
    this.#endIdle();
    for (const session of this.#byId.values()) {
      if (session.token !== token) continue;
      session.lastUsedMs = this.#clock.monotonic();
      return session;
    }
    return undefined;
  }

  list(): readonly Session[] {
    this.#endIdle();
    return [...this.#byId.values()];
  }

  get(id: string): Session | undefined {
    this.#endIdle();
    return this.#byId.get(id);
  }

  end(id: string): boolean {
    return this.#byId.delete(id);
  }

  endAll(): void {
    this.#byId.clear();
  }

  #endIdle(): void {
    const oldest = this.#clock.monotonic() - this.timeoutSeconds * 1000;
    for (const { id, lastUsedMs } of this.#byId.values()) if (lastUsedMs < oldest) this.#byId.delete(id);
  }

  #token(): string {
    const word = (): string =>
      Math.floor(this.#random.next() * 2 ** 32)
        .toString(16)
        .padStart(8, "0");
    return word() + word() + word() + word();
  }
}
