/**
 * The verbs of Redfish on one BMC: read a resource or a collection, change it with its ETag, invoke an action.
 * What vendors do differently here comes in as {@link Quirks}; it keeps nothing of what it read.
 */
import type { Clock } from "#clock";
import type { Answer, OpenStream, RedfishRequest } from "./connection.ts";
import { failure, type Outcome, success } from "./outcome.ts";
import type { Quirks } from "./quirks.ts";
import { isRecord, type Json, readArray, readNumber, readRecord, readString } from "./read.ts";
import { pathOf } from "./session.ts";

/** Sends with credentials: a {@link Session}, or a lane around one. */
export interface Sender {
  send(request: RedfishRequest): Promise<Outcome<Answer>>;
  /** The service root, without a request if opening the session has just read it. */
  root?(options: CallOptions): Promise<Outcome<Answer>>;
  /** Absent where an answer without an end cannot be had. */
  stream?(request: RedfishRequest): Promise<Outcome<OpenStream>>;
}

export interface Resource {
  readonly path: string;
  readonly etag: string | undefined;
  readonly body: Json;
}

/** A change or action that the BMC goes on working on: where to ask for it. */
export interface Accepted {
  /** Undefined when it was done at once. */
  readonly monitor: string | undefined;
  readonly answer: Answer;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface PostOptions extends CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

export const SERVICE_ROOT = "/redfish/v1/";

/** Far more than the largest chassis; a loop in `nextLink` ends here. */
const MAX_PAGES = 64;

/** Failures of a request with a query after which the same without it is worth a try: weak BMCs cut long answers off. */
const queryRefusals: readonly string[] = ["Refused", "NotSupported", "BrokenAnswer", "ServerError", "ConnectionLost"];

export class RedfishService {
  readonly #sender: Sender;
  readonly quirks: Quirks;
  readonly clock: Clock;
  #expandLevels: number | undefined = 0;
  #selects = false;

  constructor(sender: Sender, clock: Clock, quirks: Quirks = {}) {
    this.#sender = sender;
    this.quirks = quirks;
    this.clock = clock;
  }

