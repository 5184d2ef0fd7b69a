/**
 * The audit log: one audit.k8s.io/v1 Event per request, at level Metadata, so never with a body in it. Only says what
 * happened; a log that cannot be written is reported and stops nothing.
 */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import type { Clock } from "#clock";
import type { RequestInfo } from "../rest/request-info.ts";
import type { ApiRequest, UserInfo } from "./message.ts";

/** What the pipeline finds out about a request on its way. */
export interface Trail {
  user?: UserInfo;
  impersonated?: UserInfo;
  info?: RequestInfo;
  allowed?: boolean;
}

export interface AuditLog {
  /** Notes the begin of a request; the returned function notes its answer. */
  begin(request: ApiRequest, trail: Trail): (code: number) => void;
  close(): Promise<void>;
}

export function openAuditLog(file: string, clock: Clock, report: (what: string, error: unknown) => void): AuditLog {
  const out = createWriteStream(file, { flags: "a", mode: 0o600 });
  out.on("error", (error) => report(`audit log ${file}`, error));
  return {
    begin: (request, trail) => {
      const received = clock.now();
      return (code) => {
        const times = { requestReceivedTimestamp: micro(received), stageTimestamp: micro(clock.now()) };
        out.write(`${JSON.stringify({ ...eventOf(request, trail, code), ...times, ...decision(trail) })}\n`);
      };
    },
    close: () => new Promise((done) => out.end(() => done())),
  };
}

function eventOf(request: ApiRequest, { user, impersonated, info }: Trail, code: number): object {
  const search = request.query.toString();
  const agent = request.headers["user-agent"];
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: randomUUID(),
    stage: "ResponseComplete",
    requestURI: search === "" ? request.path : `${request.path}?${search}`,
    verb: info?.verb ?? request.method.toLowerCase(),
    user: user ?? {},
    ...(impersonated && { impersonatedUser: impersonated }),
    ...(agent && { userAgent: agent }),
    ...(info?.isResource && { objectRef: objectRef(info) }),
    responseStatus: { metadata: {}, code },
  };
}

/** Which object it was about, without what it does not have. */
function objectRef(info: Extract<RequestInfo, { isResource: true }>): object {
  const { resource, namespace, name, group: apiGroup, version: apiVersion, subresource } = info;
  const all = { resource, namespace, name, apiGroup, apiVersion, subresource };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

function decision({ allowed }: Trail): object {
  if (allowed === undefined) return {};
  return { annotations: { "authorization.k8s.io/decision": allowed ? "allow" : "forbid" } };
}

/** A MicroTime, as audit events carry it. */
function micro(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
