/** OpenStack's Redfish emulator, installed from PyPI, as a process on loopback with two fake machines. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { ManagedProcess } from "../control-plane/process.ts";
import { environmentWith } from "./install.ts";

const packages = ["sushy-tools==2.2.0"];
const run = promisify(execFile);
const START_DEADLINE_MS = 30_000;

export interface SushyEmulator {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly uuids: readonly string[];
  stop(): Promise<void>;
}

const uuids = ["c7a5fdbd-cdaf-9455-926a-d65c16db1809", "c7a5fdbd-cdaf-9455-926a-d65c16db1810"] as const;
const username = "admin";
const password = "emulator-secret";

/** Rejects with the emulator's last words when it does not answer in time. */
export async function startSushyEmulator(): Promise<SushyEmulator> {
  const program = await environmentWith(packages);
  const folder = await mkdtemp(join(tmpdir(), "metalwright-sushy-"));
  const port = await freePort();
  await writeFile(join(folder, "emulator.conf"), configuration(folder, port));
  await run(program("python"), ["-c", HASH, folder]);
  const emulator = new ManagedProcess(
    "sushy-emulator",
    program("sushy-emulator"),
    ["--fake", "--config", join(folder, "emulator.conf")],
    join(folder, "log"),
  );
  const stop = async (): Promise<void> => {
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await answers(port, emulator);
  } catch (error) {
    await stop();
    throw error;
  }
  return { host: "127.0.0.1", port, username, password, uuids, stop };
}

/** The emulator wants its password as a hash that only its own libraries make. */
const HASH = `import bcrypt, sys
line = b"${username}:" + bcrypt.hashpw(b"${password}", bcrypt.gensalt(4)) + b"\\n"
open(sys.argv[1] + "/htpasswd", "wb").write(line)
`;

function configuration(folder: string, port: number): string {
  const systems = uuids.map(
    (uuid, at) =>
      `{"uuid": "${uuid}", "name": "fake${at}", "power_state": "Off", "external_notifier": False,` +
      ` "nics": [{"mac": "00:5c:52:31:3a:9${at}", "ip": "172.22.0.10${at}"}]}`,
  );
  return [
    'SUSHY_EMULATOR_LISTEN_IP = "127.0.0.1"',
    `SUSHY_EMULATOR_LISTEN_PORT = ${port}`,
    `SUSHY_EMULATOR_STATE_DIR = "${folder}"`,
    `SUSHY_EMULATOR_AUTH_FILE = "${folder}/htpasswd"`,
    'SUSHY_EMULATOR_FEATURE_SET = "full"',
    `SUSHY_EMULATOR_FAKE_SYSTEMS = [${systems.join(", ")}]`,
    "",
  ].join("\n");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function answers(port: number, emulator: ManagedProcess): Promise<void> {
  const deadline = performance.now() + START_DEADLINE_MS;
  for (;;) {
    const up = await request(`http://127.0.0.1:${port}/redfish/v1/`).then(
      async ({ body }) => {
        await body.dump();
        return true;
      },
      () => false,
    );
    if (up) return;
    if (!emulator.running || performance.now() > deadline)
      throw new Error(`sushy-emulator did not start:\n${await emulator.lastLines()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
