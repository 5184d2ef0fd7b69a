/**
 * The verbs of Redfish on one BMC: read a resource or a collection, change it with its ETag, invoke an action, follow a
 * task. What vendors do differently here comes in as {@link ProtocolQuirks}.
 */
import type { Clock } from "#clock";
import type { Answer, RedfishRequest } from "./connection.ts";
import { failure, type Outcome, success } from "./outcome.ts";
import { isRecord, type Json, readArray, readNumber, readRecord, readString } from "./read.ts";
import { pathOf } from "./session.ts";

/** Sends with credentials: a {@link Session}, or a lane around one. */
export interface Sender {
  send(request: RedfishRequest): Promise<Outcome<Answer>>;
}

export interface ProtocolQuirks {
  /** Never send If-Match on changes: the BMC's ETags change by themselves. */
  readonly ignoreEtags?: boolean;
  /** The BMC advertises `$expand` and answers it wrongly. */
  readonly noExpand?: boolean;
  /** Waits this long after a change before reading it back. */
  readonly settleMs?: number;
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

export interface ExpandSupport {
  readonly levels: boolean;
  readonly links: boolean;
  readonly noLinks: boolean;
}

/** Far more than the largest chassis; a loop in `nextLink` ends here. */
const MAX_PAGES = 64;

export class RedfishService {
  readonly #sender: Sender;
  readonly #quirks: ProtocolQuirks;
  readonly clock: Clock;
  #expand: ExpandSupport | undefined;

  constructor(sender: Sender, clock: Clock, quirks: ProtocolQuirks = {}) {
    this.#sender = sender;
    this.#quirks = quirks;
    this.clock = clock;
  }

  /** The same BMC with other quirks, once its vendor is known. */
  withQuirks(quirks: ProtocolQuirks): RedfishService {
    const service = new RedfishService(this.#sender, this.clock, quirks);
    service.#expand = this.#expand;
    return service;
  }

  async get(path: string, options: CallOptions = {}): Promise<Outcome<Resource>> {
    const answer = await this.#sender.send({ method: "GET", path, ...options });
    if (!answer.ok) return answer;
    const { body, headers } = answer.value;
    if (!isRecord(body)) return failure("BrokenAnswer", `GET ${path}: the answer is not a JSON object`);
    return success({ path, body, etag: headers.etag ?? readString(body, "@odata.etag") });
  }

  /** Reads the service root and learns what the BMC offers for reading. */
  async root(options: CallOptions = {}): Promise<Outcome<Resource>> {
    const root = await this.get("/redfish/v1/", options);
    if (root.ok) this.#expand = expandSupport(root.value.body);
    return root;
  }

  /** All members of a collection, in its order; in one request where `$expand` is offered, else one each. */
  async members(path: string, options: CallOptions = {}): Promise<Outcome<readonly Resource[]>> {
    if (this.#expand?.noLinks && !this.#quirks.noExpand) {
      const expanded = await this.#expandedMembers(path, options);
      if (expanded !== undefined) return expanded;
    }
    const listed = await this.#pages(path, options);
    if (!listed.ok) return listed;
    const members: Resource[] = [];
    for (const id of listed.value.flatMap(({ body }) => memberIds(body))) {
      const member = await this.get(id, options);
      if (!member.ok) return member;
      members.push(member.value);
    }
    return success(members);
  }

  /** Undefined when the BMC did not expand after all, so that the members must be read one by one. */
  async #expandedMembers(path: string, options: CallOptions): Promise<Outcome<readonly Resource[]> | undefined> {
    const query = `$expand=.${this.#expand?.levels ? "($levels=1)" : ""}`;
    const pages = await this.#pages(`${path}${path.includes("?") ? "&" : "?"}${query}`, options);
    if (!pages.ok) return ["Refused", "NotSupported", "BrokenAnswer"].includes(pages.failure.code) ? undefined : pages;
    const entries = pages.value.flatMap(({ body }) => readArray(body, "Members").filter(isRecord));
    if (entries.some((entry) => Object.keys(entry).length < 2)) return undefined;
    return success(
      entries.map((body) => ({
        path: readString(body, "@odata.id") ?? path,
        body,
        etag: readString(body, "@odata.etag"),
      })),
    );
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
      this.#sender.send({ method: "PATCH", path: resource.path, body, headers: ifMatch(etag), ...options });
    if (this.#quirks.ignoreEtags || resource.etag === undefined) return accepted(await send(undefined));
    const first = await send(resource.etag);
    if (first.ok || first.failure.code !== "PreconditionFailed") return accepted(first);
    const fresh = await this.get(resource.path, options);
    if (!fresh.ok) return fresh;
    const second = await send(fresh.value.etag);
    if (second.ok || second.failure.code !== "PreconditionFailed") return accepted(second);
    return accepted(await send(undefined));
  }

  /** Invokes an action or adds to a collection. No If-Match: iDRAC and others answer it with 412. */
  async post(
    path: string,
    body: unknown,
    options: CallOptions & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Outcome<Accepted>> {
    return accepted(await this.#sender.send({ method: "POST", path, body, ...options }));
  }

  async delete(path: string, options: CallOptions = {}): Promise<Outcome<Accepted>> {
    return accepted(await this.#sender.send({ method: "DELETE", path, ...options }));
  }
}

function ifMatch(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { "if-match": etag };
}

function accepted(outcome: Outcome<Answer>): Outcome<Accepted> {
  if (!outcome.ok) return outcome;
  const { status, headers, body } = outcome.value;
  const said =
    headers.location ?? readString(body, "TaskMonitor") ?? (status === 202 ? readString(body, "@odata.id") : undefined);
  return success({ answer: outcome.value, monitor: status === 202 && said !== undefined ? pathOf(said) : undefined });
}

function memberIds(body: Json): readonly string[] {
  return readArray(body, "Members")
    .map((entry) => readString(entry, "@odata.id"))
    .filter((id): id is string => id !== undefined);
}

function expandSupport(root: Json): ExpandSupport {
  const query = readRecord(readRecord(root, "ProtocolFeaturesSupported"), "ExpandQuery");
  const levels = query?.Levels === true && (readNumber(query, "MaxLevels") ?? 1) >= 1;
  return { levels, links: query?.Links === true, noLinks: query?.NoLinks === true || query?.ExpandAll === true };
}
