/** A small client for tests of the fleet: one request at a time, nothing hidden. */
import { request } from "undici";
import type { SimulatedBmc } from "../fleet.ts";
import type { JsonObject } from "../json.ts";

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: JsonObject;
  readonly text: string;
}

export interface Sent {
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly anonymous?: true;
}

export type Call = (method: string, path: string, sent?: Sent) => Promise<Received>;

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Calls one BMC with its first account. */
export function clientOf(bmc: SimulatedBmc): Call {
  return async (method, path, sent = {}) => {
    const headers: Record<string, string> = sent.anonymous ? {} : { authorization: basic(bmc.username, bmc.password) };
    if (sent.body !== undefined) headers["content-type"] = "application/json";
    const text = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const response = await request(bmc.address + path, {
      method: method as "GET",
      headers: { ...headers, ...sent.headers },
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      body: parse(answer),
      text: answer,
    };
  };
}

function parse(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}

/** Every address that a resource and everything it links to names, read once each, breadth first. */
export async function crawl(call: Call, from = "/redfish/v1"): Promise<Map<string, Received>> {
  const seen = new Map<string, Received>();
  const waiting = [from];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const path = normal(next);
    if (seen.has(path)) continue;
    const received = await call("GET", next);
    seen.set(path, received);
    waiting.push(...linksIn(received.body));
  }
  return seen;
}

const normal = (path: string): string => path.replace(/#.*$/, "").replace(/\/$/, "");

function linksIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === "@odata.id" && typeof inner === "string") return [inner.replace(/#.*$/, "")];
    if (name === "Uri" || name === "@Redfish.ActionInfo") return typeof inner === "string" ? [inner] : linksIn(inner);
    return linksIn(inner);
  });
}
