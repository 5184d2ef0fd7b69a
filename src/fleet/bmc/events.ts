/** Event subscriptions of one BMC: who wants to know, delivery with retries, and open event streams. */
import type { ServerResponse } from "node:http";
import type { JsonObject } from "../json.ts";
import type { World } from "../world.ts";
import type { LogRecord, Severity } from "./log.ts";

export interface Announcement {
  readonly messageId: string;
  readonly message: string;
  readonly severity: Severity;
  readonly args?: readonly string[];
  readonly origin?: string;
}

export interface Subscription {
  readonly id: string;
  readonly destination: string;
  readonly context: string | undefined;
  readonly format: string;
  readonly protocol: string;
  readonly retryPolicy: string;
  readonly headers: Readonly<Record<string, string>>;
}

const DELIVERY_ATTEMPTS = 3;
const DELIVERY_RETRY_MS = 1_000;
const WAITING_EVENTS = 1_000;

export class Subscriptions {
  readonly #world: World;
  readonly #byId = new Map<string, Subscription>();
  readonly #streams = new Set<ServerResponse>();
  readonly #ending = new AbortController();
  readonly #waiting: (() => Promise<void>)[] = [];
  #worker: Promise<void> | undefined;
  #made = 0;
  #sent = 0;

  constructor(world: World) {
    this.#world = world;
  }

  list(): readonly Subscription[] {
    return [...this.#byId.values()];
  }

  get(id: string): Subscription | undefined {
    return this.#byId.get(id);
  }

  add(subscription: Omit<Subscription, "id">): Subscription {
    const made = { id: String(++this.#made), ...subscription };
    this.#byId.set(made.id, made);
    return made;
  }

  remove(id: string): boolean {
    return this.#byId.delete(id);
  }

  /** Keeps an answer open as a stream of server-sent events. */
  stream(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
    response.write(": the stream is open\n\n");
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }

  endStreams(): void {
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  /** Sends a record to everyone who subscribed; a subscriber that does not answer is dropped after its retries. */
  deliver(record: LogRecord, originAsText: boolean): void {
    if (this.#byId.size === 0 && this.#streams.size === 0) return;
    const id = ++this.#sent;
    for (const stream of this.#streams)
      stream.write(`id: ${id}\ndata: ${JSON.stringify(eventBody(record, id, { originAsText }))}\n\n`);
    for (const subscription of this.#byId.values()) {
      if (subscription.format !== "Event" || this.#waiting.length >= WAITING_EVENTS) continue;
      const context = subscription.context;
      const text = JSON.stringify(
        eventBody(record, id, { originAsText, ...(context === undefined ? {} : { context }) }),
      );
      this.#waiting.push(() => this.#post(subscription, text));
    }
    this.#worker ??= this.#work();
  }

  /** Posts any body to every subscriber of a format, such as a metric report. */
  publish(format: string, body: JsonObject): void {
    for (const subscription of this.#byId.values())
      if (subscription.format === format) this.#waiting.push(() => this.#post(subscription, JSON.stringify(body)));
    this.#worker ??= this.#work();
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error("the fleet stopped"));
    this.endStreams();
    this.#waiting.length = 0;
    await this.#worker;
  }

  async #work(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await next();
    this.#worker = undefined;
  }

  async #post(subscription: Subscription, body: string): Promise<void> {
    const { signal } = this.#ending;
    for (let attempt = 1; attempt <= DELIVERY_ATTEMPTS && this.#byId.has(subscription.id); attempt++) {
      try {
        const headers = { "content-type": "application/json", ...subscription.headers };
        const { status } = await this.#world.outbound.request(subscription.destination, {
          method: "POST",
          body,
          headers,
          signal,
        });
        if (status < 300) return;
      } catch {
        if (signal.aborted) return;
      }
      if (attempt < DELIVERY_ATTEMPTS) await this.#world.clock.sleep(DELIVERY_RETRY_MS, signal).catch(() => undefined);
    }
    if (subscription.retryPolicy === "TerminateAfterRetries") this.#byId.delete(subscription.id);
  }
}

function eventBody(
  record: LogRecord,
  id: number,
  { originAsText, context }: { readonly originAsText: boolean; readonly context?: string },
): JsonObject {
  return {
    "@odata.type": "#Event.v1_7_0.Event",
    Id: String(id),
    Name: "Event Array",
    Context: context,
    Events: [
      {
        MemberId: "0",
        EventType: "Alert",
        EventId: String(id),
        EventTimestamp: record.created.toISOString(),
        Severity: record.severity,
        MessageSeverity: record.severity,
        Message: record.message,
        MessageId: record.messageId,
        MessageArgs: [...record.args],
        OriginOfCondition: originAsText ? record.origin : { "@odata.id": record.origin },
      },
    ],
  };
}
