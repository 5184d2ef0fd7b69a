import { mkdtemp, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import fc from "fast-check";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { settle, systemClock, VirtualClock } from "#clock";
import type { Kind, KubeObject } from "#kinds";
import { selfSigned } from "../testing/self-signed.ts";
import { allow, deny, patch } from "./admission.ts";
import { mutate, validate, type WebhookHandler } from "./handler.ts";
import { BadReview, parseReview } from "./review.ts";
import { startWebhookServer, type WebhookServer, type WebhookServerOptions } from "./webhook-server.ts";

interface Box extends KubeObject {
  spec?: { size?: number; colour?: string };
}
const Box: Kind<Box> = { group: "example.dev", version: "v1", kind: "Box", plural: "boxes", scope: "Namespaced" };
const box = (spec: Box["spec"] = {}): Box => ({
  apiVersion: "example.dev/v1",
  kind: "Box",
  metadata: { name: "b" },
  ...{ spec },
});

const review = (over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "r-1",
      kind: Box,
      operation: "CREATE",
      object: box({ size: 3 }),
      userInfo: { username: "eve" },
      ...over,
    },
  });

const [from, to] = [new Date("2020-01-01"), new Date("2049-01-01")];
const logger = pino({ level: "silent" });
let server: WebhookServer | undefined;
afterEach(() => server?.close());

async function files(name: string, dir?: string) {
  const at = dir ?? (await mkdtemp(join(tmpdir(), "webhook-")));
  const pair = selfSigned(name, from, to);
  const certificate = { certFile: join(at, "tls.crt"), keyFile: join(at, "tls.key") };
  await writeFile(certificate.certFile, pair.cert);
  await writeFile(certificate.keyFile, pair.key);
  return { dir: at, certificate, ca: pair.cert };
}

async function serve(handlers: WebhookHandler[], more: Partial<WebhookServerOptions> = {}) {
  const { certificate, ca, dir } = await files("first");
  server = await startWebhookServer({ certificate, handlers, clock: systemClock, logger, port: 0, ...more });
  const { url } = server;
  return { url, ca, dir, certificate, post: (path: string, body: string) => post(`${url}${path}`, body, ca) };
}

