import { expect, it } from "vitest";
import { multipartForm } from "./multipart-form.ts";

it("the form of an update has its parameters first, the bytes untouched, and a name that cannot break out", () => {
  const content = Buffer.from([0, 13, 10, 45, 45, 255]);
  const { contentType, body } = multipartForm({ Targets: [] }, { fileName: 'a"\r\nx: y.bin', content });
  const text = Buffer.from(body).toString("latin1");
  const boundary = contentType.split("boundary=")[1] ?? "";
  const parts = text.split(`--${boundary}`);
  expect(parts).toHaveLength(4);
  expect(parts[1]).toContain('name="UpdateParameters"');
  expect(parts[1]).toContain('{"Targets":[]}');
  expect(parts[2]).toContain('name="UpdateFile"; filename="a___x: y.bin"');
  expect(parts[2]?.endsWith(`\r\n\r\n${content.toString("latin1")}\r\n`)).toBe(true);
});
