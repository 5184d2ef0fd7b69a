/** OpenIPMI's `ipmi_sim` with one chassis on loopback: other people's IPMI to test ours against. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface IpmiSimulator {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** What the chassis was last set to: "power", "boot". */
  state(name: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The Debian packages that bring both ends. */
export const ipmiPackages = ["ipmitool", "openipmi"];

export function isInstalled(): boolean {
  return ["ipmitool", "ipmi_sim"].every((name) => spawnSync("which", [name]).status === 0);
}

export async function startIpmiSimulator(): Promise<IpmiSimulator> {
  const folder = await mkdtemp(join(tmpdir(), "ipmi-sim-"));
  const port = await freePort();
  const [username, password] = ["admin", "Secret-word-1"];
  await mkdir(join(folder, "state"));
  await writeFile(join(folder, "lan.conf"), lanConfig(folder, port, username, password));
  await writeFile(join(folder, "sim.emu"), emulation);
  await writeFile(join(folder, "chassis"), chassisScript(folder));
  await chmod(join(folder, "chassis"), 0o755);
  const args = ["-c", join(folder, "lan.conf"), "-f", join(folder, "sim.emu"), "-s", join(folder, "state"), "-n"];
  // It reads commands from standard input and ends with it.
  const child = spawn("ipmi_sim", args, { stdio: ["pipe", "ignore", "ignore"] });
  return {
    port,
    username,
    password,
    state: (name) =>
      readFile(join(folder, name), "utf8").then(
        (text) => text.trim(),
        () => undefined,
      ),
    close: async () => {
      await end(child);
      await rm(folder, { recursive: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

async function freePort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

function lanConfig(folder: string, port: number, username: string, password: string): string {
  const every = ["callback", "user", "operator", "admin"];
  return `name "sim"
set_working_mc 0x20
  startlan 1
    addr 127.0.0.1 ${port}
    priv_limit admin
${every.map((level) => `    allowed_auths_${level} none md2 md5 straight`).join("\n")}
    guid a123456789abcdefa123456789abcdef
  endlan
  chassis_control "${join(folder, "chassis")}"
  user 1 true "" "" user 10 none md2 md5 straight
  user 2 true "${username}" "${password}" admin 10 none md2 md5 straight
`;
}

/** A BMC with a product nameplate: Acme S, Box 1, SN12. */
const emulation = `mc_setbmc 0x20
mc_add 0x20 0 has-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr
sel_enable 0x20 1000 0x0a
mc_add_fru_data 0x20 0 128 data 0x01 0x00 0x00 0x00 0x01 0x00 0x00 0xfe 0x01 0x08 0x19 0xc6 0x41 0x63 0x6d 0x65 0x20 0x53 0xc5 0x42 0x6f 0x78 0x20 0x31 0xc3 0x50 0x2d 0x31 0xc2 0x76 0x31 0xc4 0x53 0x4e 0x31 0x32 0xc0 0xc0 0xc1
mc_enable 0x20
`;

function chassisScript(folder: string): string {
  return `#!/bin/sh
cd "${folder}"
op=$1; shift
case $op in
  get) for name in "$@"; do
         usual=0; [ "$name" = boot ] && usual=none
         echo "$name:$(cat "$name" 2>/dev/null || echo $usual)"
       done ;;
  set) echo "$2" > "$1" ;;
esac
`;
}
