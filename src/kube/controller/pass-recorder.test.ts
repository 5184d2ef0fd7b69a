import { mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redacted, Secret } from "#kinds";
import type { Decision } from "./decision.ts";
import { type PassRecord, PassRecorder } from "./pass-recorder.ts";
import { fromRecorded, toRecorded } from "./record-format.ts";
import { parsePassRecord, replay } from "./replay.ts";

interface Facts {
  readonly now: Date;
  readonly temperature: number;
}

const decide = ({ now, temperature }: Facts): Decision => ({
  writes: [],
  hardware: [],
  conditions: [{ type: "Cool", status: temperature < 50 ? "True" : "False", reason: "Measured", message: "" }],
  wakeAt: new Date(now.getTime() + 60_000),
  reason: `it is ${temperature} degrees`,
});
const facts: Facts = { now: new Date("2026-01-01T00:00:00.123Z"), temperature: 42 };
const pass = (over: Partial<PassRecord> = {}): PassRecord => ({
  controller: "cooler",
  key: { name: "rack" },
  reconcileId: "1",
  at: facts.now,
  facts,
  decision: decide(facts),
  ...over,
});

describe("pass recorder", () => {
  it("keeps the newest passes, bounded in number and in size", () => {
    const few = new PassRecorder({ maxPasses: 3 });
    for (let i = 0; i < 5_000; i++) few.record(pass({ reconcileId: `${i}` }));
    expect(few.lines().map((line) => parsePassRecord(line).reconcileId)).toEqual(["4997", "4998", "4999"]);
    const small = new PassRecorder({ maxChars: 1_000 });
    for (let i = 0; i < 50; i++) small.record(pass());
    expect(small.lines().join("").length).toBeLessThanOrEqual(1_000);
    expect(small.size).toBeGreaterThan(0);
  });

  it("records what the facts were, not what became of them", () => {
    const recorder = new PassRecorder();
    const mutable = { now: facts.now, temperature: 42 };
    recorder.record(pass({ facts: mutable }));
    mutable.temperature = 99;
    expect(parsePassRecord<Facts>(recorder.lines()[0] ?? "").facts.temperature).toBe(42);
  });

  it("writes JSON lines that only their owner can read, and replays them", async () => {
    const recorder = new PassRecorder();
    recorder.record(pass());
    recorder.record(pass({ controller: "other" }));
    const file = join(await mkdtemp(join(tmpdir(), "passes-")), "passes.jsonl");
    await recorder.save(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    expect(lines).toHaveLength(2);
    expect(replay(parsePassRecord<Facts, never>(lines[0] ?? ""), decide)).toMatchObject({
      same: true,
      differences: [],
    });
    expect(recorder.lines("other")).toHaveLength(1);
  });

  it("replay names what differs when decide has changed", () => {
    const recorder = new PassRecorder();
    recorder.record(pass());
    const record = parsePassRecord<Facts, never>(recorder.lines()[0] ?? "");
    const warmer = (f: Facts): Decision => decide({ ...f, temperature: f.temperature + 10 });
    expect(replay(record, warmer).differences).toEqual(["conditions[0].status", "reason"]);
  });

  it("never fails a pass: what cannot be written down is reported", () => {
    const errors: unknown[] = [];
    const recorder = new PassRecorder({ onError: (error) => errors.push(error) });
    const bad = {
      get now(): Date {
        throw new Error("no clock");
      },
    };
    recorder.record(pass({ facts: bad }));
    expect(recorder.size).toBe(0);
    expect(errors).toHaveLength(1);
  });

  it.each([
    ["not JSON", "{", /not a recorded pass/],
    ["no pass", '{"a":1}', /no controller, no key, no at, no facts, no decision/],
  ])("refuses a line that is %s", (_, line, message) => {
    expect(() => parsePassRecord(line)).toThrow(message);
  });
});

const PASSWORD = "hunter2-Zm9v";
const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    name: "s",
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": `{"data":{"p":"${PASSWORD}"}}`, kept: "yes" },
  },
  data: { password: PASSWORD },
  stringData: { password: PASSWORD },
};

describe("redaction", () => {
  const draft = { metadata: { name: "s" }, stringData: { password: PASSWORD } };
  it.each<[string, unknown]>([
    ["a Secret among the facts", { deep: [{ secret }] }],
    ["a secret kind of ours", { ...secret, kind: "BMCSecret" }],
    ["a list of Secrets", { kind: "SecretList", items: [{ data: { password: PASSWORD } }] }],
    ["a Secret in a map", new Map([["s", secret]])],
    ["a created Secret without kind", { verb: "create", kind: Secret, object: draft }],
    ["a changed Secret", { verb: "change", kind: Secret, before: secret, after: secret }],
    ["a patched Secret", { verb: "patch", kind: Secret, patch: { type: "merge", body: { data: { p: PASSWORD } } } }],
    ["an applied Secret", { verb: "apply", kind: Secret, object: secret }],
    ["a value that prints itself redacted", { credentials: { password: redacted(PASSWORD) } }],
    ["bytes", { key: Buffer.from(PASSWORD) }],
  ])("%s never enters the ring", (_, inFacts) => {
    const recorder = new PassRecorder();
    recorder.record(pass({ facts: inFacts }));
    expect(recorder.size).toBe(1);
    expect(recorder.lines().join("")).not.toContain(PASSWORD);
    expect(recorder.lines().join("")).not.toContain(Buffer.from(PASSWORD).toString("base64"));
  });

  it("drops the content, and keeps what a reader needs", () => {
    expect(toRecorded(secret)).toMatchObject({ kind: "Secret", metadata: { name: "s", annotations: { kept: "yes" } } });
    const config = { apiVersion: "v1", kind: "ConfigMap", metadata: {}, data: { a: "b" } };
    expect(toRecorded(config)).toEqual(config);
  });

  it("asks the caller's own redaction about every value", () => {
    const hide = (value: unknown, field: string): unknown => (field === "token" ? "[redacted]" : value);
    expect(toRecorded({ a: { token: PASSWORD } }, hide)).toEqual({ a: { token: "[redacted]" } });
  });
});

describe("record format", () => {
  it("brings dates, maps, sets and odd numbers back as themselves, through JSON text", () => {
    const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.date(), fc.bigInt());
    const fields = (inner: fc.Arbitrary<unknown>) => fc.dictionary(fc.oneof(fc.string(), fc.constant("$date")), inner);
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("tree")),
        fields(tie("tree")).filter((f) => !("kind" in f) && !("toJSON" in f) && !("__proto__" in f)),
        fc.array(fc.tuple(fc.string(), tie("tree"))).map((entries) => new Map(entries)),
        fc.array(leaf).map((items) => new Set(items)),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(fromRecorded(JSON.parse(JSON.stringify(toRecorded(value))))).toEqual(value);
      }),
    );
  });

  it("leaves functions out and ends what has no end", () => {
    const endless: Record<string, unknown> = { run: () => 1 };
    endless.self = endless;
    expect(JSON.stringify(toRecorded(endless))).toMatch(/too deep/);
  });
});
