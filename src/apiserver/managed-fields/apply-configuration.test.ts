import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "#clock";
import { objectMetaModel } from "../builtins/type-models.ts";
import type { Json, JsonObject } from "../json.ts";
import { type Application, ApplyError, applyConfiguration } from "./apply-configuration.ts";
import { modelFromSchema } from "./schema-model.ts";
import { keepUnchangedTimestamps } from "./timestamps.ts";
import { trackUpdate } from "./track-update.ts";
import { WIDGET_VERSION, WidgetMaker, widgetSchema } from "./widgets.ts";

const model = modelFromSchema(widgetSchema, objectMetaModel());
const modelOf = (version: string) => (version === WIDGET_VERSION ? model : undefined);
const base = { apiVersion: WIDGET_VERSION, kind: "Widget", modelOf, now: "2026-01-01T00:00:00Z" };
const widget = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: WIDGET_VERSION,
  kind: "Widget",
  metadata: { name: "w", namespace: "default", ...metadata },
  spec,
});

const apply = (live: JsonObject | undefined, manager: string, spec: JsonObject, options: Partial<Application> = {}) =>
  applyConfiguration({ ...base, live, manager, config: widget(spec), force: false, ...options });

function applied(...args: Parameters<typeof apply>): JsonObject {
  const result = apply(...args);
  if (result.conflicts !== undefined) throw new Error(result.conflicts.message);
  return result.object;
}

const update = (live: JsonObject | undefined, manager: string, updated: JsonObject): JsonObject =>
  trackUpdate({ ...base, live, manager, updated });

const fieldsOf = (object: JsonObject, manager: string): Json | undefined =>
  ((object.metadata as JsonObject).managedFields as JsonObject[]).find((entry) => entry.manager === manager)?.fieldsV1;

