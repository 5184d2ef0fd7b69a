/** A custom resource with every kind of list and map, and random configurations of it. For suites only. */
import type { Random } from "#clock";
import type { Json, JsonObject } from "../json.ts";

const string: JsonObject = { type: "string" };
const strings: JsonObject = { type: "array", items: string };

const namedItem: JsonObject = {
  type: "object",
  required: ["name"],
  properties: {
    name: string,
    value: string,
    nested: { type: "object", properties: { a: string, b: { type: "integer" } } },
    tags: { ...strings, "x-kubernetes-list-type": "set" },
  },
};

const portItem: JsonObject = {
  type: "object",
  required: ["name"],
  properties: { name: string, port: { type: "integer", default: 80 }, text: string },
};

const spec: JsonObject = {
  type: "object",
  properties: {
    text: string,
    count: { type: "integer" },
    flag: { type: "boolean" },
    maybe: { type: "string", nullable: true },
    either: { "x-kubernetes-int-or-string": true },
    plainList: strings,
    atomicList: { ...strings, "x-kubernetes-list-type": "atomic" },
    setList: { ...strings, "x-kubernetes-list-type": "set" },
    mapList: {
      type: "array",
      items: namedItem,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    },
    portList: {
      type: "array",
      items: portItem,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "port"],
    },
    labels: { type: "object", additionalProperties: string },
    atomicMap: { type: "object", additionalProperties: string, "x-kubernetes-map-type": "atomic" },
    atomicStruct: { type: "object", properties: { x: string, y: string }, "x-kubernetes-map-type": "atomic" },
    nested: {
      type: "object",
      properties: {
        a: string,
        deeper: { type: "object", properties: { b: string, c: string } },
        more: { type: "object", additionalProperties: strings },
      },
    },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    partlyFree: { type: "object", properties: { known: string }, "x-kubernetes-preserve-unknown-fields": true },
  },
};

const condition: JsonObject = { type: "object", required: ["type"], properties: { type: string, status: string } };

export const widgetSchema: JsonObject = {
  type: "object",
  properties: {
    spec,
    status: {
      type: "object",
      properties: {
        phase: string,
        conditions: {
          type: "array",
          items: condition,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
        },
      },
    },
  },
};

export const WIDGET_VERSION = "apply.example.com/v1";

export const widgetDefinition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.apply.example.com" },
  spec: {
    group: "apply.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: widgetSchema },
        subresources: { status: {} },
      },
    ],
  },
};

/** Draws small configurations from few words, so that managers meet. */
export class WidgetMaker {
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random.next() * choices.length)] as T;
  }

  private some<T>(choices: readonly T[]): T[] {
    const shuffled = choices.map((choice) => [this.random.next(), choice] as const).sort(([a], [b]) => a - b);
    return shuffled.slice(0, Math.floor(this.random.next() * (choices.length + 1))).map(([, choice]) => choice);
  }

  private word(): string {
    return this.pick(["a", "b", "c"]);
  }

  /** A map from some of the keys to words. */
  words(keys: readonly string[]): JsonObject {
    return Object.fromEntries(this.some(keys).map((key) => [key, this.word()]));
  }

  private readonly fields: Record<string, () => Json> = {
    text: () => this.word(),
    count: () => this.pick([1, 2]),
    flag: () => this.chance(0.5),
    maybe: () => this.pick<Json>([null, "x", "y"]),
    either: () => this.pick<Json>([1, "1", "50%"]),
    plainList: () => this.some(["a", "b"]),
    atomicList: () => this.some(["a", "b"]),
    setList: () => this.some(["a", "b", "c", "d"]),
    mapList: () => this.some(["a", "b", "c"]).map((name) => this.namedItem(name)),
    portList: () =>
      this.some([
        ["a", 80],
        ["a", 81],
        ["b", undefined],
      ] as const).map(([name, port]) => this.portItem(name, port)),
    labels: () => this.words(["k1", "k2", "k3"]),
    atomicMap: () => this.words(["k1", "k2"]),
    atomicStruct: () => this.words(["x", "y"]),
    nested: () => this.nested(),
    free: () => this.free(),
    partlyFree: () => ({
      ...this.words(["known", "unknown"]),
      ...(this.chance(0.3) ? { list: this.some(["p", "q"]) } : {}),
    }),
  };

  private namedItem(name: string): JsonObject {
    const item: JsonObject = { name };
    if (this.chance(0.6)) item.value = this.word();
    if (this.chance(0.3)) item.nested = { a: this.word(), ...(this.chance(0.5) ? { b: this.pick([1, 2]) } : {}) };
    if (this.chance(0.3)) item.tags = this.some(["t1", "t2"]);
    return item;
  }

  private portItem(name: string, port: number | undefined): JsonObject {
    return { name, ...(port === undefined ? {} : { port }), ...(this.chance(0.5) ? { text: this.word() } : {}) };
  }

  private nested(): JsonObject {
    const value: JsonObject = this.words(["a"]);
    if (this.chance(0.5)) value.deeper = this.words(["b", "c"]);
    if (this.chance(0.5)) value.more = { m1: this.some(["s", "t"]), ...(this.chance(0.5) ? { m2: ["u"] } : {}) };
    return value;
  }

  private free(): JsonObject {
    const value: JsonObject = this.words(["f1", "f2"]);
    if (this.chance(0.4))
      value.f3 = this.pick<Json>([{ deep: { x: 1 } }, { deep: { y: "z" } }, {}, [1, 2], [{ a: 1 }], "text"]);
    return value;
  }

  /** A random spec; every field with the given probability. */
  spec(probability: number): JsonObject {
    const value: JsonObject = {};
    for (const [name, make] of Object.entries(this.fields)) if (this.chance(probability)) value[name] = make();
    return value;
  }

  status(): JsonObject {
    const conditions = this.some(["Ready", "Live"]).map((type) => ({ type, status: this.pick(["True", "False"]) }));
    return { phase: this.word(), ...(conditions.length > 0 ? { conditions } : {}) };
  }

  metadata(): JsonObject {
    const metadata: JsonObject = {};
    if (this.chance(0.3)) metadata.labels = this.words(["l1", "l2"]);
    if (this.chance(0.2)) metadata.annotations = this.words(["n1"]);
    if (this.chance(0.2)) metadata.finalizers = this.some(["example.com/f1", "example.com/f2"]);
    return metadata;
  }
}
