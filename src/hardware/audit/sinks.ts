/** Where audit lines go: a file that only grows, or a stream such as stdout. */
import { type FileHandle, open } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { AuditSink } from "./audit-log.ts";

/** Appends to a file, readable by its owner only; a line counts when it is on the disk. */
export async function fileSink(path: string): Promise<AuditSink> {
  const file = await open(path, "a+", 0o600);
  let ready = await endsInTheMiddle(file);
  return {
    async append(line) {
      // A process that was killed while writing leaves half a line; ours must not become its other half.
      const { bytesWritten } = await file.write(`${ready ? "\n" : ""}${line}\n`);
      if (bytesWritten < Buffer.byteLength(line) + 1)
        throw new Error(`${path}: only ${bytesWritten} bytes were written`);
      ready = false;
      await file.datasync();
    },
    close: () => file.close(),
  };
}

async function endsInTheMiddle(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last.toString() !== "\n";
}

/** Writes to a stream that others own and end. */
export function streamSink(stream: Writable): AuditSink {
  return {
    append: (line) =>
      new Promise((resolve, reject) => {
        stream.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => Promise.resolve(),
  };
}
