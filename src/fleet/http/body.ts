/** Reads request bodies, never more than the limit. */
import type { IncomingMessage } from "node:http";

/** The whole body, or undefined when it is larger than allowed. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes <= maxBytes ? Buffer.concat(chunks) : undefined;
}

export interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly data: Buffer;
}

/** The parts of a multipart/form-data body; undefined when it is none. */
export function partsOf(body: Buffer, contentType: string): readonly Part[] | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (!boundary) return undefined;
  const parts: Part[] = [];
  const mark = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(mark); at >= 0; ) {
    const next = body.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const part = partOf(body.subarray(at + mark.length + 2, next - 2));
    if (part) parts.push(part);
    at = next;
  }
  return parts;
}

function partOf(raw: Buffer): Part | undefined {
  const end = raw.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = raw.subarray(0, end).toString("utf8");
  const name = /name="([^"]*)"/.exec(head)?.[1];
  if (name === undefined) return undefined;
  return { name, fileName: /filename="([^"]*)"/.exec(head)?.[1], data: raw.subarray(end + 4) };
}
