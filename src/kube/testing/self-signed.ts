/** A self-signed certificate for loopback, written in DER by hand so that tests need nothing but Node. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

function tlv(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const size = body.length;
  if (size < 0x80) return Buffer.concat([Buffer.of(tag, size), body]);
  const length = size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.of(tag, ...length), body]);
}

const sequence = (...parts: Uint8Array[]): Buffer => tlv(0x30, ...parts);
const oid = (...bytes: number[]): Buffer => tlv(0x06, Buffer.from(bytes));
const utcTime = (date: Date): Buffer =>
  tlv(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));

const COMMON_NAME = oid(0x55, 4, 3);
const ALT_NAMES = oid(0x55, 0x1d, 0x11);
const CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2));

/** For `localhost` and 127.0.0.1; it is its own CA. */
export function selfSigned(name: string, from: Date, to: Date): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(name)))));
  const alternatives = sequence(tlv(0x82, Buffer.from("localhost")), tlv(0x87, Buffer.of(127, 0, 0, 1)));
  const extensions = sequence(
    sequence(ALT_NAMES, tlv(0x04, alternatives)),
    sequence(CONSTRAINTS, tlv(0x04, sequence(tlv(0x01, Buffer.of(0xff))))),
  );
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ECDSA_SHA256,
    subject,
    sequence(utcTime(from), utcTime(to)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, extensions),
  );
  const signature = sign("sha256", content, privateKey);
  const der = sequence(content, ECDSA_SHA256, tlv(0x03, Buffer.of(0), signature));
  const cert = `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replaceAll(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}
