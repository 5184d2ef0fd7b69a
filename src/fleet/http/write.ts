/** Puts a reply on the wire with the headers the protocol wants, spoilt by a fault if one is at work. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Bmc } from "../bmc/bmc.ts";
import type { Mangle } from "../faults/wire.ts";
import type { JsonObject } from "../json.ts";
import type { Profile } from "../profiles/profile.ts";
import { tagOf } from "./etag.ts";
import { errorBody } from "./messages.ts";
import type { Reply } from "./reply.ts";

export interface Writing {
  readonly reply: Exclude<Reply, { takeOver: unknown }>;
  readonly mangle: Mangle | undefined;
}

export function writeReply(
  bmc: Bmc,
  request: IncomingMessage,
  response: ServerResponse,
  { reply, mangle }: Writing,
): void {
  const { profile } = bmc;
  const body = "sayings" in reply ? errorBody(reply.sayings, profile.messages) : reply.body;
  let text = body === undefined ? "" : JSON.stringify(body);
  const headers = headersOf(reply, body, text, profile);
  if (headers.etag !== undefined && request.headers["if-none-match"] === headers.etag)
    return void response.writeHead(304, headers).end();
  if (mangle?.html) [text, headers["content-type"]] = [mangle.html, "text/html"];
  headers["content-length"] = Buffer.byteLength(text);
  response.writeHead(mangle?.status ?? reply.status, headers);
  if (mangle?.truncate) {
    response.write(text.slice(0, Math.floor(text.length / 2)));
    return void setImmediate(() => request.socket.destroy());
  }
  response.end(request.method === "HEAD" ? undefined : text);
}

function headersOf(
  { status, headers: given }: Writing["reply"],
  body: JsonObject | undefined,
  text: string,
  profile: Profile,
): Record<string, string | number> {
  const headers: Record<string, string | number> = { "odata-version": "4.0", "cache-control": "no-cache", ...given };
  if (profile.closesConnection) headers.connection = "close";
  if (body === undefined) return headers;
  headers["content-type"] = "application/json; charset=utf-8";
  const type = body["@odata.type"];
  if (status === 200 && typeof type === "string") headers.link = describedBy(type);
  const tag = status === 200 ? tagOf(body, text, profile) : undefined;
  if (tag) headers.etag = tag;
  return headers;
}

/** "#ComputerSystem.v1_22_0.ComputerSystem" is described by the schema ComputerSystem.v1_22_0. */
function describedBy(type: string): string {
  return `<http://redfish.dmtf.org/schemas/v1/${type.slice(1, type.lastIndexOf("."))}.json>; rel=describedby`;
}