  /** The same BMC with other quirks, once its vendor is known. */
  withQuirks(quirks: Quirks): RedfishService {
    const service = new RedfishService(this.#sender, this.clock, quirks);
    service.#expandLevels = this.#expandLevels;
    service.#selects = this.#selects;
    return service;
  }

  /** How many levels `$expand` may go down; 0 where it is not offered or does not work. */
  get expandLevels(): number {
    return this.quirks.noExpand ? 0 : (this.#expandLevels ?? 1);
  }

  /** Reads one resource. A connection that ended under it is tried once more: BMCs close idle ones without a word. */
  async get(path: string, options: CallOptions = {}): Promise<Outcome<Resource>> {
    const request = this.#request({ method: "GET", path, ...this.#patience(path), ...options });
    const first = await this.#sender.send(request);
    const answer = !first.ok && first.failure.code === "ConnectionLost" ? await this.#sender.send(request) : first;
    return answer.ok ? resourceOf(path, answer.value) : answer;
  }

  /** Reads the service root and learns what the BMC offers for reading. */
  async root(options: CallOptions = {}): Promise<Outcome<Resource>> {
    const answer = await this.#sender.root?.(options);
    const root = answer === undefined ? await this.get(SERVICE_ROOT, options) : fromAnswer(SERVICE_ROOT, answer);
    if (!root.ok) return root;
    const offered = readRecord(root.value.body, "ProtocolFeaturesSupported");
    this.#expandLevels = expandSupport(readRecord(offered, "ExpandQuery"));
    this.#selects = offered?.SelectQuery === true;
    return root;
  }

  /** A resource of which only these properties are needed; where `$select` is offered, only they are sent. */
  async getOnly(path: string, properties: readonly string[], options: CallOptions = {}): Promise<Outcome<Resource>> {
    if (!this.#selects) return this.get(path, options);
    const selected = await this.get(withQuery(path, `$select=${properties.join(",")}`), options);
    if (selected.ok) return success({ ...selected.value, path });
    if (!queryRefusals.includes(selected.failure.code)) return selected;
    this.#selects = false;
    return this.get(path, options);
  }

  /** One resource with what hangs below it, as deep as the BMC offers and at most `levels`. */
  async getExpanded(path: string, levels: number, options: CallOptions = {}): Promise<Outcome<Resource>> {
    const query = this.#expandQuery(levels);
    if (query === undefined) return this.get(path, options);
    const expanded = await this.get(withQuery(path, query), options);
    if (expanded.ok) return success({ ...expanded.value, path });
    return this.#retryPlain(expanded.failure.code) ? this.get(path, options) : expanded;
  }

  /** What a collection lists, in its order: whole members where they came expanded, else their paths. */
  async listing(path: string, options: CallOptions = {}, levels = 1): Promise<Outcome<readonly (Resource | string)[]>> {
    const query = this.#expandQuery(levels);
    let pages = await this.#pages(query === undefined ? path : withQuery(path, query), options);
    if (!pages.ok && query !== undefined && this.#retryPlain(pages.failure.code))
      pages = await this.#pages(path, options);
    if (!pages.ok) return pages;
    const entries = pages.value.flatMap(({ body }) => readArray(body, "Members").filter(isRecord));
    return success(entries.map(listed).filter((entry) => entry !== undefined));
  }

  /** All members of a collection, in its order; in one request where `$expand` is offered, else one each. */
  async members(path: string, options: CallOptions = {}): Promise<Outcome<readonly Resource[]>> {
    const entries = await this.listing(path, options);
    if (!entries.ok) return entries;
    const members: Resource[] = [];
    for (const entry of entries.value) {
      const member = typeof entry === "string" ? await this.get(entry, options) : success(entry);
      if (!member.ok) return member;
      members.push(member.value);
    }
    return success(members);
  }

  #expandQuery(levels: number): string | undefined {
    const offered = Math.min(levels, this.expandLevels);
    if (offered < 1) return undefined;
    return this.#expandLevels === undefined ? "$expand=." : `$expand=.($levels=${offered})`;
  }

  /** Whether to ask again without `$expand`; remembered, so that it is not tried in vain a second time. */
  #retryPlain(code: string): boolean {
    if (!queryRefusals.includes(code)) return false;
    this.#expandLevels = 0;
    return true;
  }

  async #pages(path: string, options: CallOptions): Promise<Outcome<readonly Resource[]>> {
    const pages: Resource[] = [];
    for (let next: string | undefined = path; next !== undefined && pages.length < MAX_PAGES; ) {
      const page: Outcome<Resource> = await this.get(next, options);
      if (!page.ok) return page;
      pages.push(page.value);
      const link = readString(page.value.body, "Members@odata.nextLink");
      next = link === undefined ? undefined : pathOf(link);
    }
    return success(pages);
  }

  /** Changes a resource, guarded by its ETag if it has one. A 412 is answered once with a fresh ETag, then without. */
  async patch(
    resource: Pick<Resource, "path" | "etag">,
    body: unknown,
    options: CallOptions = {},
  ): Promise<Outcome<Accepted>> {
    const send = (etag: string | undefined): Promise<Outcome<Answer>> =>
      this.#send({ method: "PATCH", path: resource.path, body, headers: this.#ifMatch(etag), ...options });
    if (resource.etag === undefined) return accepted(await send(undefined));
    const first = await send(resource.etag);
    if (first.ok || first.failure.code !== "PreconditionFailed") return accepted(first);
    const fresh = await this.get(resource.path, options);
    if (!fresh.ok) return fresh;
    const second = await send(fresh.value.etag);
    if (second.ok || second.failure.code !== "PreconditionFailed") return accepted(second);
    return accepted(await send(undefined));
  }

  /** Invokes an action or adds to a collection. No If-Match: iDRAC and others answer it with 412. */
  async post(path: string, body: unknown, options: PostOptions = {}): Promise<Outcome<Accepted>> {
    return accepted(await this.#send({ method: "POST", path, body, ...options }));
  }

  /** Opens an answer without an end; closing it is the caller's. */
  async stream(path: string, accept: string, options: CallOptions = {}): Promise<Outcome<OpenStream>> {
    const opened = await this.#sender.stream?.({ method: "GET", path, headers: { accept }, ...options });
    return opened ?? failure("NotSupported", `GET ${path}: streams are not available here`);
  }

  async delete(path: string, options: CallOptions = {}): Promise<Outcome<Accepted>> {
    return accepted(await this.#send({ method: "DELETE", path, ...options }));
  }

  #send(request: RedfishRequest): Promise<Outcome<Answer>> {
    return this.#sender.send(this.#request(request));
  }

  #request(request: RedfishRequest): RedfishRequest {
    return this.quirks.closeConnections ? { ...request, closeConnection: true } : request;
  }

  #patience(path: string): { timeoutMs?: number } {
    const slow = this.quirks.slowReads?.find((read) => read.path.test(path));
    return slow === undefined ? {} : { timeoutMs: slow.timeoutMs };
  }

  #ifMatch(etag: string | undefined): Record<string, string> {
    if (etag === undefined) return {};
    return { "if-match": this.quirks.strongIfMatch ? etag.replace(/^W\//, "") : etag };
  }
}

function resourceOf(path: string, { body, headers }: Answer): Outcome<Resource> {
  if (!isRecord(body)) return failure("BrokenAnswer", `GET ${path}: the answer is not a JSON object`);
  return success({ path, body, etag: headers.etag ?? readString(body, "@odata.etag") });
}

function fromAnswer(path: string, answer: Outcome<Answer>): Outcome<Resource> {
  return answer.ok ? resourceOf(path, answer.value) : answer;
}

/** A member that came with more than its address is the member itself. */
function listed(entry: Json): Resource | string | undefined {
  const id = readString(entry, "@odata.id");
  if (Object.keys(entry).length < 2) return id;
  return id === undefined ? undefined : { path: id, body: entry, etag: readString(entry, "@odata.etag") };
}

function withQuery(path: string, query: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

function accepted(outcome: Outcome<Answer>): Outcome<Accepted> {
  if (!outcome.ok) return outcome;
  const { status, headers, body } = outcome.value;
  const said =
    headers.location ?? readString(body, "TaskMonitor") ?? (status === 202 ? readString(body, "@odata.id") : undefined);
  return success({ answer: outcome.value, monitor: status === 202 && said !== undefined ? pathOf(said) : undefined });
}

/** Levels that may be asked for; undefined when one is offered but may not be named. */
function expandSupport(query: Json | undefined): number | undefined {
  if (query?.NoLinks !== true && query?.ExpandAll !== true) return 0;
  return query.Levels === true ? Math.max(1, readNumber(query, "MaxLevels") ?? 1) : undefined;
}
