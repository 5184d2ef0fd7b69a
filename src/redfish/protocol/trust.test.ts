import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import * as x509 from "@peculiar/x509";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "#clock";
import { bmcAddress } from "./address.ts";
import { Connection } from "./connection.ts";

let server: Server | undefined;
let connection: Connection | undefined;
afterEach(async () => {
  await connection?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

/** A key and certificate as a BMC makes them for itself. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const made = await x509.X509CertificateGenerator.createSelfSigned(
    { name: "CN=bmc.example", keys: keys as never, signingAlgorithm: algorithm },
    webcrypto as never,
  );
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { cert: made.toString("pem"), key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY") };
}

/** A BMC from the time of TLS 1.0. */
async function oldBmc(): Promise<number> {
  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  server = createServer({ ...(await selfSigned()), ...old }, (_, response) => response.end("{}"));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

describe("a BMC that knows only old TLS", () => {
  it.each([
    ["is not talked to by itself", false, { ok: false }],
    ["is talked to where a person allowed it for this one", true, { ok: true }],
  ])("%s", async (_, legacyCiphers, expected) => {
    const address = bmcAddress("https", "127.0.0.1", await oldBmc());
    connection = new Connection({ address, clock: systemClock, tls: { trust: { mode: "none" }, legacyCiphers } });
    expect(await connection.send({ method: "GET", path: "/redfish/v1/" })).toMatchObject(expected);
  });
});
