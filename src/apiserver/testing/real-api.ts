/** A connection to the real API server of `npm run kube`, for suites that compare with it. Loopback only. */
import { readFileSync } from "node:fs";
import { Pool } from "undici";
import { parse } from "yaml";
import type { JsonObject } from "../json.ts";

interface KubeConfig {
  readonly clusters: readonly { readonly cluster: Record<string, string> }[];
  readonly users: readonly { readonly user: Record<string, string> }[];
}

export interface RealAnswer {
  readonly code: number;
  readonly body: JsonObject;
}

export interface RealRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly contentType?: string;
  readonly body?: unknown;
}

const DEADLINE_MS = 20_000;

export class RealApi {
  private readonly pool: Pool;
  private readonly token: string | undefined;

  constructor() {
    const path = process.env.KUBECONFIG;
    if (path === undefined) throw new Error("KUBECONFIG is not set: run this suite with npm run test:kube");
    const config = parse(readFileSync(path, "utf8")) as KubeConfig;
    const cluster = config.clusters[0]?.cluster ?? {};
    const user = config.users[0]?.user ?? {};
    this.token = user.token;
    this.pool = new Pool(cluster.server as string, {
      connections: 2,
      connect: {
        ca: pem(cluster, "certificate-authority"),
        cert: pem(user, "client-certificate"),
        key: pem(user, "client-key"),
      },
    });
  }

  async send({ method, path, contentType, body }: RealRequest): Promise<RealAnswer> {
    const response = await this.pool.request({
      method,
      path,
      headers: {
        accept: "application/json",
        ...(contentType === undefined ? {} : { "content-type": contentType }),
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
      },
      body: body === undefined ? null : encodeBody(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return { code: response.statusCode, body: (await response.body.json()) as JsonObject };
  }

  /** The same object in another encoding, unread. */
  async bytes(path: string, accept: string): Promise<Uint8Array> {
    const response = await this.pool.request({
      method: "GET",
      path,
      headers: { accept, ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }) },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return new Uint8Array(await response.body.arrayBuffer());
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}

function encodeBody(body: unknown): string | Buffer {
  return typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** Inline data or a file, as kubeconfig allows both. */
function pem(section: Record<string, string>, key: string): string | undefined {
  const data = section[`${key}-data`];
  if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
  const path = section[key];
  return path === undefined ? undefined : readFileSync(path, "utf8");
}
