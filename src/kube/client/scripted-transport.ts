/** For tests: a client on a transport that follows a script, with time in the test's hands. */
import { expect } from "vitest";
import { seededRandom, settle, VirtualClock } from "#clock";
import type { ConfigMap } from "#kinds";
import {
  ConnectionLost,
  NotSent,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "../transport/transport.ts";
import type { Client } from "./client.ts";
import { createClient } from "./create-client.ts";
import { failed, respond } from "./tiny-api.ts";

export type Step = (request: TransportRequest) => Promise<TransportResponse>;

export const answer =
  (status: number, body: unknown, headers?: Record<string, string>): Step =>
  async (request) => {
    request.beforeSend?.();
    return respond(status, typeof body === "string" ? body : JSON.stringify(body), headers);
  };
export const refuse = (code: number, reason: string, headers?: Record<string, string>): Step =>
  answer(code, failed(code, reason, "a")[1], headers);
export const notSent: Step = async () => {
  throw new NotSent("connect ECONNREFUSED");
};
export const lost: Step = async (request) => {
  request.beforeSend?.();
  throw new ConnectionLost("reset");
};
export const never =
  (sent: boolean): Step =>
  async (request) => {
    if (sent) request.beforeSend?.();
    return new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  };
export const object = {
  metadata: { name: "a", namespace: "default", uid: "u", resourceVersion: "1" },
  data: { k: "v" },
};
export const ok = answer(200, object);

export function scripted(...steps: Step[]) {
  const requests: TransportRequest[] = [];
  const transport: Transport = {
    request: (request) => {
      requests.push(request);
      const step = steps[Math.min(requests.length, steps.length) - 1];
      return step ? step(request) : Promise.reject(new Error("no step"));
    },
    close: async () => {},
  };
  const clock = new VirtualClock();
  const warnings: string[] = [];
  const client = createClient(transport, {
    clock,
    random: seededRandom(7),
    userAgent: "metalwright/test",
    onWarning: (warning) => warnings.push(warning),
  });
  /** The call's end, however it ends, with time running until then. */
  const end = async (call: (client: Client) => Promise<unknown>): Promise<unknown> => {
    let result: { value: unknown } | undefined;
    void call(client).then(
      (value) => {
        result = { value };
      },
      (error: unknown) => {
        result = { value: error };
      },
    );
    for (await settle(); !result; ) await clock.advance(100);
    expect(clock.pendingTimers).toBe(0);
    return result.value;
  };
  return { client, clock, requests, warnings, end };
}

export const NAME = { namespace: "default", name: "a" };
export const full: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", ...object };
