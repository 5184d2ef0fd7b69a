import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "#clock";
import { success } from "../protocol/outcome.ts";
import { RedfishService } from "../protocol/service.ts";
import { openEventStream, serverSentData } from "./event-stream.ts";
import { eventsOf } from "./events.ts";

async function dataIn(text: string, cuts: readonly number[] = []): Promise<string[]> {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 1; at < places.length; at++) yield bytes.subarray(places[at - 1], places[at]);
  }
  const found: string[] = [];
  for await (const data of serverSentData(chunks())) found.push(data);
  return found;
}

describe("server-sent data", () => {
  it.each([
    ["one event", 'id: 1\ndata: {"a":1}\n\n', ['{"a":1}']],
    ["several lines of data", "data: a\ndata: b\n\n", ["a\nb"]],
    ["comments and other fields", ": keep alive\n\nretry: 5\n\ndata:x\n\n", ["x"]],
    ["an event that is not complete", "data: a\n\ndata: b\n", ["a"]],
    ["line ends of the other kind", "data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  ])("%s", async (_, text, expected) => expect(await dataIn(text)).toEqual(expected));

  it("does not depend on where the network cuts it", async () => {
    const text = ': hello\r\n\r\nid: 1\r\ndata: {"Name":"Lüfter"}\r\n\r\ndata: two\r\ndata: lines\r\n\r\n';
    const whole = await dataIn(text);
    expect(whole).toEqual(['{"Name":"Lüfter"}', "two\nlines"]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
        expect(await dataIn(text, cuts)).toEqual(whole);
      }),
    );
  });
});

describe("events", () => {
  it.each([
    ["a link as origin", { Events: [{ OriginOfCondition: { "@odata.id": "/s/1" } }] }, "/s/1"],
    ["text as origin", { Events: [{ OriginOfCondition: "/s/1" }] }, "/s/1"],
    ["alerts", { Alerts: [{ OriginOfCondition: "/s/1" }] }, "/s/1"],
  ])("%s", (_, body, origin) => expect(eventsOf(body)).toMatchObject([{ origin }]));

  it("severity is the newer word, else the older one", () => {
    const [both, old] = eventsOf({
      Events: [{ MessageSeverity: "Critical", Severity: "OK" }, { Severity: "Warning" }],
    });
    expect([both?.severity, old?.severity]).toEqual(["Critical", "Warning"]);
  });

  it("of any shape do not throw", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (body, Events) => {
        eventsOf(body);
        expect(eventsOf({ Events }).length).toBeLessThanOrEqual(Events.length);
      }),
    );
  });
});

describe("a stream", () => {
  /** A BMC whose stream says what the test pushes, and ends when it is closed. */
  function streaming() {
    const clock = new VirtualClock();
    const waiting: (() => void)[] = [];
    const said: Uint8Array[] = [];
    const state = { closed: false };
    const wake = (): void => {
      for (const resume of waiting.splice(0)) resume();
    };
    async function* chunks(): AsyncGenerator<Uint8Array> {
      while (!state.closed) {
        const next = said.shift();
        if (next) yield next;
        else await new Promise<void>((resolve) => waiting.push(resolve));
      }
      throw new Error("other side closed");
    }
    const close = async (): Promise<void> => {
      state.closed = true;
      wake();
    };
    const body = { ServerSentEventUri: "https://bmc.local/sse" };
    const send = async () => success({ status: 200, headers: {}, body });
    const service = new RedfishService({ send, stream: async () => success({ chunks: chunks(), close }) }, clock);
    const say = (text: string): void => {
      said.push(Buffer.from(text));
      wake();
    };
    return { clock, service, state, say };
  }

  it("that falls silent is closed and ends, and one that speaks is not", async () => {
    const { clock, service, state, say } = streaming();
    const opened = await openEventStream(service, "/e", { silenceMs: 60_000 });
    if (!opened.ok) throw new Error(opened.failure.message);
    const events = opened.value.events[Symbol.asyncIterator]();
    const first = events.next();
    await clock.advance(50_000);
    say('data: {"Events":[{"MessageId":"A"}]}\n\n');
    expect(await first).toMatchObject({ value: { messageId: "A" } });
    const second = events.next();
    await clock.advance(50_000);
    say(": keep alive\n\n");
    await clock.advance(50_000);
    expect(state.closed).toBe(false);
    await clock.advance(20_000);
    expect(await second).toMatchObject({ done: true });
    expect(state.closed).toBe(true);
  });

  it("is closed when nobody listens any more", async () => {
    const { service, state, say } = streaming();
    const opened = await openEventStream(service, "/e");
    say('data: {"Events":[{"MessageId":"A"}]}\n\n');
    if (opened.ok) for await (const { messageId } of opened.value.events) if (messageId === "A") break;
    expect(state.closed).toBe(true);
  });
});
