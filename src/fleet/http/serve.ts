/** One request to one BMC, from the socket to the answer: faults, credentials, method, precondition, resource. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Bmc } from "../bmc/bmc.ts";
import { answerDelay, type Mangle, wireFault } from "../faults/wire.ts";
import { isObject, type JsonObject, merge } from "../json.ts";
import type { Profile } from "../profiles/profile.ts";
import { authenticate } from "./auth.ts";
import { readBody } from "./body.ts";
import { matches, tagOf } from "./etag.ts";
import { errorBody, type Saying } from "./messages.ts";
import type { Asked, Place, Resource } from "./place.ts";
import { applyQuery } from "./query.ts";
import { type Reply, refuse } from "./reply.ts";
import type { Match, Router } from "./router.ts";

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
  const reply = mangle?.reply ?? (await answer(served, request));
  if (bmc.rebooting) return void request.socket.destroy();
  if ("takeOver" in reply) reply.takeOver(response);
  else write(bmc, request, response, { reply, mangle });
}

async function answer(served: Served, request: IncomingMessage): Promise<Reply> {
  const { bmc, router } = served;
  const [rawPath = "", queryText = ""] = splitOnce(request.url ?? "/", "?");
  const segments = rawPath
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  if (segments[0] !== "redfish") return refuse(404, "ResourceMissingAtURI", rawPath);
  if (segments.length === 1) return { status: 200, body: { v1: "/redfish/v1/" } };
  const found = segments[1] === "v1" ? router.find(segments.slice(2)) : undefined;
  const isOpen = found?.resource.open && request.method !== "POST" && request.method !== "PATCH";
  const username = authenticate(bmc, request.headers);
  const isOpenPost = found?.resource.openPost && request.method === "POST";
  if (username === undefined && !isOpen && !isOpenPost) return unauthorized(bmc.profile);
  if (!found) return refuse(404, "ResourceMissingAtURI", rawPath);
  const at: Place = { bmc, profile: bmc.profile, path: `/${segments.join("/")}`, params: found.params };
  return dispatch(served, request, { at, found, query: queryText, username });
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
  const refused = precondition(request, resource, at, body);
  if (refused) return refused;
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
  const segments = path
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  const found = router.find(segments.slice(2));
  return (
    found &&
    readResource(found.resource, { bmc, profile: bmc.profile, path: `/${segments.join("/")}`, params: found.params })
  );
}

function readResource(resource: Resource, at: Place): JsonObject | undefined {
  const body = resource.read?.(at);
  const overlay = body && at.bmc.overlay?.get(at.path);
  return overlay ? merge(body, overlay) : body;
}

async function change(request: IncomingMessage, { at, found, username }: Arrival): Promise<Reply> {
  const { resource } = found;
  const raw = await readBody(request, resource.rawBody ? MOST_IMAGE_BYTES : MOST_JSON_BYTES);
  if (!raw) return refuse(413, "UnrecognizedRequestBody");
  const contentType = request.headers["content-type"] ?? "";
  const body = resource.rawBody || raw.length === 0 ? {} : parse(raw);
  if (!body) return refuse(400, "MalformedJSON");
  const asked: Asked = { body, raw, contentType, username };
  const handle = { POST: resource.post, PATCH: resource.patch, PUT: resource.put, DELETE: resource.remove }[
    request.method ?? ""
  ];
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

function precondition(
  request: IncomingMessage,
  resource: Resource,
  at: Place,
  body: JsonObject | undefined,
): Reply | undefined {
  const ifMatch = request.headers["if-match"];
  if (ifMatch === undefined) return undefined;
  const { refusedOnActions } = at.profile.etags;
  const isAction = !resource.read;
  if (isAction && (refusedOnActions === "all" || (refusedOnActions === "update" && resource.update)))
    return refuse(412, "PreconditionFailed");
  if (isAction || !body) return undefined;
  const tag = tagOf(body, JSON.stringify(body), at.profile);
  return tag === undefined || matches(ifMatch, tag, at.profile) ? undefined : refuse(412, "PreconditionFailed");
}

function allowedMethods(resource: Resource): string {
  const readable = resource.read || resource.stream ? ["GET", "HEAD"] : [];
  const more = [resource.patch && "PATCH", resource.put && "PUT", resource.post && "POST", resource.remove && "DELETE"];
  return [...readable, ...more.filter((method) => method !== undefined), "OPTIONS"].join(", ");
}

function unauthorized(profile: Profile): Reply {
  const challenge = profile.sessions
    ? { "www-authenticate": 'Basic realm="redfish"' }
    : { "www-authenticate": 'Basic realm="Redfish"' };
  return { ...refuse(401, "NoValidSession"), headers: challenge };
}

interface Writing {
  readonly reply: Exclude<Reply, { takeOver: unknown }>;
  readonly mangle: Mangle | undefined;
}

function write(bmc: Bmc, request: IncomingMessage, response: ServerResponse, { reply, mangle }: Writing): void {
  const { profile } = bmc;
  const body = "sayings" in reply ? errorBody(reply.sayings satisfies readonly Saying[], profile.messages) : reply.body;
  const headers: Record<string, string | number> = {
    "odata-version": "4.0",
    "cache-control": "no-cache",
    ...reply.headers,
  };
  if (profile.closesConnection) headers.connection = "close";
  let text = body === undefined ? "" : JSON.stringify(body);
  if (body !== undefined) {
    headers["content-type"] = "application/json; charset=utf-8";
    const tag = reply.status === 200 ? tagOf(body, text, profile) : undefined;
    if (tag) headers.etag = tag;
    if (tag && request.headers["if-none-match"] === tag) return void response.writeHead(304, headers).end();
  }
  if (mangle?.html) [text, headers["content-type"]] = [mangle.html, "text/html"];
  headers["content-length"] = Buffer.byteLength(text);
  response.writeHead(mangle?.status ?? reply.status, headers);
  if (mangle?.truncate) {
    response.write(text.slice(0, Math.floor(text.length / 2)));
    return void setImmediate(() => request.socket.destroy());
  }
  response.end(request.method === "HEAD" ? undefined : text);
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
