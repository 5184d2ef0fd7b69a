/** Who hands over a request too slowly is answered and let go, on both protocols. */
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settle, VirtualClock } from "#clock";
import { createAuthority, issue, type KeyPair } from "../security/certificates.ts";
import { type Listener, listen } from "./listener.ts";
import { json } from "./message.ts";

const clock = new VirtualClock();
let authority: KeyPair;
let listener: Listener;

beforeAll(async () => {
  const now = new Date();
  authority = await createAuthority(now);
  const request = { subject: "CN=server", usage: "server", addresses: ["127.0.0.1"] } as const;
  const server = await issue(authority, request, now);
  const handle = async () => json(200, {});
  listener = await listen({ handle, ...server, clientCa: authority.cert, port: 0, host: "127.0.0.1", clock });
});
afterAll(() => listener.close());

/** Lets the server take what was sent, then a minute pass: its timers start only once the request was seen. */
async function passMinute(isOver: () => boolean): Promise<void> {
  for (let n = 0; n < 200 && !isOver(); n++) {
    await new Promise((done) => setImmediate(done));
    await settle();
    await clock.advance(5_000);
  }
}

describe("a slow client", () => {
  it("is answered and cut off over HTTP/1.1", async () => {
    const socket = connectTls({ host: "127.0.0.1", port: listener.port, ca: authority.cert });
    let text = "";
    let closed = false;
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => {
      closed = true;
    });
    await once(socket, "secureConnect");
    socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf");
    await passMinute(() => closed);
    expect([closed, text]).toEqual([true, expect.stringMatching(/^HTTP\/1\.1 504[\s\S]*within the allotted timeout/)]);
  });

  it("is answered and its stream ended over HTTP/2, others go on", async () => {
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.cert });
    const slow = session.request({ ":method": "POST", ":path": "/" });
    let status: unknown;
    let closed = false;
    slow.on("response", (headers) => {
      status = headers[":status"];
    });
    slow.on("close", () => {
      closed = true;
    });
    slow.on("error", () => {});
    slow.resume().write("half");
    await passMinute(() => closed);
    expect([closed, status]).toEqual([true, 504]);
    const [headers] = await once(session.request({ ":path": "/" }).resume(), "response");
    expect(headers[":status"]).toBe(200);
    session.destroy();
  });
});
