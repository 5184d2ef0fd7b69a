/**
 * The sessions on one BMC that are or may be ours: the one in use, and those that a crash, a renewal or an unanswered
 * login left behind. Removes the latter; never touches a session of someone else.
 */
import type { Clock } from "#clock";
import {
  type Answer,
  endStaleSession,
  type Outcome,
  type RedfishRequest,
  RedfishService,
  readArray,
  readString,
} from "#redfish";

export type Send = (request: RedfishRequest) => Promise<Outcome<Answer>>;

/** A login whose answer never came: it may have opened a session that nobody knows the address of. */
export interface UnansweredLogin {
  readonly path: string;
  /** Monotonic times between which the BMC may have opened it. */
  readonly from: number;
  readonly to: number;
}

/** How far a BMC's whole seconds and our milliseconds may lie apart. */
const SLACK_MS = 2_000;
/** A session that cannot be removed is given up after so many tries: it ends by its own timeout. */
const MOST_TRIES = 3;
/** No BMC has more slots that we could have filled. */
const MOST_STALE = 64;

export class OwnSessions {
  readonly #username: string;
  readonly #clock: Clock;
  readonly #onChange: ((uris: readonly string[]) => void) | undefined;
  #stale: Map<string, number> | undefined;
  #current: string | undefined;
  #unanswered: UnansweredLogin[] | undefined;

  constructor(username: string, clock: Clock, onChange?: (uris: readonly string[]) => void) {
    this.#username = username;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Addresses that an earlier process of ours recorded. */
  adopt(recorded: readonly string[]): void {
    for (const uri of recorded) if (uri !== this.#current) this.#leave(uri);
    if (recorded.length > 0) this.#say();
  }

  /** What to record durably, so that whoever comes after a crash can clean up. */
  list(): readonly string[] {
    return [...(this.#stale?.keys() ?? []), ...(this.#current === undefined ? [] : [this.#current])];
  }

  get pending(): boolean {
    return this.#stale !== undefined || this.#unanswered !== undefined;
  }

  /** A session was opened, or ended (undefined); one that the BMC no longer accepted may still take a slot. */
  opened(uri: string | undefined, endedByUs: boolean): void {
    if (this.#current !== undefined && this.#current !== uri && !endedByUs) this.#leave(this.#current);
    this.#current = uri;
    if (uri !== undefined) this.#drop(uri);
    this.#say();
  }

  unanswered(login: UnansweredLogin): void {
    this.#unanswered = [...(this.#unanswered ?? []), login].slice(-8);
  }

  /** Removes what is left of us. `now` is the monotonic time at which the session in use was opened. */
  async cleanUp(send: Send, now: number): Promise<void> {
    await this.#findUnanswered(send, now);
    for (const uri of [...(this.#stale?.keys() ?? [])]) {
      if (uri !== this.#current) await this.#remove(send, uri);
    }
    this.#say();
  }

  async #remove(send: Send, uri: string): Promise<void> {
    const service = new RedfishService({ send }, this.#clock);
    const ended = await endStaleSession(service, { uri, username: this.#username });
    // Gone, or somebody else's by now: session numbers start again after a BMC restart.
    if (ended.ok) return this.#drop(uri);
    const tries = (this.#stale?.get(uri) ?? 0) + 1;
    if (tries >= MOST_TRIES) this.#drop(uri);
    else this.#stale?.set(uri, tries);
  }

  /**
   * Sessions of our user that were opened just when a login of ours went unanswered. The BMC's clock may be wrong, so
   * its time is measured from the session that we know we opened now.
   */
  async #findUnanswered(send: Send, now: number): Promise<void> {
    const logins = this.#unanswered;
    if (!logins || this.#current === undefined) return;
    const mine = createdAt(await send({ method: "GET", path: this.#current }));
    if (mine === undefined) {
      this.#unanswered = undefined;
      return;
    }
    const ours = logins.map(({ from, to }) => ({
      from: mine - (now - from) - SLACK_MS,
      to: mine - (now - to) + SLACK_MS,
    }));
    for (const uri of await this.#others(send, logins[0]?.path ?? "")) {
      const session = await send({ method: "GET", path: uri });
      const created = createdAt(session);
      const isUsers = session.ok && readString(session.value.body, "UserName") === this.#username;
      if (isUsers && created !== undefined && ours.some(({ from, to }) => created >= from && created <= to))
        this.#leave(uri);
    }
    this.#unanswered = undefined;
  }

  async #others(send: Send, path: string): Promise<readonly string[]> {
    const listed = await send({ method: "GET", path });
    if (!listed.ok) return [];
    const uris = readArray(listed.value.body, "Members").map((entry) => readString(entry, "@odata.id"));
    return uris.filter((uri): uri is string => uri !== undefined && uri !== this.#current);
  }

  #leave(uri: string): void {
    this.#stale ??= new Map();
    if (!this.#stale.has(uri) && this.#stale.size < MOST_STALE) this.#stale.set(uri, 0);
  }

  #drop(uri: string): void {
    this.#stale?.delete(uri);
    if (this.#stale?.size === 0) this.#stale = undefined;
  }

  #say(): void {
    this.#onChange?.(this.list());
  }
}

function createdAt(outcome: Outcome<Answer>): number | undefined {
  if (!outcome.ok) return undefined;
  const said = readString(outcome.value.body, "CreatedTime");
  const time = said === undefined ? Number.NaN : Date.parse(said);
  return Number.isNaN(time) ? undefined : time;
}