function post(url: string, body: string, ca: string, method = "POST"): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ ca });
    const sent = request(url, { method, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        agent.destroy();
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const PATH = "/validate-example-dev-v1-box";

describe("webhook server", () => {
  it("lets a handler judge, typed, and tells the API server in its own words", async () => {
    const { post } = await serve([
      validate(Box, ({ object, userInfo }) =>
        (object?.spec?.size ?? 0) > 2
          ? deny(`${userInfo.username}: too large`, { code: 422, reason: "Invalid" })
          : allow(),
      ),
    ]);
    const no = await post(PATH, review());
    expect(no.status).toBe(200);
    expect(JSON.parse(no.body)).toEqual({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: { uid: "r-1", allowed: false, status: { code: 422, message: "eve: too large", reason: "Invalid" } },
    });
    const yes = await post(PATH, review({ object: box({ size: 1 }) }));
    expect(JSON.parse(yes.body).response).toEqual({ uid: "r-1", allowed: true });
  });

  it("passes warnings on", async () => {
    const { post } = await serve([validate(Box, () => allow("size is deprecated"))]);
    expect(JSON.parse((await post(PATH, review())).body).response.warnings).toEqual(["size is deprecated"]);
  });

  it("turns the object a mutating handler returns into a JSON patch, and takes one as it is", async () => {
    const paint = mutate(Box, ({ object }) =>
      object ? { ...object, spec: { ...object.spec, colour: "red" } } : undefined,
    );
    const { post } = await serve([paint]);
    const { response } = JSON.parse((await post("/mutate-example-dev-v1-box", review())).body);
    expect(response.patchType).toBe("JSONPatch");
    const operations = JSON.parse(Buffer.from(response.patch, "base64").toString());
    expect(operations).toEqual([{ op: "add", path: "/spec/colour", value: "red" }]);
    const explicit = mutate(Box, () => patch([{ op: "remove", path: "/spec/size" }]));
    const verdict = await explicit.review(parseReview(review(), Box, new AbortController().signal));
    expect(verdict).toMatchObject({ allowed: true, patch: [{ op: "remove", path: "/spec/size" }] });
  });

  it("sees a handler that changes the object in place, too", async () => {
    const grow = mutate(Box, ({ object }) => {
      if (object) object.spec = { size: 9 };
      return object;
    });
    const verdict = await grow.review(parseReview(review(), Box, new AbortController().signal));
    expect(verdict.patch).toEqual([{ op: "replace", path: "/spec/size", value: 9 }]);
  });

  const always = validate(Box, () => allow());
  it.each([
    ["not JSON", "{", /not JSON/],
    ["not a review", '{"kind":"Pod"}', /not an AdmissionReview/],
    [
      "another version",
      JSON.stringify({ kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1beta1" }),
      /v1beta1 is not understood/,
    ],
    ["no request", JSON.stringify({ kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1" }), /has no request/],
    [
      "all wrong at once",
      review({ uid: "", operation: "EAT", kind: { group: "", kind: "Pod" } }),
      /uid is missing.*"EAT" is not known.*Pod/,
    ],
    ["an update without the old object", review({ operation: "UPDATE" }), /oldObject is missing for UPDATE/],
  ])("answers 400 in a sentence to a body that is %s", async (_, body, message) => {
    const { post } = await serve([always]);
    const answer = await post(PATH, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(message);
  });

  it("refuses what is too large, unknown paths and methods", async () => {
    const { post: send, url, ca } = await serve([always], { maxBodyBytes: 1_000 });
    expect((await send(PATH, review({ padding: "x".repeat(2_000) }))).status).toBe(413);
    expect((await send("/validate-something-else", review())).status).toBe(404);
    expect((await post(`${url}${PATH}`, "", ca, "GET")).status).toBe(405);
  });

  it("survives a handler that throws or never answers, and goes on", async () => {
    const clock = new VirtualClock();
    let mood: "throw" | "hang" | "fine" = "throw";
    const moody = validate(Box, () => {
      if (mood === "throw") throw new Error("bug");
      return mood === "hang" ? new Promise(() => {}) : allow();
    });
    const { post: send } = await serve([moody], { clock });
    expect(await send(PATH, review())).toMatchObject({ status: 500, body: expect.stringContaining("bug") });
    mood = "hang";
    const hanging = send(`${PATH}?timeout=3s`, review());
    let answered = false;
    void hanging.then(() => {
      answered = true;
    });
    while (!answered) {
      await clock.advance(3_000);
      await settle();
    }
    expect(await hanging).toMatchObject({ status: 500, body: expect.stringContaining("no verdict within 3000 ms") });
    mood = "fine";
    expect((await send(PATH, review())).status).toBe(200);
  });

  it("takes a new certificate without a restart, and keeps the old one while the files do not fit", async () => {
    const clock = new VirtualClock();
    const { url, dir, certificate } = await serve([always], { clock, reloadEveryMs: 1_000 });
    const { port } = new URL(url);
    await writeFile(certificate.keyFile, selfSigned("stray", from, to).key);
    await passTime(clock);
    expect(await servedName(Number(port))).toBe("first");
    await files("second", dir);
    const nameLater = async (): Promise<string> => {
      await passTime(clock);
      return servedName(Number(port));
    };
    await expect.poll(nameLater, { timeout: 5_000 }).toBe("second");
  });

  it("refuses to start with a key that is not the certificate's", async () => {
    const { certificate } = await files("first");
    await writeFile(certificate.keyFile, selfSigned("stray", from, to).key);
    const start = startWebhookServer({ certificate, handlers: [always], clock: systemClock, logger, port: 0 });
    await expect(start).rejects.toThrow(/does not belong to certificate/);
  });

  it("never fails in another way than by refusing, whatever the body", () => {
    const { signal } = new AbortController();
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.object().map((request) => review(request as Record<string, unknown>)),
    );
    fc.assert(
      fc.property(anything, (text) => {
        try {
          parseReview(text, Box, signal);
        } catch (error) {
          expect(error).toBeInstanceOf(BadReview);
        }
      }),
    );
  });
});

/** Real files are read between ticks of the virtual clock. */
async function passTime(clock: VirtualClock): Promise<void> {
  for (let i = 0; i < 5; i++) {
    await clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function servedName(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}
