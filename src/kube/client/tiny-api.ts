/** For tests: one collection of an API in memory, with resource versions as the real one has, behind a transport that can fail. */
import type { ConfigMap } from "#kinds";
import {
  ConnectionLost,
  NotSent,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../transport/transport.ts";

/** What happens to one request: it is answered, never leaves, or its answer gets lost before or after it took effect. */
export type Fate = "answered" | "not sent" | "lost before" | "lost after";

type Answer = readonly [status: number, body: unknown];

export class TinyApi implements Transport {
  readonly objects = new Map<string, ConfigMap>();
  /** "METHOD name" of every request that took effect or was refused. */
  readonly processed: string[] = [];
  fate: (request: TransportRequest) => Fate = () => "answered";
  #version = 0;

  async request(request: TransportRequest): Promise<TransportResponse> {
    request.signal.throwIfAborted();
    const fate = this.fate(request);
    await Promise.resolve();
    if (fate === "not sent") throw new NotSent("refused");
    request.beforeSend?.();
    if (fate === "lost before") throw new ConnectionLost("reset");
    const [status, body] = this.#process(request);
    if (fate === "lost after") throw new ConnectionLost("reset");
    return respond(status, JSON.stringify(body));
  }

  async close(): Promise<void> {}

  #process({ method, path, body }: TransportRequest): Answer {
    const sent = body === undefined ? undefined : (JSON.parse(String(body)) as ConfigMap);
    const name = /configmaps\/([^/?]+)/.exec(path)?.[1] ?? sent?.metadata.name ?? "";
    this.processed.push(`${method} ${name}`);
    const current = this.objects.get(name);
    if (method === "POST")
      return current ? failed(409, "AlreadyExists", name) : this.#store(name, sent as ConfigMap, 201);
    if (!current) return failed(404, "NotFound", name);
    if (method === "DELETE") return this.#remove(name, current, sent as unknown as { preconditions?: Preconditions });
    if (method === "GET" || !sent) return [200, current];
    const expected = sent.metadata?.resourceVersion;
    if (expected !== undefined && expected !== current.metadata.resourceVersion) return failed(409, "Conflict", name);
    return this.#store(name, method === "PUT" ? sent : (merged(current, sent) as ConfigMap), 200);
  }

  #store(name: string, object: ConfigMap, status: number): Answer {
    const version = ++this.#version;
    const uid = this.objects.get(name)?.metadata.uid ?? `uid-${version}`;
    const metadata = { ...object.metadata, name, namespace: "default", uid, resourceVersion: String(version) };
    const stored = { ...object, metadata };
    this.objects.set(name, stored);
    return [status, stored];
  }

  #remove(name: string, { metadata }: ConfigMap, { preconditions = {} }: { preconditions?: Preconditions }): Answer {
    const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = preconditions;
    if (uid !== metadata.uid || resourceVersion !== metadata.resourceVersion) return failed(409, "Conflict", name);
    this.objects.delete(name);
    return [200, { kind: "Status", status: "Success" }];
  }
}

interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export function failed(code: number, reason: string, name?: string): Answer {
  return [code, { kind: "Status", status: "Failure", code, reason, message: `${reason} ${name}`, details: { name } }];
}

export function respond(status: number, body: string, headers: Record<string, string> = {}): TransportResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    text: async () => body,
    async *chunks() {
      yield Buffer.from(body);
    },
  };
}

/** RFC 7396, as the server does it. */
export function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const isTree = typeof target === "object" && target !== null && !Array.isArray(target);
  const result = new Map(isTree ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, merged(result.get(key), value));
  }
  return Object.fromEntries(result);
}
