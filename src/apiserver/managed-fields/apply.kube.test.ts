/** The same sequences of writes by several managers, decided here and by the real API server. */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { seededRandom } from "#clock";
import { decodeObjectMeta } from "../builtins/go-decode.ts";
import { customResetFields } from "../builtins/reset-fields.ts";
import { objectMetaModel } from "../builtins/type-models.ts";
import { cloneJson, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { applyMergePatch } from "../patch/merge-patch.ts";
import { comparable, conflictBody, conflictOf } from "../testing/comparable.ts";
import { type RealAnswer, RealApi } from "../testing/real-api.ts";
import { applyConfiguration } from "./apply-configuration.ts";
import type { ConflictReport } from "./conflict.ts";
import { modelFromSchema } from "./schema-model.ts";
import { trackUpdate } from "./track-update.ts";
import { WIDGET_VERSION, WidgetMaker, widgetDefinition, widgetSchema } from "./widgets.ts";

const model = modelFromSchema(widgetSchema, objectMetaModel());
const modelOf = (version: string) => (version === WIDGET_VERSION ? model : undefined);
const BASE = "/apis/apply.example.com/v1/namespaces/default/widgets";
const NOW = "2026-01-01T00:00:00Z";

let api: RealApi;

beforeAll(async () => {
  api = new RealApi();
  await api.send({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    contentType: "application/json",
    body: widgetDefinition,
  });
  // Server-side apply learns a new schema a moment after the kind is served.
  const probe = applyRequest({ name: "probe", manager: "probe", force: true }, { spec: { setList: ["a"] } });
  await vi.waitFor(async () => expect((await api.send(probe)).code).toBeLessThan(300), {
    timeout: 30_000,
    interval: 200,
  });
});

afterAll(async () => {
  await api.close();
});

interface Target {
  readonly name: string;
  readonly manager: string;
  readonly force: boolean;
  readonly subresource?: string;
}

function applyRequest({ name, manager, force, subresource }: Target, config: JsonObject) {
  const suffix = subresource === undefined ? "" : `/${subresource}`;
  return {
    method: "PATCH" as const,
    path: `${BASE}/${name}${suffix}?fieldManager=${manager}&force=${force}`,
    contentType: "application/apply-patch+yaml",
    body: configOf(name, config),
  };
}

function configOf(name: string, config: JsonObject): JsonObject {
  const metadata = isJsonObject(config.metadata) ? config.metadata : {};
  return {
    ...config,
    apiVersion: WIDGET_VERSION,
    kind: "Widget",
    metadata: { ...metadata, name, namespace: "default" },
  };
}

/** What decoding and the schema's defaults add, which is not this module's business. */
function defaulted(object: JsonObject): JsonObject {
  const copy = { ...cloneJson(object), metadata: decodeObjectMeta(object.metadata as JsonObject).value };
  const spec = (copy as JsonObject).spec;
  if (isJsonObject(spec) && Array.isArray(spec.portList)) {
    for (const item of spec.portList) if (isJsonObject(item)) item.port ??= 80;
  }
  return copy;
}

/** Upstream leaves null where an applier took the last key of a free map, and refuses it where it may not be null. */
function hasStrayNull(object: JsonObject): boolean {
  const { maybe: _, ...spec } = (object.spec ?? {}) as JsonObject;
  return JSON.stringify(spec).includes("null");
}

class Sequence {
  live: JsonObject | undefined;
  readonly log: string[] = [];
  private readonly maker: WidgetMaker;
  private readonly name: string;

  constructor(seed: number) {
    this.maker = new WidgetMaker(seededRandom(seed));
    this.name = `seq-${process.pid}-${seed}`;
  }

  async step(): Promise<void> {
    const kind =
      this.live === undefined
        ? this.maker.pick(["apply", "create"])
        : this.maker.pick(["apply", "apply", "apply", "update", "merge", "status", "applyStatus"]);
    await this[kind as "apply"]();
  }

  private check(expected: JsonObject, answer: RealAnswer, what: unknown): void {
    this.log.push(JSON.stringify(what));
    expect({ code: answer.code, log: this.log, object: comparable(answer.body) }).toEqual({
      code: answer.code < 300 ? answer.code : 200,
      log: this.log,
      object: comparable(expected),
    });
    this.live = answer.body;
  }

  async apply(): Promise<void> {
    const config = { metadata: this.maker.metadata(), spec: this.maker.spec(0.3) };
    await this.applyAs(
      { name: this.name, manager: this.maker.pick(["m1", "m2", "m3"]), force: this.maker.chance(0.3) },
      config,
    );
  }

  async applyStatus(): Promise<void> {
    const target = {
      name: this.name,
      manager: this.maker.pick(["s1", "s2"]),
      force: this.maker.chance(0.3),
      subresource: "status",
    };
    await this.applyAs(target, { status: this.maker.status() });
  }

  private async applyAs(target: Target, config: JsonObject): Promise<void> {
    const result = applyConfiguration({
      ...target,
      live: this.live,
      empty: { apiVersion: WIDGET_VERSION, kind: "Widget" },
      config: configOf(target.name, config),
      kind: "Widget",
      apiVersion: WIDGET_VERSION,
      now: NOW,
      modelOf,
      resetFields: customResetFields(true, target.subresource ?? ""),
    });
    const answer = await api.send(applyRequest(target, config));
    if (result.conflicts !== undefined) this.refused(answer, result.conflicts, [target, config]);
    else if (answer.code === 422) expect(hasStrayNull(result.object)).toBe(true);
    else this.check(defaulted(result.object), answer, [target, config]);
  }

  private refused(answer: RealAnswer, conflicts: ConflictReport, what: unknown): void {
    this.log.push(JSON.stringify(what));
    expect({ log: this.log, ...conflictOf(answer) }).toEqual({ log: this.log, ...conflictBody(conflicts) });
  }

  async create(): Promise<void> {
    const body = configOf(this.name, { metadata: this.maker.metadata(), spec: this.maker.spec(0.4) });
    const answer = await api.send({
      method: "POST",
      path: `${BASE}?fieldManager=creator`,
      contentType: "application/json",
      body,
    });
    const updated = defaulted(body);
    this.check(this.track(updated, { manager: "creator" }), answer, ["create", body]);
  }

  private track(updated: JsonObject, { manager, subresource }: { manager: string; subresource?: string }): JsonObject {
    return trackUpdate({
      live: this.live,
      empty: { apiVersion: WIDGET_VERSION, kind: "Widget" },
      updated,
      manager,
      apiVersion: WIDGET_VERSION,
      ...(subresource === undefined ? {} : { subresource }),
      now: NOW,
      modelOf,
      resetFields: customResetFields(true, subresource ?? ""),
    });
  }

  async update(): Promise<void> {
    const live = this.live as JsonObject;
    const spec = { ...(live.spec as JsonObject | undefined), ...this.maker.spec(0.2) };
    for (const key of Object.keys(spec)) if (this.maker.chance(0.1)) delete spec[key];
    const manager = this.maker.pick(["u1", "u2", "m1"]);
    const updated = { ...live, spec };
    const answer = await api.send({
      method: "PUT",
      path: `${BASE}/${this.name}?fieldManager=${manager}`,
      contentType: "application/json",
      body: updated,
    });
    this.check(this.track(defaulted(updated), { manager }), answer, ["update", manager, spec]);
  }

  async merge(): Promise<void> {
    const patch = { spec: this.maker.spec(0.2) };
    const manager = this.maker.pick(["u1", "u3"]);
    const answer = await api.send({
      method: "PATCH",
      path: `${BASE}/${this.name}?fieldManager=${manager}`,
      contentType: "application/merge-patch+json",
      body: patch,
    });
    const updated = applyMergePatch(this.live as JsonObject, patch);
    this.check(this.track(defaulted(updated), { manager }), answer, ["merge", manager, patch]);
  }

  async status(): Promise<void> {
    const updated = { ...(this.live as JsonObject), status: this.maker.status() as Json };
    const answer = await api.send({
      method: "PUT",
      path: `${BASE}/${this.name}/status?fieldManager=ctl`,
      contentType: "application/json",
      body: updated,
    });
    this.check(this.track(updated, { manager: "ctl", subresource: "status" }), answer, ["status", updated.status]);
  }
}

describe("server-side apply and ownership", () => {
  it.each(Array.from({ length: 30 }, (_, i) => i + 1))(
    "sequence %i ends where the real API server does",
    async (seed) => {
      const sequence = new Sequence(seed);
      for (let i = 0; i < 12; i++) await sequence.step();
    },
  );
});
