/** Reads a request body up to a limit; beyond it the request is refused without reading on. */
import type { Readable } from "node:stream";
import { tooLarge } from "./status-error.ts";

/** Upstream's limit for a request body. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;

export function readBody(stream: Readable, limitBytes = MAX_BODY_BYTES): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limitBytes) {
        stream.off("data", onData);
        stream.pause();
        reject(tooLarge(limitBytes));
        return;
      }
      chunks.push(chunk);
    };
    stream.on("data", onData);
    stream.once("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    stream.once("error", reject);
    stream.once("close", () => reject(new Error("the client went away while sending its request")));
  });
}
