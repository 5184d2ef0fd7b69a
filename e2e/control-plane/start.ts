/** A real Kubernetes control plane on loopback, for suites that must not take a double's word for it. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stringify } from "yaml";
import { installControlPlane, type Program } from "./install.ts";
import { ManagedProcess } from "./process.ts";

export interface ControlPlaneOptions {
  readonly log?: (line: string) => void;
  /** Sync every write to disk, as production does; off unless durability is the subject. */
  readonly fsync?: boolean;
}

export interface ControlPlane {
  readonly url: string;
  /** Path of an administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly programs: Record<Program, string>;
  /** Resident memory of the API server and etcd, by process id. */
  readonly pids: { readonly apiServer: number; readonly etcd: number };
  /** SIGKILL to the API server, as a crash; etcd goes on. */
  killApiServer(): Promise<void>;
  startApiServer(): Promise<void>;
  stop(): Promise<void>;
}

interface Site {
  readonly dir: string;
  readonly token: string;
  readonly ports: {
    readonly api: number;
    readonly etcd: number;
    readonly etcdPeer: number;
    readonly controllers: number;
  };
  readonly programs: Record<Program, string>;
}

/** Installs what is missing, starts etcd, the API server and the controller manager, and waits until they are ready. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const programs = await installControlPlane(options.log ?? (() => {}));
  const dir = await mkdtemp(join(tmpdir(), "metalwright-kube-"));
  const [api, etcd, etcdPeer, controllers] = await freePorts(4);
  const site: Site = {
    dir,
    token: randomBytes(16).toString("hex"),
    ports: { api, etcd, etcdPeer, controllers },
    programs,
  };
  await writeCredentials(site);

  const started: ManagedProcess[] = [];
  const start = (name: Program, args: readonly string[]): ManagedProcess => {
    const process = new ManagedProcess(name, programs[name], args, join(dir, `${name}.log`));
    started.push(process);
    return process;
  };
  const stopAll = async (): Promise<void> => {
    // In reverse: an API server whose etcd is gone does not end on SIGTERM.
    for (const process of started.reverse()) await process.stop();
    await rm(dir, { recursive: true, force: true });
  };

  try {
    const etcdProcess = start("etcd", etcdFlags(site, options.fsync ?? false));
    let apiServer = start("kube-apiserver", apiServerFlags(site));
    await ready(site, apiServer);
    const kubeconfig = await writeKubeconfig(site);
    start("kube-controller-manager", controllerManagerFlags(site, kubeconfig));
    await defaultServiceAccount(site);
    return {
      url: `https://127.0.0.1:${api}`,
      kubeconfig,
      programs,
      get pids() {
        return { apiServer: apiServer.pid, etcd: etcdProcess.pid };
      },
      async killApiServer() {
        apiServer.signal("SIGKILL");
        await apiServer.stop();
      },
      async startApiServer() {
        apiServer = start("kube-apiserver", apiServerFlags(site));
        await ready(site, apiServer);
      },
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function writeCredentials({ dir, token }: Site): Promise<void> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await writeFile(join(dir, "service-accounts.key"), privateKey.export({ type: "sec1", format: "pem" }), {
    mode: 0o600,
  });
  await writeFile(join(dir, "tokens.csv"), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
}

/** The API server makes its own certificate; what it wrote is the authority that clients trust. */
async function writeKubeconfig({ dir, ports, token }: Site): Promise<string> {
  const authority = await readFile(join(dir, "certificates", "apiserver.crt"));
  const path = join(dir, "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "real",
    clusters: [
      {
        name: "real",
        cluster: {
          server: `https://127.0.0.1:${ports.api}`,
          "certificate-authority-data": authority.toString("base64"),
        },
      },
    ],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "real", context: { cluster: "real", user: "admin" } }],
  };
  await writeFile(path, stringify(config), { mode: 0o600 });
  return path;
}

function etcdFlags({ dir, ports }: Site, fsync: boolean): readonly string[] {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    `--data-dir=${join(dir, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    ...(fsync ? [] : ["--unsafe-no-fsync"]),
  ];
}

function apiServerFlags({ dir, ports }: Site): readonly string[] {
  const key = join(dir, "service-accounts.key");
  return [
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    "--external-hostname=127.0.0.1",
    `--secure-port=${ports.api}`,
    `--cert-dir=${join(dir, "certificates")}`,
    `--token-auth-file=${join(dir, "tokens.csv")}`,
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    "--authorization-mode=RBAC",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    "--endpoint-reconciler-type=none",
  ];
}

function controllerManagerFlags({ dir, ports }: Site, kubeconfig: string): readonly string[] {
  return [
    "--bind-address=127.0.0.1",
    `--secure-port=${ports.controllers}`,
    `--cert-dir=${join(dir, "controller-certificates")}`,
    `--kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${join(dir, "service-accounts.key")}`,
    "--leader-elect=false",
    "--controllers=namespace-controller,garbage-collector-controller,serviceaccount-controller,root-ca-certificate-publisher-controller",
    "--concurrent-gc-syncs=4",
  ];
}

const READY_WITHIN_MS = 90_000;

async function ready(site: Site, apiServer: ManagedProcess): Promise<void> {
  await until(async () => {
    if (!apiServer.running) throw new Error(`kube-apiserver ended while starting:\n${await apiServer.lastLines()}`);
    return (await status(site, "/readyz")) === 200;
  }, "kube-apiserver did not become ready");
}

/** Namespaced objects that need it are refused until the controller manager made the default ServiceAccount. */
async function defaultServiceAccount(site: Site): Promise<void> {
  const path = "/api/v1/namespaces/default/serviceaccounts/default";
  await until(async () => (await status(site, path)) === 200, "kube-controller-manager made no default ServiceAccount");
}

async function until(isTrue: () => Promise<boolean>, complaint: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`${complaint} within ${READY_WITHIN_MS / 1000} s`);
    await sleep(100);
  }
}

/** The HTTP status of a GET, or 0 while nobody answers. Trust is settled later, by the kubeconfig. */
function status({ ports, token }: Site, path: string): Promise<number> {
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port: ports.api, path, rejectUnauthorized: false, timeout: 2000 };
    const call = request({ ...options, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve(0));
    call.end();
  });
}

async function freePorts(count: 4): Promise<[number, number, number, number]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports as [number, number, number, number];
}
