/** The BMC's own event stream (SSE): events without an inbound connection. Ends with the signal, the socket or silence. */
import type { Clock } from "#clock";
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import { readString } from "../protocol/read.ts";
import type { CallOptions, RedfishService } from "../protocol/service.ts";
import { pathOf } from "../protocol/session.ts";
import { eventsOf, type RedfishEvent } from "./events.ts";

export interface EventStream {
  /** Ends without a word when the stream does; the caller opens another one. */
  readonly events: AsyncIterable<RedfishEvent>;
  close(): Promise<void>;
}

/** A keep-alive comes far more often than this; a stream silent for longer is dead. */
const SILENCE_MS = 5 * 60_000;

/** Opens the stream that the event service names. */
export async function openEventStream(
  service: RedfishService,
  eventService: string | undefined,
  options: CallOptions & { readonly silenceMs?: number } = {},
): Promise<Outcome<EventStream>> {
  if (eventService === undefined) return failure("NotSupported", "the BMC has no event service");
  const { silenceMs = SILENCE_MS, ...call } = options;
  const resource = await service.get(eventService, call);
  if (!resource.ok) return resource;
  const uri = readString(resource.value.body, "ServerSentEventUri");
  if (uri === undefined) return failure("NotSupported", `${eventService} offers no event stream`);
  const opened = await service.stream(pathOf(uri), "text/event-stream", call);
  if (!opened.ok) return opened;
  const { chunks, close } = opened.value;
  const watched = closedOnSilence(chunks, { clock: service.clock, silenceMs, close });
  return success({ events: decoded(watched), close });
}

async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RedfishEvent> {
  for await (const data of serverSentData(chunks)) yield* eventsOf(parsed(data));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Watch {
  readonly clock: Clock;
  readonly silenceMs: number;
  readonly close: () => Promise<void>;
}

/** Passes chunks on; a socket that ends, fails or stays silent ends the sequence. */
async function* closedOnSilence(chunks: AsyncIterable<Uint8Array>, watch: Watch): AsyncGenerator<Uint8Array> {
  const { clock, silenceMs, close } = watch;
  const giveUp = (): void => void close();
  let timer = clock.after(silenceMs, giveUp);
  try {
    for await (const chunk of chunks) {
      timer.cancel();
      yield chunk;
      timer = clock.after(silenceMs, giveUp);
    }
  } catch {
    // The socket's end is the stream's end: whoever reads opens another one and looks at the state meanwhile.
  } finally {
    timer.cancel();
    await close();
  }
}

/** More than this without an empty line is not an event stream. */
const MAX_EVENT_CHARS = 4 * 1024 * 1024;

/** The data of each event of a server-sent stream; comments and other fields are skipped. */
export async function* serverSentData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let waiting = "";
  for await (const chunk of chunks) {
    waiting = (waiting + decoder.decode(chunk, { stream: true })).replace(/\r\n/g, "\n");
    const blocks = waiting.split("\n\n");
    waiting = blocks.pop() ?? "";
    if (waiting.length > MAX_EVENT_CHARS) return;
    for (const block of blocks) {
      const data = dataOf(block);
      if (data !== undefined) yield data;
    }
  }
}

function dataOf(block: string): string | undefined {
  const lines = block.split("\n").filter((line) => line.startsWith("data:"));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
}
