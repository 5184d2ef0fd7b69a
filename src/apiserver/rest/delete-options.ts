/** What a deletion asks for, from body or query: preconditions, propagation, dry run. */
import { invalid, notSupported } from "../field-error.ts";
import { badRequest } from "../http/status-error.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { decodeBody } from "./body.ts";
import type { Call } from "./call.ts";
import { dryRunErrors, refuse } from "./write-options.ts";

export type Propagation = "Orphan" | "Background" | "Foreground";

export interface DeleteOptions {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly propagation: Propagation | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly dryRun: boolean;
}

const POLICIES = ["Foreground", "Background", "Orphan"];

export function deleteOptions({ request }: Call): DeleteOptions {
  const body = request.body.length > 0 ? readBody(request) : fromQuery(request.query);
  const dryRun = Array.isArray(body.dryRun) ? body.dryRun.map(String) : [];
  const policy = body.propagationPolicy;
  const orphan = typeof body.orphanDependents === "boolean" ? body.orphanDependents : undefined;
  refuse("DeleteOptions", [
    ...(policy !== undefined && orphan !== undefined
      ? [invalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set")]
      : []),
    ...(policy === undefined || POLICIES.includes(String(policy))
      ? []
      : [notSupported("propagationPolicy", policy, [...POLICIES, "nil"])]),
    ...dryRunErrors(dryRun),
  ]);
  const preconditions = isJsonObject(body.preconditions) ? body.preconditions : {};
  return {
    uid: optionalText(preconditions.uid),
    resourceVersion: optionalText(preconditions.resourceVersion),
    propagation: policy as Propagation | undefined,
    orphanDependents: orphan,
    dryRun: dryRun.length > 0,
  };
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readBody(request: Call["request"]): JsonObject {
  const { object } = decodeBody(request.body, request.headers["content-type"], "DeleteOptions");
  if (object.kind !== undefined && object.kind !== "DeleteOptions") {
    const version = JSON.stringify(object.apiVersion ?? "");
    throw badRequest(
      `no kind ${JSON.stringify(object.kind)} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  return object;
}

function fromQuery(query: URLSearchParams): JsonObject {
  const options: JsonObject = { dryRun: query.getAll("dryRun").filter(Boolean) };
  const policy = query.get("propagationPolicy");
  const orphan = query.get("orphanDependents");
  if (policy) options.propagationPolicy = policy;
  if (orphan) options.orphanDependents = orphan === "true" || orphan === "1";
  return options;
}
