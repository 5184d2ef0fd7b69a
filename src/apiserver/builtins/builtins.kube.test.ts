/** Writes to built-in kinds through every kind of patch, decided here and by the real API server. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "#clock";
import type { JsonObject } from "../json.ts";
import { applyConfiguration } from "../managed-fields/apply-configuration.ts";
import { trackUpdate } from "../managed-fields/track-update.ts";
import { WidgetMaker } from "../managed-fields/widgets.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";
import { decodeJsonPatch } from "../patch/json-patch-operations.ts";
import { applyMergePatch } from "../patch/merge-patch.ts";
import { applyStrategicMergePatch } from "../patch/strategic-merge-patch.ts";
import { comparable, conflictBody, conflictOf } from "../testing/comparable.ts";
import { type RealAnswer, RealApi } from "../testing/real-api.ts";
import { structOfKind } from "./builtin-kinds.ts";
import { decodeBuiltin, emptyBuiltin, storedBuiltin } from "./go-decode.ts";
import { builtinResetFields } from "./reset-fields.ts";
import { builtinModel } from "./type-models.ts";

let api: RealApi;
/** A real owner: the garbage collector of the real control plane deletes what has none. */
const owner: JsonObject = { apiVersion: "v1", kind: "Namespace", name: "default", uid: "" };

beforeAll(async () => {
  api = new RealApi();
  const { body } = await api.send({ method: "GET", path: "/api/v1/namespaces/default" });
  owner.uid = (body.metadata as JsonObject).uid as string;
});
afterAll(async () => {
  await api.close();
});

interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly base: string;
  /** What an object is created with, everything the server would default included. */
  readonly start: JsonObject;
  draw(maker: WidgetMaker): JsonObject;
  strategic(maker: WidgetMaker): JsonObject;
}

const port = (number: number, target: string | number, protocol = "TCP"): JsonObject => ({
  name: `p${number}${protocol.toLowerCase()}`,
  port: number,
  protocol,
  targetPort: target,
});

const somePorts = (maker: WidgetMaker): JsonObject[] =>
  [port(80, maker.pick([80, 8080, "http"])), port(81, maker.pick([81, 8081])), port(80, 5353, "UDP")].filter(() =>
    maker.chance(0.6),
  );

const subjects: Subject[] = [
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    base: "/api/v1/namespaces/default/configmaps",
    start: { data: { k1: "a" } },
    draw: (maker) => ({
      ...(maker.chance(0.8) ? { data: maker.words(["k1", "k2", "k3"]) } : {}),
      ...(maker.chance(0.3) ? { binaryData: { b1: maker.pick(["AAA=", "AAE="]) } } : {}),
      ...(maker.chance(0.5) ? { metadata: maker.metadata() } : {}),
    }),
    strategic: (maker) =>
      maker.pick<JsonObject>([
        { data: { k1: null, k2: "s" } },
        { data: { $retainKeys: ["k1"], k1: "r" } },
        { data: { $patch: "replace", k3: "only" } },
        { data: { $patch: "delete" } },
        { data: null, metadata: { labels: { l1: "s" } } },
        { metadata: { finalizers: ["example.com/f1"], "$setElementOrder/finalizers": ["example.com/f1"] } },
        { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/f1"] } },
        {
          metadata: {
            finalizers: ["example.com/f3", "example.com/f2"],
            "$setElementOrder/finalizers": ["example.com/f3", "example.com/f2"],
          },
        },
        { metadata: { ownerReferences: [{ ...owner }] } },
        { metadata: { ownerReferences: [{ uid: owner.uid as string, $patch: "delete" }] } },
      ]),
  },
  {
    apiVersion: "v1",
    kind: "Service",
    base: "/api/v1/namespaces/default/services",
    start: {
      spec: {
        clusterIP: "None",
        clusterIPs: ["None"],
        internalTrafficPolicy: "Cluster",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
        sessionAffinity: "None",
        type: "ClusterIP",
        ports: [port(80, 80)],
      },
    },
    draw: (maker) => ({
      spec: {
        ports: somePorts(maker),
        ...(maker.chance(0.4) ? { selector: maker.words(["app", "tier"]) } : {}),
        ...(maker.chance(0.2) ? { publishNotReadyAddresses: true } : {}),
      },
      ...(maker.chance(0.3) ? { metadata: maker.metadata() } : {}),
    }),
    strategic: (maker) =>
      maker.pick<JsonObject>([
        { spec: { ports: [{ port: 81, $patch: "delete" }] } },
        {
          spec: {
            ports: [port(82, 82), port(81, 8181)],
            "$setElementOrder/ports": [{ port: 82 }, { port: 80 }, { port: 81 }],
          },
        },
        { spec: { "$setElementOrder/ports": [{ port: 81 }, { port: 80 }] } },
        { spec: { ports: [{ $patch: "replace" }, port(80, 1)] } },
        { spec: { ports: [{ port: 80, targetPort: 9999 }] } },
        { spec: { selector: { app: "s", tier: null } } },
        { spec: { selector: { $patch: "replace", app: "only" } } },
        { spec: { publishNotReadyAddresses: null } },
      ]),
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    base: "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
    start: { rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] },
    draw: (maker) => ({
      rules: maker.pick([
        [],
        [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
        [{ verbs: ["list", "watch"], apiGroups: ["apps"], resources: ["deployments"] }],
      ]),
      ...(maker.chance(0.5) ? { metadata: maker.metadata() } : {}),
    }),
    strategic: (maker) => ({
      rules: [{ verbs: [maker.pick(["get", "list"])], apiGroups: [""], resources: ["nodes"] }],
    }),
  },
];