describe("applyConfiguration", () => {
  it("owns what it mentions, and nothing of the system's", () => {
    const object = applied(undefined, "m", {
      text: "a",
      labels: { k: "v" },
      setList: ["x"],
      mapList: [{ name: "n", value: "v" }],
    });
    expect(fieldsOf(object, "m")).toEqual({
      "f:spec": {
        "f:labels": { "f:k": {} },
        "f:mapList": { 'k:{"name":"n"}': { ".": {}, "f:name": {}, "f:value": {} } },
        "f:setList": { 'v:"x"': {} },
        "f:text": {},
      },
    });
  });

  it("names every conflict, by manager", () => {
    const first = applied(undefined, "m1", { text: "a", labels: { k: "v" } });
    const second = update(first, "u1", { ...first, spec: { ...(first.spec as JsonObject), count: 1 } });
    expect(apply(second, "m2", { text: "b" }).conflicts).toEqual({
      message: 'Apply failed with 1 conflict: conflict with "m1": .spec.text',
      causes: [{ reason: "FieldManagerConflict", message: 'conflict with "m1"', field: ".spec.text" }],
    });
    expect(apply(second, "m2", { text: "b", labels: { k: "w" }, count: 2 }).conflicts?.message).toBe(
      `Apply failed with 3 conflicts: conflicts with "m1":\n- .spec.text\n- .spec.labels.k\nconflicts with "u1" using ${WIDGET_VERSION}:\n- .spec.count`,
    );
  });

  it("takes over by force, and shares what both want", () => {
    const first = applied(undefined, "m1", { text: "a", count: 1 });
    const forced = applied(first, "m2", { text: "b" }, { force: true });
    expect(forced.spec).toEqual({ text: "b", count: 1 });
    expect(fieldsOf(forced, "m1")).toEqual({ "f:spec": { "f:count": {} } });
    const shared = applied(forced, "m1", { text: "b", count: 1 });
    expect(applied(shared, "m2", {}).spec).toEqual({ text: "b", count: 1 });
  });

  it("removes what it no longer mentions and nobody else owns", () => {
    const first = applied(undefined, "m1", {
      text: "a",
      mapList: [{ name: "x" }, { name: "y", value: "1" }],
      setList: ["p", "q"],
    });
    const second = applied(first, "m2", { mapList: [{ name: "y", value: "1" }] });
    expect(applied(second, "m1", { setList: ["q"] }).spec).toEqual({
      mapList: [{ name: "y", value: "1" }],
      setList: ["q"],
    });
  });

  it("keeps the applier's order and the neighbours of what it does not mention", () => {
    const live = applied(undefined, "m1", { mapList: [{ name: "a" }, { name: "b" }, { name: "c" }] });
    const merged = applied(live, "m2", { mapList: [{ name: "c" }, { name: "d" }, { name: "a" }] });
    expect((merged.spec as { mapList: { name: string }[] }).mapList.map(({ name }) => name)).toEqual([
      "b",
      "c",
      "d",
      "a",
    ]);
  });

  it.each([
    ["the wrong kind", { kind: "Gadget" }, 400, "invalid object type: apply.example.com/v1, Kind=Gadget"],
    ["managedFields", { metadata: { managedFields: [] } }, 400, "metadata.managedFields must be nil"],
    [
      "an unknown field",
      { nope: 1 },
      500,
      "failed to create typed patch object (default/w; apply.example.com/v1, Kind=Widget): .nope: field not declared in schema",
    ],
    [
      "a repeated item",
      { spec: { setList: ["a", "a"] } },
      500,
      'failed to create typed patch object (default/w; apply.example.com/v1, Kind=Widget): .spec.setList: duplicate entries for key [="a"]',
    ],
    [
      "an item without its key",
      { spec: { mapList: [{ value: "v" }] } },
      500,
      `failed to create typed patch object (default/w; apply.example.com/v1, Kind=Widget): .spec.mapList: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    ],
    [
      "a number for text",
      { spec: { count: "x" } },
      500,
      "failed to create typed patch object (default/w; apply.example.com/v1, Kind=Widget): .spec.count: expected numeric (int or float), got string",
    ],
  ])("refuses %s", (_, change, code, message) => {
    const config = { ...widget({}), ...(change as JsonObject) };
    if ("metadata" in change)
      config.metadata = { ...(widget({}).metadata as JsonObject), ...(change.metadata as JsonObject) };
    const attempt = () => apply(undefined, "m", {}, { config });
    expect(attempt).toThrow(ApplyError);
    expect(attempt).toThrow(expect.objectContaining({ code, message }));
  });

  it("gives what has no history to before-first-apply", () => {
    const stored = widget({ text: "a", count: 1 }, { uid: "u" });
    const object = applied(stored, "m", { text: "a" });
    expect(fieldsOf(object, "before-first-apply")).toEqual({ "f:spec": { ".": {}, "f:count": {}, "f:text": {} } });
    expect(apply(stored, "m", { text: "b" }).conflicts?.message).toContain('"before-first-apply" using');
  });

  it("lets kubectl take over from its client-side apply, and keeps the annotation in step", () => {
    const config = widget({ text: "a", count: 1 });
    const annotation = { "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify(config) };
    const live = update(
      undefined,
      "kubectl-client-side-apply",
      widget({ text: "a", count: 1 }, { annotations: annotation }),
    );
    expect(apply(live, "other", { text: "b" }).conflicts).toBeDefined();
    const taken = applied(live, "kubectl", { text: "b", count: 1 });
    expect(taken.spec).toEqual({ text: "b", count: 1 });
    expect(
      JSON.parse(
        ((taken.metadata as JsonObject).annotations as Record<string, string>)[
          "kubectl.kubernetes.io/last-applied-configuration"
        ] as string,
      ).spec,
    ).toEqual({ text: "b", count: 1 });
    const foreign = update(live, "someone", { ...live, spec: { text: "c", count: 1 } });
    expect(apply(foreign, "kubectl", { text: "b", count: 1 }).conflicts?.message).toContain('"someone"');
  });

  it("drops managers of versions that are gone", () => {
    const live = applied(undefined, "m", { text: "a" });
    const entries = (live.metadata as JsonObject).managedFields as JsonObject[];
    const old = {
      ...live,
      metadata: {
        ...(live.metadata as JsonObject),
        managedFields: [{ ...entries[0], manager: "old", apiVersion: "apply.example.com/v0" }],
      },
    } as JsonObject;
    const object = applied(old, "m2", { text: "b" });
    expect(fieldsOf(object, "old")).toBeUndefined();
  });

  it("changes nothing the second time, and answers that", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const maker = new WidgetMaker(seededRandom(seed));
        const live = applied(undefined, "m1", maker.spec(0.4));
        const spec = maker.spec(0.4);
        const once = apply(live, "m2", spec, { force: true });
        const twice = apply(once.object, "m2", spec, { now: "2027-01-01T00:00:00Z" });
        expect(twice).toEqual({ object: once.object, changed: false });
      }),
    );
  });
});

describe("ownership of a map, against a model that keeps owners per key", () => {
  type Command = { who: string; force: boolean; update: boolean; labels: Record<string, string> };

  class Model {
    values: Record<string, string> = {};
    owners: Record<string, Set<string>> = {};

    apply({ who, force, labels }: Command): boolean {
      const contested = Object.keys(labels).filter(
        (key) => this.values[key] !== labels[key] && this.others(key, who) && key in this.values,
      );
      if (contested.length > 0 && !force) return false;
      for (const key of Object.keys(this.values))
        if (!(key in labels) && this.owners[key]?.delete(who) && this.owners[key]?.size === 0) this.drop(key);
      for (const [key, value] of Object.entries(labels)) this.set(key, value, { who, joins: true });
      return true;
    }

    update({ who, labels }: Command): void {
      for (const key of Object.keys(this.values)) if (!(key in labels)) this.drop(key);
      for (const [key, value] of Object.entries(labels))
        this.set(key, value, { who: `${who} by update`, joins: false });
    }

    private others(key: string, who: string): boolean {
      return [...(this.owners[key] ?? [])].some((owner) => owner !== who);
    }

    private set(key: string, value: string, { who, joins }: { who: string; joins: boolean }): void {
      if (this.values[key] !== value) this.owners[key] = new Set([who]);
      else if (joins) this.owners[key]?.add(who);
      this.values[key] = value;
    }

    private drop(key: string): void {
      delete this.values[key];
      delete this.owners[key];
    }
  }

  function ownersIn(object: JsonObject): Record<string, string[]> {
    const owners: Record<string, string[]> = {};
    for (const entry of ((object.metadata as JsonObject).managedFields ?? []) as JsonObject[]) {
      const labels = ((entry.fieldsV1 as JsonObject)["f:spec"] as JsonObject | undefined)?.["f:labels"] ?? {};
      const who = entry.operation === "Apply" ? String(entry.manager) : `${entry.manager} by update`;
      for (const key of Object.keys(labels as object))
        if (key !== ".") owners[key.slice(2)] = [...(owners[key.slice(2)] ?? []), who].sort();
    }
    return owners;
  }

  const command: fc.Arbitrary<Command> = fc.record({
    who: fc.constantFrom("m1", "m2", "m3"),
    force: fc.boolean(),
    update: fc.boolean(),
    labels: fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2"), { minKeys: 1 }),
  });

  it("agrees after any sequence of applies and updates", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        const state = new Model();
        // A bystander keeps the object, so that no list of managers ever becomes empty.
        let live = applied(undefined, "bystander", { text: "x" });
        for (const item of commands) {
          const spec = { text: "x", labels: item.labels };
          if (item.update) {
            state.update(item);
            live = update(live, item.who, { ...live, spec });
          } else {
            const result = apply(live, item.who, { labels: item.labels }, { force: item.force });
            expect(result.conflicts === undefined).toBe(state.apply(item));
            live = result.object ?? live;
          }
          expect((live.spec as JsonObject).labels ?? {}).toEqual(state.values);
          expect(ownersIn(live)).toEqual(
            Object.fromEntries(Object.entries(state.owners).map(([key, set]) => [key, [...set].sort()])),
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("trackUpdate", () => {
  it("does not track an object whose managers were reset", () => {
    const live = update(undefined, "u", widget({ text: "a" }, { uid: "x" }));
    const reset = update(live, "u", widget({ text: "a" }, { uid: "x", managedFields: [{}] }));
    expect((reset.metadata as JsonObject).managedFields).toBeUndefined();
    const later = update(reset, "v", { ...reset, spec: { text: "b" } });
    expect((later.metadata as JsonObject).managedFields).toBeUndefined();
  });

  it("keeps stored managers when a client sends broken ones", () => {
    const live = update(undefined, "u", widget({ text: "a" }, { uid: "x" }));
    const sent = {
      ...live,
      metadata: { ...(live.metadata as JsonObject), managedFields: [{ operation: "Nonsense" }] },
    } as JsonObject;
    expect(update(live, "u", sent)).toEqual(live);
  });

  it("merges the oldest updaters beyond ten", () => {
    let live = widget({});
    for (let i = 0; i < 13; i++) {
      const spec = {
        ...(live.spec as JsonObject),
        labels: { ...((live.spec as JsonObject).labels as JsonObject), [`k${i}`]: "v" },
      };
      live = trackUpdate({
        ...base,
        now: `2026-01-01T00:00:${10 + i}Z`,
        live: i === 0 ? undefined : live,
        manager: `u${i}`,
        updated: { ...live, spec },
      });
    }
    const managers = ((live.metadata as JsonObject).managedFields as JsonObject[]).map(({ manager }) => manager);
    expect(managers).toEqual(["ancient-changes", "u4", "u5", "u6", "u7", "u8", "u9", "u10", "u11", "u12"]);
    expect(fieldsOf(live, "ancient-changes")).toMatchObject({
      "f:spec": { "f:labels": { "f:k0": {}, "f:k1": {}, "f:k2": {}, "f:k3": {} } },
    });
  });

  it("records the subresource and ignores what the endpoint resets", async () => {
    const { customResetFields } = await import("../builtins/reset-fields.ts");
    const live = update(undefined, "u", widget({ text: "a" }, { uid: "x" }));
    const object = trackUpdate({
      ...base,
      live,
      manager: "ctl",
      subresource: "status",
      updated: { ...live, spec: { text: "ignored" }, status: { phase: "p" } },
      resetFields: customResetFields(true, "status"),
    });
    expect(fieldsOf(object, "ctl")).toEqual({ "f:status": { ".": {}, "f:phase": {} } });
    expect(fieldsOf(object, "u")).toEqual(fieldsOf(live, "u"));
  });

  it("lets timestamps stand when nothing else changed", () => {
    const live = update(undefined, "u", widget({ text: "a" }, { uid: "x" }));
    const entries = (live.metadata as JsonObject).managedFields as JsonObject[];
    const touched = {
      ...live,
      metadata: {
        ...(live.metadata as JsonObject),
        managedFields: entries.map((entry) => ({ ...entry, time: "2030-01-01T00:00:00Z" })),
      },
    };
    expect(keepUnchangedTimestamps(touched, live)).toEqual(live);
    const changed = { ...touched, spec: { text: "b" } };
    expect(keepUnchangedTimestamps(changed, live)).toBe(changed);
  });
});
