/** A server in memory for tests, and short words to talk to it. */
import { type Clock, type Random, seededRandom, systemClock } from "#clock";
import type { Transport } from "#kube";
import type { UserInfo } from "../http/message.ts";
import { type ApiServer, startApiServer } from "../start.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every kind
  readonly body: any;
}

export interface SendOptions {
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestApi {
  readonly server: ApiServer;
  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Answer>;
  as(user: UserInfo | "nobody"): Pick<TestApi, "send">;
  /** The events of a watch until `count` of them came. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
  watch(path: string, count: number, accept?: string): Promise<any[]>;
  close(): Promise<void>;
}

export interface TestApiOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly data?: string;
}

const DEADLINE_MS = 10_000;

export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const failures: unknown[] = [];
  const server = await startApiServer({
    port: false,
    clock: options.clock ?? systemClock,
    random: options.random ?? seededRandom(1),
    ...(options.data && { data: options.data }),
    report: (what, error) => failures.push(new Error(`${what}: ${String(error)}`, { cause: error })),
  });
  const transport = server.transport();
  return {
    server,
    send: sender(transport),
    as: (user) => ({ send: sender(server.transport(user)) }),
    watch: (path, count, accept) => readEvents(transport, path, count, accept),
    close: async () => {
      await server.close();
      if (failures.length > 0) throw failures[0];
    },
  };
}

function sender(transport: Transport): TestApi["send"] {
  return async (method, path, body, { type = "application/json", accept, headers = {} } = {}) => {
    const response = await transport.request({
      method: method as "GET",
      path,
      headers: { "content-type": type, ...(accept && { accept }), "user-agent": "test/1", ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await response.text();
    const isJson = response.headers["content-type"]?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}

async function readEvents(transport: Transport, path: string, count: number, accept?: string): Promise<unknown[]> {
  const response = await transport.request({
    method: "GET",
    path,
    headers: accept ? { accept } : {},
    signal: AbortSignal.timeout(DEADLINE_MS),
    streaming: true,
  });
  const events: unknown[] = [];
  let rest = "";
  if (count === 0) return events;
  for await (const chunk of response.chunks()) {
    const lines = (rest + Buffer.from(chunk).toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) events.push(JSON.parse(line));
    if (events.length >= count) break;
  }
  return events;
}

export const WIDGET_CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"], categories: ["all"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
        selectableFields: [{ jsonPath: ".spec.color" }],
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer", minimum: 1 },
                  color: { type: "string", default: "red" },
                  note: {
                    type: "string",
                    "x-kubernetes-validations": [{ rule: "self != 'bad'", message: "must not be bad" }],
                  },
                },
              },
              status: { type: "object", properties: { phase: { type: "string" }, size: { type: "integer" } } },
            },
          },
        },
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        deprecated: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    ],
  },
};

export const WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

export function widget(name: string, spec: object = { size: 3 }, metadata: object = {}): object {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, ...metadata }, spec };
}

/** Installs the widget CRD and waits until it is served. */
export async function installWidgets(api: TestApi): Promise<void> {
  const created = await api.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", WIDGET_CRD);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  await api.server.idle();
}