class BuiltinSequence {
  private live: JsonObject | undefined;
  private readonly log: unknown[] = [];
  private readonly subject: Subject;
  private readonly maker: WidgetMaker;
  private readonly name: string;

  constructor(subject: Subject, seed: number) {
    this.subject = subject;
    this.maker = new WidgetMaker(seededRandom(seed));
    this.name = `b-${process.pid}-${seed}`;
  }

  async run(steps: number): Promise<void> {
    await this.create();
    for (let i = 0; i < steps; i++)
      await this[this.maker.pick(["apply", "apply", "update", "merge", "strategic", "json"] as const)]();
  }

  private whole(content: JsonObject): JsonObject {
    const { apiVersion, kind } = this.subject;
    return {
      ...content,
      apiVersion,
      kind,
      metadata: { ...(content.metadata as JsonObject | undefined), name: this.name, namespace: "default" },
    };
  }

  private decoded(object: JsonObject): JsonObject {
    const decoded = decodeBuiltin(object, this.subject.apiVersion, this.subject.kind)?.value ?? {};
    // A default of the kind, which is not this module's business.
    const { ports } = (decoded.spec ?? {}) as { ports?: JsonObject[] };
    for (const item of ports ?? []) item.targetPort ||= item.port as number;
    return decoded;
  }

  private get write() {
    const { apiVersion, kind } = this.subject;
    return {
      live: this.live,
      empty: emptyBuiltin(apiVersion, kind) as JsonObject,
      apiVersion,
      now: "2026-01-01T00:00:00Z",
      modelOf: (version: string) => builtinModel(version, kind),
      resetFields: builtinResetFields(kind, ""),
    };
  }

  private check(answer: RealAnswer, expected: JsonObject, what: unknown): void {
    this.log.push(what);
    expect({ log: this.log, ok: answer.code < 300, object: comparable(answer.body) }).toEqual({
      log: this.log,
      ok: true,
      object: comparable(storedBuiltin(expected, this.subject.apiVersion, this.subject.kind)),
    });
    this.live = answer.body;
  }

  private async writeAs(
    manager: string,
    updated: JsonObject,
    request: { method: "POST" | "PUT" | "PATCH"; contentType: string; body: unknown },
  ): Promise<void> {
    const path = request.method === "POST" ? this.subject.base : `${this.subject.base}/${this.name}`;
    const answer = await api.send({ ...request, path: `${path}?fieldManager=${manager}` });
    this.check(answer, trackUpdate({ ...this.write, updated: this.decoded(updated), manager }), [
      manager,
      request.body,
    ]);
  }

  async create(): Promise<void> {
    const body = this.whole(this.subject.start);
    await this.writeAs("creator", body, { method: "POST", contentType: "application/json", body });
  }

  async update(): Promise<void> {
    const body = applyMergePatch(this.live as JsonObject, this.subject.draw(this.maker));
    await this.writeAs("u1", body, { method: "PUT", contentType: "application/json", body });
  }

  async merge(): Promise<void> {
    const body = this.subject.draw(this.maker);
    await this.writeAs("u2", applyMergePatch(this.live as JsonObject, body), {
      method: "PATCH",
      contentType: "application/merge-patch+json",
      body,
    });
  }

  async strategic(): Promise<void> {
    const body = this.subject.strategic(this.maker);
    const { apiVersion, kind } = this.subject;
    const updated = applyStrategicMergePatch(this.live as JsonObject, body, structOfKind(apiVersion, kind) as string);
    await this.writeAs("u3", updated, { method: "PATCH", contentType: "application/strategic-merge-patch+json", body });
  }

  async json(): Promise<void> {
    const body = [{ op: "add", path: "/metadata/annotations", value: this.maker.words(["n1", "n2"]) }];
    const updated = applyJsonPatch(this.live as JsonObject, decodeJsonPatch(JSON.stringify(body)).value);
    await this.writeAs("u4", updated, { method: "PATCH", contentType: "application/json-patch+json", body });
  }

  async apply(): Promise<void> {
    const config = this.whole(this.subject.draw(this.maker));
    const target = { manager: this.maker.pick(["m1", "m2"]), force: this.maker.chance(0.5) };
    const result = applyConfiguration({ ...this.write, ...target, config, kind: this.subject.kind });
    const answer = await api.send({
      method: "PATCH",
      path: `${this.subject.base}/${this.name}?fieldManager=${target.manager}&force=${target.force}`,
      contentType: "application/apply-patch+yaml",
      body: config,
    });
    if (result.conflicts === undefined) this.check(answer, this.decoded(result.object), [target, config]);
    else
      expect({ log: this.log, target, config, ...conflictOf(answer) }).toEqual({
        log: this.log,
        target,
        config,
        ...conflictBody(result.conflicts),
      });
  }
}

describe.each(subjects)("$kind", (subject) => {
  it.each(Array.from({ length: 8 }, (_, i) => i + 1))(
    "sequence %i ends where the real API server does",
    async (seed) => {
      await new BuiltinSequence(subject, seed).run(14);
    },
  );
});
