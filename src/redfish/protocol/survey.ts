/**
 * One look around a BMC: every resource is read at most once, what is broken is noted and left out, and a BMC that is
 * gone ends the look instead of failing again at each of a hundred resources.
 */
import type { Failure, FailureCode, Outcome } from "./outcome.ts";
import type { CallOptions, RedfishService, Resource } from "./service.ts";

/** After one of these no other resource would fare better. */
const fatal: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "Unreachable",
  "Untrusted",
  "Unauthorized",
  "SessionsFull",
  "Busy",
  "Fenced",
]);

/** One slow drive may time out and one long answer may be cut off; a second lapse means that the BMC is not well. */
const lapses: ReadonlySet<FailureCode> = new Set<FailureCode>(["TimedOut", "ConnectionLost"]);
const MOST_LAPSES = 1;

type Listing = readonly (Resource | string)[];
type Judge = (outcome: Outcome<Listing>) => Listing | undefined;

export class Survey {
  /** Replaced once, when the vendor is known. */
  service: RedfishService;
  readonly #options: CallOptions;
  readonly #known = new Map<string, Promise<Resource | undefined>>();
  readonly #problems: Failure[] = [];
  #lapses = 0;
  #ended: Failure | undefined;

  constructor(service: RedfishService, options: CallOptions = {}) {
    this.service = service;
    this.#options = options;
  }

  /** What could not be read while the rest could. */
  get problems(): readonly Failure[] {
    return this.#problems;
  }

  /** Why the survey ended early; undefined when it did not. */
  get ended(): Failure | undefined {
    return this.#ended;
  }

  /** The service root, whose failure the caller needs to see. */
  root(): Promise<Outcome<Resource>> {
    return this.service.root(this.#options);
  }

  /** A resource; undefined when there is no path to it or it cannot be read. */
  read(path: string | undefined): Promise<Resource | undefined> {
    if (path === undefined) return Promise.resolve(undefined);
    return this.#once(path, () => this.service.get(path, this.#options));
  }

  /** The members of a collection that can be read, in its order, with `levels` of what hangs below the collection. */
  async members(path: string | undefined, levels = 1): Promise<readonly Resource[]> {
    return (await this.#members(path, levels, (outcome) => this.#note(outcome))) ?? [];
  }

  /** As `members`; undefined, and no problem, when there is no such collection. */
  membersIfThere(path: string, levels = 1): Promise<readonly Resource[] | undefined> {
    return this.#members(path, levels, (outcome) =>
      !outcome.ok && outcome.failure.code === "NotFound" ? undefined : (this.#note(outcome) ?? []),
    );
  }

  async #members(path: string | undefined, levels: number, judge: Judge): Promise<readonly Resource[] | undefined> {
    if (path === undefined || this.#ended) return [];
    const { expandLevels } = this.service;
    // One level does not reach below the members: then each member is asked for with what is below it, once.
    const memberByMember = levels > 1 && expandLevels === 1;
    const entries = judge(await this.service.listing(path, this.#options, memberByMember ? 0 : levels));
    const members: Resource[] = [];
    for (const entry of entries ?? []) {
      const member = await this.#member(entry, memberByMember);
      if (member) members.push(member);
    }
    return entries && members;
  }

  #member(entry: Resource | string, expanded: boolean): Promise<Resource | undefined> {
    if (typeof entry !== "string") {
      const known = Promise.resolve(entry);
      this.#known.set(key(entry.path), known);
      return known;
    }
    return expanded ? this.#once(entry, () => this.service.getExpanded(entry, 1, this.#options)) : this.read(entry);
  }

  /** Resources behind links, in order; one after the other, because a BMC bears one request at a time. */
  async readAll(paths: readonly string[]): Promise<readonly Resource[]> {
    const found: Resource[] = [];
    for (const path of paths) {
      const resource = await this.read(path);
      if (resource) found.push(resource);
    }
    return found;
  }

  #once(path: string, ask: () => Promise<Outcome<Resource>>): Promise<Resource | undefined> {
    const known = this.#known.get(key(path));
    if (known) return known;
    if (this.#ended) return Promise.resolve(undefined);
    const asked = ask().then((outcome) => this.#note(outcome));
    this.#known.set(key(path), asked);
    return asked;
  }

  #note<T>(outcome: Outcome<T>): T | undefined {
    if (outcome.ok) return outcome.value;
    const { code } = outcome.failure;
    if (lapses.has(code)) this.#lapses++;
    if (fatal.has(code) || this.#lapses > MOST_LAPSES) this.#ended ??= outcome.failure;
    else this.#problems.push(outcome.failure);
    return undefined;
  }
}

/** Some firmware ends addresses with a slash in one place and not in another. */
function key(path: string): string {
  return path.replace(/\/+$/, "");
}
