import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serverSentData } from "./event-stream.ts";
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
