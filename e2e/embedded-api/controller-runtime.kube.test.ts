/** A Go controller on controller-runtime does its work on the embedded API, and goes on when that is killed under it. */
import { join } from "node:path";
import type { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WIDGET_CRD, WIDGETS, widget } from "../../src/apiserver/testing/test-api.ts";
import { ManagedProcess } from "../control-plane/process.ts";
import { buildGoProgram } from "./go-program.ts";
import { ServerProcess } from "./server-process.ts";
import { type Send, talk } from "./talk.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/widgets.example.com";
const soon = { timeout: 40_000, interval: 50 };

const server = new ServerProcess();
const controllers: ManagedProcess[] = [];
let program: string;
let pool: Pool;
let send: Send;

beforeAll(async () => {
  program = await buildGoProgram(join(import.meta.dirname, "controller-runtime"));
  await server.start();
  pool = server.pool();
  send = talk(pool);
  expect((await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", WIDGET_CRD)).status).toBe(201);
}, 600_000);
afterAll(async () => {
  for (const controller of controllers) await controller.stop(2_000);
  await pool?.destroy();
  await server.dispose();
});

function startController(): ManagedProcess {
  const log = join(server.directory, `controller-${controllers.length}.log`);
  const controller = new ManagedProcess("controller", program, [`--kubeconfig=${server.kubeconfig}`], log);
  controllers.push(controller);
  return controller;
}

const get = async (path: string) => (await send("GET", path)).body;
const holder = async (): Promise<string> => (await get(LEASE)).spec?.holderIdentity ?? "";
/** Polls that survive the server being away for a moment. */
const eventually = (what: () => Promise<unknown>) =>
  expect.poll(() => what().catch((error: unknown) => String(error)), soon);

describe("a controller on controller-runtime", () => {
  let first: ManagedProcess;

  it("is elected, and gives a widget its finalizer, its ConfigMap, its status and an event", async () => {
    first = startController();
    await eventually(holder).not.toBe("");
    expect((await send("POST", WIDGETS, widget("one"))).status).toBe(201);
    await eventually(() => get(`${WIDGETS}/one`)).toMatchObject({
      metadata: { finalizers: ["example.com/widgets"] },
      status: { phase: "Ready", size: 3 },
    });
    const { metadata } = await get(`${WIDGETS}/one`);
    expect(await get(`${CONFIG_MAPS}/one`)).toMatchObject({
      data: { color: "red", size: "3" },
      metadata: { ownerReferences: [{ kind: "Widget", name: "one", uid: metadata.uid, controller: true }] },
    });
    await eventually(async () => (await get("/api/v1/namespaces/default/events")).items).toContainEqual(
      expect.objectContaining({
        reason: "ConfigMapWritten",
        involvedObject: expect.objectContaining({ kind: "Widget", name: "one", uid: metadata.uid }),
      }),
    );
  });

  it("puts back what it owns when somebody deletes it", async () => {
    const { metadata } = await get(`${CONFIG_MAPS}/one`);
    expect((await send("DELETE", `${CONFIG_MAPS}/one`)).status).toBe(200);
    await eventually(async () => (await get(`${CONFIG_MAPS}/one`)).metadata?.uid).toMatch(/-/);
    expect((await get(`${CONFIG_MAPS}/one`)).metadata.uid).not.toBe(metadata.uid);
  });

  it("goes on where it was when the server is killed and comes back", async () => {
    const before = await holder();
    await server.kill("SIGKILL");
    await server.start();
    await eventually(async () => (await get(`${WIDGETS}/one`)).status.phase).toBe("Ready");
    const change = { spec: { size: 7 } };
    expect((await send("PATCH", `${WIDGETS}/one`, change, "application/merge-patch+json")).status).toBe(200);
    await eventually(() => get(`${WIDGETS}/one`)).toMatchObject({ status: { phase: "Ready", size: 7 } });
    expect(await get(`${CONFIG_MAPS}/one`)).toMatchObject({ data: { size: "7" } });
    expect(first.running).toBe(true);
    expect(await holder()).toBe(before);
  });

  it("hands over to a second one that waited", async () => {
    const before = await holder();
    const second = startController();
    await eventually(() => second.lastLines(50)).toMatch(/attempting to acquire leader lease/i);
    expect(await holder()).toBe(before);
    await first.stop();
    await eventually(holder).not.toBe(before);
    await eventually(holder).not.toBe("");
    expect((await send("POST", WIDGETS, widget("two"))).status).toBe(201);
    await eventually(async () => (await get(`${WIDGETS}/two`)).status?.phase).toBe("Ready");
  });

  it("finishes a deletion", async () => {
    expect((await send("DELETE", `${WIDGETS}/one`)).status).toBe(200);
    await eventually(async () => (await send("GET", `${WIDGETS}/one`)).status).toBe(404);
    await eventually(async () => (await send("GET", `${CONFIG_MAPS}/one`)).status).toBe(404);
  });
});
