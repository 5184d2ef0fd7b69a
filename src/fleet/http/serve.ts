/** One request to one BMC, from the socket to the answer: faults, credentials, method, precondition, resource. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Bmc } from "../bmc/bmc.ts";
import { answerDelay, wireFault } from "../faults/wire.ts";
import { isObject, type JsonObject } from "../json.ts";
import { authenticate } from "./auth.ts";
import { readBody } from "./body.ts";
import { matches, tagOf } from "./etag.ts";
import type { Asked, Place, Resource } from "./place.ts";
import { applyQuery } from "./query.ts";
import { type Reply, refuse } from "./reply.ts";
import type { Match, Router } from "./router.ts";
import { writeReply } from "./write.ts";

const MOST_JSON_BYTES = 1 << 20;
const MOST_IMAGE_BYTES = 256 << 20;

export interface Served {
  readonly bmc: Bmc;
  readonly router: Router;
}

/** Answers the request; never rejects. */
export async function serve(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { bmc } = served;
  if (bmc.rebooting) return void request.socket.destroy();
  const mangle = wireFault(bmc, request);
  if (mangle?.silent) return;
  if (mangle?.reset) return void request.socket.resetAndDestroy();
  const delay = answerDelay(bmc, request);
  if (delay > 0) await bmc.world.clock.sleep(delay);
  if (response.destroyed) return;
  const reply = mangle?.reply ?? (await answer(served, request).catch((error: unknown) => failure(request, error)));
  if (bmc.rebooting) return void request.socket.destroy();
  if ("takeOver" in reply) reply.takeOver(response);
  else writeReply(bmc, request, response, { reply, mangle });
}

/** A bug here must look like a bug of the BMC and leave the rest of the fleet alone; a client that left gets nothing. */
function failure(request: IncomingMessage, error: unknown): Reply {
  if (!request.destroyed)
    process.emitWarning(`${request.method} ${request.url}: ${error instanceof Error ? error.stack : String(error)}`);
  return refuse(500, "InternalError");
}

async function answer(served: Served, request: IncomingMessage): Promise<Reply> {
  const { bmc, router } = served;
  const [rawPath = "", queryText = ""] = splitOnce(request.url ?? "/", "?");
  const segments = segmentsOf(rawPath);
  if ((request.headers["odata-version"] ?? "4.0") !== "4.0") return refuse(412, "PreconditionFailed");
  if (segments[0] !== "redfish") return refuse(404, "ResourceMissingAtURI", rawPath);
  if (segments.length === 1)
    return { status: 200, body: { v1: "/redfish/v1/" }, headers: { allow: "GET, HEAD, OPTIONS" } };
  // Creating in a collection's Members is creating in the collection.
  if (request.method === "POST" && segments.at(-1) === "Members") segments.pop();
  const found = segments[1] === "v1" ? router.find(segments.slice(2)) : undefined;
  const username = authenticate(bmc, request.headers);
  if (username === undefined && !isOpenTo(found?.resource, request.method ?? "GET")) return unauthorized();
  if (!found) return refuse(404, "ResourceMissingAtURI", rawPath);
  const at: Place = { bmc, profile: bmc.profile, path: `/${segments.join("/")}`, params: found.params };
  return dispatch(served, request, { at, found, query: queryText, username });
}

/** What a stranger may do: read the root's documents, and log in. */
function isOpenTo(resource: Resource | undefined, method: string): boolean {
  if (method === "GET" || method === "HEAD" || method === "OPTIONS") return resource?.open === true;
  return method === "POST" && resource?.openPost === true;
}

/** Read-only accounts change nothing but their own session. */
function mayChange({ at, username, found }: Arrival): boolean {
  if (found.resource.openPost || at.path.includes("/SessionService/Sessions/")) return true;
  return username !== undefined && at.bmc.accounts.named(username)?.role !== "ReadOnly";
}

interface Arrival {
  readonly at: Place;
  readonly found: Match;
  readonly query: string;
  readonly username: string | undefined;
}

