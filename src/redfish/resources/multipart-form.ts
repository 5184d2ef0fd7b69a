/** The multipart form of a Redfish update: parameters first, then the image, in this order because firmware reads it so. */
import { createHash } from "node:crypto";

export interface MultipartForm {
  readonly contentType: string;
  readonly body: Uint8Array;
}

export function multipartForm(
  parameters: unknown,
  { fileName, content }: { readonly fileName: string; readonly content: Uint8Array },
): MultipartForm {
  const boundary = boundaryFor(content);
  const part = (name: string, type: string, more = ""): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\ncontent-type: ${type}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part("UpdateParameters", "application/json")}${JSON.stringify(parameters)}\r\n`),
    Buffer.from(part("UpdateFile", "application/octet-stream", `; filename="${safe(fileName)}"`)),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

/** A digest of the content: the content cannot contain it other than by solving the hash. */
function boundaryFor(content: Uint8Array): string {
  return `metalwright-${createHash("sha256").update(content).digest("hex").slice(0, 32)}`;
}

/** A header line ends at a line break and a name at a quote. */
function safe(fileName: string): string {
  return fileName.replace(/[\r\n"\\]/g, "_");
}
