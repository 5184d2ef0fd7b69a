import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "#clock";
import { ConfigMap, MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "#kinds";
import { type RealApi, realApi } from "../testing/real-api.ts";
import { selfSigned } from "../testing/self-signed.ts";
import { allow, deny } from "./admission.ts";
import { mutate, validate } from "./handler.ts";
import { startWebhookServer, type WebhookServer } from "./webhook-server.ts";

let api: RealApi;
let server: WebhookServer;
const handlers = [
  validate(ConfigMap, ({ object }) => (object?.data?.colour === "grey" ? deny("grey is not a colour") : allow())),
  mutate(ConfigMap, ({ object }) => object && { ...object, data: { painted: "yes", ...object.data } }),
];

beforeAll(async () => {
  api = await realApi();
  const dir = await mkdtemp(join(tmpdir(), "webhook-"));
  const { cert, key } = selfSigned("webhook", new Date("2020-01-01"), new Date("2049-01-01"));
  const certificate = { certFile: join(dir, "tls.crt"), keyFile: join(dir, "tls.key") };
  await writeFile(certificate.certFile, cert);
  await writeFile(certificate.keyFile, key);
  const logger = pino({ level: "silent" });
  server = await startWebhookServer({ certificate, handlers, clock: systemClock, logger, port: 0 });
  const webhook = (path: string) => ({
    name: "colours.metalwright.dev",
    clientConfig: { url: `${server.url}${path}`, caBundle: Buffer.from(cert).toString("base64") },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE" as const] }],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": api.namespace } },
    sideEffects: "None" as const,
    admissionReviewVersions: ["v1"],
    failurePolicy: "Fail" as const,
  });
  const metadata = { name: api.namespace };
  await api.client.create(ValidatingWebhookConfiguration, {
    metadata,
    webhooks: [webhook("/validate--v1-configmap")],
  });
  await api.client.create(MutatingWebhookConfiguration, { metadata, webhooks: [webhook("/mutate--v1-configmap")] });
});
afterAll(async () => {
  await api.client.delete(ValidatingWebhookConfiguration, api.namespace);
  await api.client.delete(MutatingWebhookConfiguration, api.namespace);
  await server.close();
  await api.close();
});

it("a real API server asks it: refuses with its message, and takes its changes", async () => {
  const { client, namespace } = api;
  let made = 0;
  const make = (colour: string) =>
    client.create(ConfigMap, { metadata: { namespace, name: `${colour}-${made++}` }, data: { colour } });
  // New webhook configurations reach the API server's admission a moment after they were written.
  await expect
    .poll(async () => (await make("red")).data, { timeout: 10_000 })
    .toEqual({ colour: "red", painted: "yes" });
  const answer = () => make("grey").then(String, (error: unknown) => String(error));
  await expect.poll(answer, { timeout: 10_000 }).toMatch(/grey is not a colour/);
});