async function dispatch(served: Served, request: IncomingMessage, arrival: Arrival): Promise<Reply> {
  const { at, found } = arrival;
  const { resource } = found;
  const body = readResource(resource, at);
  if (resource.read && !body) return refuse(404, "ResourceMissingAtURI", at.path);
  const allow = allowedMethods(resource);
  const method = request.method ?? "GET";
  if (method === "OPTIONS") return { status: 204, headers: { allow } };
  if (!allow.split(", ").includes(method)) return { ...refuse(405, "OperationNotAllowed"), headers: { allow } };
  if (method === "GET" || method === "HEAD") return read(served, arrival, body, allow);
  if (!mayChange(arrival)) return refuse(403, "InsufficientPrivilege");
  return change(request, arrival);
}

function read(served: Served, { at, found, query }: Arrival, body: JsonObject | undefined, allow: string): Reply {
  if (found.resource.stream) return found.resource.stream(at);
  if (!body) return refuse(404, "ResourceMissingAtURI", at.path);
  if (query === "") return { status: 200, body, headers: { allow } };
  const shaped = applyQuery(body, new URLSearchParams(query), at.profile, (path) => readPath(served, path));
  return "status" in shaped && "sayings" in shaped
    ? (shaped as Reply)
    : { status: 200, body: shaped as JsonObject, headers: { allow } };
}

/** Reads another resource of the same BMC, for $expand. */
function readPath({ bmc, router }: Served, path: string): JsonObject | undefined {
  const segments = segmentsOf(path);
  const found = router.find(segments.slice(2));
  return (
    found &&
    readResource(found.resource, { bmc, profile: bmc.profile, path: `/${segments.join("/")}`, params: found.params })
  );
}

function readResource(resource: Resource, at: Place): JsonObject | undefined {
  const body = resource.read?.(at);
  const overlay = body && at.bmc.overlay?.get(at.path);
  return overlay ? { ...body, ...overlay } : body;
}

/** The body is read first: between the precondition and the change nothing else may happen. */
async function change(request: IncomingMessage, { at, found, username }: Arrival): Promise<Reply> {
  const { resource } = found;
  const raw = await readBody(request, resource.rawBody ? MOST_IMAGE_BYTES : MOST_JSON_BYTES);
  if (!raw) return refuse(413, "UnrecognizedRequestBody");
  const contentType = request.headers["content-type"] ?? "";
  const body = resource.rawBody || raw.length === 0 ? {} : parse(raw);
  if (!body) return refuse(400, "MalformedJSON");
  const refused = precondition(request, resource, at);
  if (refused) return refused;
  const asked: Asked = { body, raw, contentType, username };
  const methods = { POST: resource.post, PATCH: resource.patch, PUT: resource.put, DELETE: resource.remove };
  const handle = methods[request.method as keyof typeof methods];
  return handle ? handle(at, asked) : refuse(405, "OperationNotAllowed");
}

function parse(raw: Buffer): JsonObject | undefined {
  try {
    const body: unknown = JSON.parse(raw.toString("utf8"));
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function precondition(request: IncomingMessage, resource: Resource, at: Place): Reply | undefined {
  const ifMatch = request.headers["if-match"];
  if (ifMatch === undefined) return undefined;
  const { refusedOnActions } = at.profile.etags;
  if (!resource.read) {
    const isRefused = refusedOnActions === "all" || (refusedOnActions === "update" && resource.update);
    return isRefused ? refuse(412, "PreconditionFailed") : undefined;
  }
  const body = readResource(resource, at);
  const tag = body && tagOf(body, JSON.stringify(body), at.profile);
  return tag === undefined || matches(ifMatch, tag, at.profile) ? undefined : refuse(412, "PreconditionFailed");
}

function allowedMethods(resource: Resource): string {
  const readable = resource.read || resource.stream ? ["GET", "HEAD"] : [];
  const more = [resource.patch && "PATCH", resource.put && "PUT", resource.post && "POST", resource.remove && "DELETE"];
  return [...readable, ...more.filter((method) => method !== undefined), "OPTIONS"].join(", ");
}

function unauthorized(): Reply {
  return { ...refuse(401, "NoValidSession"), headers: { "www-authenticate": 'Basic realm="redfish"' } };
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function segmentsOf(path: string): string[] {
  const segments = path.split("/").filter((part) => part !== "");
  return path.includes("%") ? segments.map(decode) : segments;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
