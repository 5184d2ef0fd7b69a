import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { installWidgets, startTestApi, type TestApi, WIDGETS, widget } from "../testing/test-api.ts";

let api: TestApi;
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string, data: object = { a: "1" }) => ({ metadata: { name }, data });

beforeEach(async () => {
  api = await startTestApi();
});
afterEach(() => api.close());

describe("built-in objects", () => {
  it("creates, reads, replaces and deletes", async () => {
    const created = await api.send("POST", CONFIG_MAPS, configMap("a"));
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "a", namespace: "default" },
    });
    expect(created.body.metadata.managedFields).toMatchObject([
      { manager: "test", operation: "Update", fieldsV1: { "f:data": { ".": {}, "f:a": {} } } },
    ]);
    const replaced = await api.send("PUT", `${CONFIG_MAPS}/a`, { ...created.body, data: { a: "2" } });
    expect(replaced.status).toBe(200);
    expect((await api.send("GET", `${CONFIG_MAPS}/a`)).body.data).toEqual({ a: "2" });
    const stale = await api.send("PUT", `${CONFIG_MAPS}/a`, { ...created.body, data: { a: "3" } });
    expect(stale).toMatchObject({
      status: 409,
      body: { reason: "Conflict", details: { name: "a", kind: "configmaps" } },
    });
    const deleted = await api.send("DELETE", `${CONFIG_MAPS}/a`);
    expect(deleted.body).toMatchObject({ status: "Success", details: { name: "a", uid: created.body.metadata.uid } });
    expect((await api.send("GET", `${CONFIG_MAPS}/a`)).status).toBe(404);
  });

  it.each([
    [
      "no name",
      "POST",
      CONFIG_MAPS,
      { metadata: {} },
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      "an unknown namespace",
      "POST",
      "/api/v1/namespaces/nope/configmaps",
      configMap("a"),
      404,
      'namespaces "nope" not found',
    ],
    [
      "another namespace",
      "POST",
      CONFIG_MAPS,
      { metadata: { name: "a", namespace: "x" } },
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      "a resourceVersion",
      "POST",
      CONFIG_MAPS,
      { metadata: { name: "a", resourceVersion: "3" } },
      500,
      "resourceVersion should not be set on objects to be created",
    ],
    [
      "another kind",
      "POST",
      CONFIG_MAPS,
      { kind: "Foo", apiVersion: "v1", metadata: { name: "a" } },
      400,
      'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      "a wrong type",
      "POST",
      CONFIG_MAPS,
      { metadata: { name: "a" }, data: { x: 1 } },
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    ],
    [
      "broken JSON",
      "POST",
      CONFIG_MAPS,
      "{",
      400,
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({)",
    ],
    [
      "another name than the URL's",
      "PUT",
      `${CONFIG_MAPS}/zz`,
      configMap("zy"),
      400,
      "the name of the object (zy) does not match the name on the URL (zz)",
    ],
    ["a missing object", "PUT", `${CONFIG_MAPS}/zz`, configMap("zz"), 404, 'configmaps "zz" not found'],
    [
      "POST on a name",
      "POST",
      `${CONFIG_MAPS}/a`,
      configMap("a"),
      405,
      "the server does not allow this method on the requested resource",
    ],
    [
      "PUT on a collection",
      "PUT",
      CONFIG_MAPS,
      configMap("a"),
      405,
      "the server does not allow this method on the requested resource",
    ],
    ["an unknown resource", "GET", "/api/v1/foos", undefined, 404, "the server could not find the requested resource"],
    [
      "an unknown subresource",
      "GET",
      `${CONFIG_MAPS}/a/status`,
      undefined,
      404,
      "the server could not find the requested resource",
    ],
    [
      "unknown fields, strictly",
      "POST",
      `${CONFIG_MAPS}?fieldValidation=Strict`,
      { metadata: { name: "a", foo: 1 }, zork: 1 },
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "metadata.foo", unknown field "zork"',
    ],
    [
      "an unknown dry run",
      "POST",
      `${CONFIG_MAPS}?dryRun=Some`,
      configMap("a"),
      422,
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
  ])("refuses %s with upstream's words", async (...[, method, path, body, status, message]) => {
    expect(await api.send(method, path, body)).toMatchObject({ status, body: { status: "Failure", message } });
  });

  it("refuses a name that is taken, also when both were sent at once", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map((n) => api.send("POST", CONFIG_MAPS, configMap("same", { n: `${n}` }))),
    );
    expect(answers.map((a) => a.status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find((a) => a.status === 409);
    expect(refused?.body.message).toBe('configmaps "same" already exists');
    expect((await api.send("GET", `${CONFIG_MAPS}/same`)).status).toBe(200);
  });

  it("warns about unknown and duplicate fields unless told otherwise", async () => {
    const body = '{"metadata":{"name":"b","foo":1},"zork":1,"data":{"x":"1","x":"2"}}';
    const warned = await api.send("POST", CONFIG_MAPS, body);
    expect(warned.headers.warning).toBe(
      '299 - "unknown field \\"metadata.foo\\"", 299 - "unknown field \\"zork\\"", 299 - "duplicate field \\"data.x\\""',
    );
    expect(warned.body.data).toEqual({ x: "2" });
    const ignored = await api.send(
      "POST",
      `${CONFIG_MAPS}?fieldValidation=Ignore&dryRun=All`,
      body.replace('"b"', '"c"'),
    );
    expect(ignored.headers.warning).toBeUndefined();
  });

  it("changes nothing on a dry run", async () => {
    const { body } = await api.send("POST", CONFIG_MAPS, configMap("a"));
    const dry = await api.send("PUT", `${CONFIG_MAPS}/a?dryRun=All`, { ...body, data: { a: "9" } });
    expect(dry.body.data).toEqual({ a: "9" });
    await api.send("DELETE", `${CONFIG_MAPS}/a?dryRun=All`);
    expect((await api.send("POST", `${CONFIG_MAPS}?dryRun=All`, configMap("n"))).status).toBe(201);
    expect((await api.send("GET", CONFIG_MAPS)).body.items.map((i: { data: object }) => i.data)).toEqual([{ a: "1" }]);
  });

  it("makes up names", async () => {
    const { body } = await api.send("POST", CONFIG_MAPS, { metadata: { generateName: "gen-" } });
    expect(body.metadata.name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it("does not count an update that changes nothing", async () => {
    const { body } = await api.send("POST", CONFIG_MAPS, configMap("a"));
    const again = await api.send("PUT", `${CONFIG_MAPS}/a`, body);
    expect(again.body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  it("overwrites without a resourceVersion, losing no concurrent patch", async () => {
    await api.send("POST", CONFIG_MAPS, configMap("a", {}));
    const type = "application/merge-patch+json";
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        api.send("PATCH", `${CONFIG_MAPS}/a`, { data: { [`k${i}`]: "x" } }, { type }),
      ),
    );
    expect(Object.keys((await api.send("GET", `${CONFIG_MAPS}/a`)).body.data)).toHaveLength(20);
  });

  it("refuses deletion when a precondition does not hold", async () => {
    const { body } = await api.send("POST", CONFIG_MAPS, configMap("a"));
    const uid = await api.send("DELETE", `${CONFIG_MAPS}/a`, { preconditions: { uid: "x" } });
    expect(uid).toMatchObject({
      status: 409,
      body: {
        message: `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (${body.metadata.uid}). The object might have been deleted and then recreated`,
      },
    });
    const version = await api.send("DELETE", `${CONFIG_MAPS}/a`, { preconditions: { resourceVersion: "1" } });
    expect(version.status).toBe(409);
  });

  it("asks to come back later when too much is going on", async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => api.send("POST", CONFIG_MAPS, configMap(`n${i}`))),
    );
    const refused = answers.filter((a) => a.status === 429);
    expect([answers.filter((a) => a.status === 201).length, refused.length]).toEqual([200, 100]);
    expect(refused[0]).toMatchObject({ headers: { "retry-after": "1" }, body: { reason: "TooManyRequests" } });
  });

  it("deletes a selection", async () => {
    for (const name of ["a", "b", "c"]) {
      await api.send("POST", CONFIG_MAPS, { metadata: { name, labels: { keep: name === "b" ? "yes" : "no" } } });
    }
    const deleted = await api.send("DELETE", `${CONFIG_MAPS}?labelSelector=keep%3Dno`);
    expect(deleted.body.items).toHaveLength(2);
    expect(
      (await api.send("GET", CONFIG_MAPS)).body.items.map((i: { metadata: { name: string } }) => i.metadata.name),
    ).toEqual(["b"]);
  });

  it("turns a Secret's stringData into data", async () => {
    const { body } = await api.send("POST", "/api/v1/namespaces/default/secrets", {
      metadata: { name: "s" },
      stringData: { p: "x" },
    });
    expect(body).toMatchObject({ type: "Opaque", data: { p: "eA==" } });
    expect(body.stringData).toBeUndefined();
  });

  it("shows one event under both of its names", async () => {
    const event = {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "e", namespace: "default" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "test",
      reportingInstance: "test-1",
      action: "Test",
      reason: "Tested",
      regarding: { kind: "ConfigMap", name: "a", namespace: "default" },
      note: "hello",
      type: "Normal",
    };
    expect((await api.send("POST", "/apis/events.k8s.io/v1/namespaces/default/events", event)).status).toBe(201);
    const core = await api.send("GET", "/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Da");
    expect(core.body.items).toMatchObject([
      { message: "hello", involvedObject: { name: "a" }, reportingComponent: "test" },
    ]);
    const other = await api.send("GET", "/apis/events.k8s.io/v1/namespaces/default/events/e");
    expect(other.body).toMatchObject({ apiVersion: "events.k8s.io/v1", note: "hello", regarding: { name: "a" } });
  });
});

describe("custom resources", () => {
  beforeEach(() => installWidgets(api));

  it("defaults, validates and counts generations", async () => {
    const { body } = await api.send("POST", WIDGETS, widget("a"));
    expect(body).toMatchObject({ spec: { color: "red", size: 3 }, metadata: { generation: 1 } });
    const labelled = await api.send(
      "PATCH",
      `${WIDGETS}/a`,
      { metadata: { labels: { a: "b" } } },
      { type: "application/merge-patch+json" },
    );
    expect(labelled.body.metadata.generation).toBe(1);
    const grown = await api.send(
      "PATCH",
      `${WIDGETS}/a`,
      { spec: { size: 4 } },
      { type: "application/merge-patch+json" },
    );
    expect(grown.body.metadata.generation).toBe(2);
    const bad = await api.send(
      "PATCH",
      `${WIDGETS}/a`,
      { spec: { size: 0, note: "bad" } },
      { type: "application/merge-patch+json" },
    );
    expect(bad.status).toBe(422);
    expect(bad.body.message).toContain(
      "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1",
    );
    const rule = await api.send(
      "PATCH",
      `${WIDGETS}/a`,
      { spec: { note: "bad" } },
      { type: "application/merge-patch+json" },
    );
    expect(rule.body.message).toContain("must not be bad");
  });

  it("keeps spec and status apart", async () => {
    const { body } = await api.send("POST", WIDGETS, { ...widget("a"), status: { phase: "New" } });
    expect(body.status).toBeUndefined();
    const status = await api.send("PUT", `${WIDGETS}/a/status`, {
      ...body,
      spec: { size: 99 },
      status: { phase: "Ready" },
    });
    expect(status.body).toMatchObject({ spec: { size: 3 }, status: { phase: "Ready" }, metadata: { generation: 1 } });
    const spec = await api.send("PUT", `${WIDGETS}/a`, {
      ...status.body,
      spec: { size: 5 },
      status: { phase: "Gone" },
    });
    expect(spec.body).toMatchObject({ spec: { size: 5 }, status: { phase: "Ready" }, metadata: { generation: 2 } });
  });

  it("refuses an update without a resourceVersion", async () => {
    await api.send("POST", WIDGETS, widget("a"));
    const refused = await api.send("PUT", `${WIDGETS}/a`, widget("a", { size: 9 }));
    expect(refused).toMatchObject({
      status: 422,
      body: {
        message:
          'widgets.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      },
    });
  });

  it("waits for finalizers", async () => {
    await api.send("POST", WIDGETS, widget("a", {}, { finalizers: ["example.com/x"] }));
    const marked = await api.send("DELETE", `${WIDGETS}/a`);
    expect(marked.body.metadata).toMatchObject({
      deletionGracePeriodSeconds: 0,
      generation: 2,
      finalizers: ["example.com/x"],
    });
    const added = await api.send(
      "PATCH",
      `${WIDGETS}/a`,
      { metadata: { finalizers: ["example.com/x", "example.com/y"] } },
      { type: "application/merge-patch+json" },
    );
    expect(added.body.message).toContain(
      'no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/y"}',
    );
    await api.send(
      "PATCH",
      `${WIDGETS}/a`,
      { metadata: { finalizers: null } },
      { type: "application/merge-patch+json" },
    );
    expect((await api.send("GET", `${WIDGETS}/a`)).status).toBe(404);
  });

  it("serves every version of one stored object, and warns about the deprecated one", async () => {
    await api.send("POST", WIDGETS, widget("a"));
    const old = await api.send("GET", WIDGETS.replace("/v1/", "/v1beta1/"));
    expect(old.body).toMatchObject({
      apiVersion: "example.com/v1beta1",
      items: [{ apiVersion: "example.com/v1beta1", spec: { size: 3 } }],
    });
    expect(old.headers.warning).toContain("example.com/v1beta1 Widget is deprecated");
  });

  it("scales", async () => {
    await api.send("POST", WIDGETS, widget("a"));
    const { body } = await api.send("GET", `${WIDGETS}/a/scale`);
    expect(body).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      spec: { replicas: 3 },
      status: { replicas: 0 },
    });
    const scaled = await api.send("PUT", `${WIDGETS}/a/scale`, { ...body, spec: { replicas: 7 } });
    expect(scaled.body.spec).toEqual({ replicas: 7 });
    expect((await api.send("GET", `${WIDGETS}/a`)).body).toMatchObject({
      spec: { size: 7 },
      metadata: { generation: 2 },
    });
    expect((await api.send("PUT", `${WIDGETS}/a/scale`, { ...body, spec: { replicas: 8 } })).status).toBe(409);
    const patched = await api.send(
      "PATCH",
      `${WIDGETS}/a/scale`,
      { spec: { replicas: -1 } },
      { type: "application/merge-patch+json" },
    );
    expect(patched.status).toBe(422);
  });

  it("selects by declared fields, and by no others", async () => {
    await api.send("POST", WIDGETS, widget("a", { color: "blue" }));
    await api.send("POST", WIDGETS, widget("b", { color: "green" }));
    const blue = await api.send("GET", `${WIDGETS}?fieldSelector=spec.color%3Dblue`);
    expect(blue.body.items.map((i: { metadata: { name: string } }) => i.metadata.name)).toEqual(["a"]);
    const other = await api.send("GET", `${WIDGETS}?fieldSelector=spec.size%3D1`);
    expect(other).toMatchObject({ status: 400, body: { message: "field label not supported: spec.size" } });
  });

  it("applies: conflicts by name, force, and removal of what is no longer applied", async () => {
    const apply = (manager: string, spec: object, force = false) =>
      api.send("PATCH", `${WIDGETS}/a?fieldManager=${manager}&force=${force}`, widget("a", spec), {
        type: "application/apply-patch+yaml",
      });
    expect((await apply("one", { size: 3, color: "blue" })).status).toBe(201);
    const conflict = await apply("two", { size: 4 });
    expect(conflict).toMatchObject({
      status: 409,
      body: { reason: "Conflict", message: 'Apply failed with 1 conflict: conflict with "one": .spec.size' },
    });
    expect((await apply("two", { size: 4 }, true)).body.spec).toEqual({ size: 4, color: "blue" });
    expect((await apply("one", {})).body.spec).toEqual({ size: 4, color: "red" });
  });
});
