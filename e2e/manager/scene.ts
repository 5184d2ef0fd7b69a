/** What the fault scenarios share: the bundled candidate, the proxy in front of a real API server, and replicas to torment. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { ConfigMap } from "#kinds";
import { type RealApi, realApi } from "../../src/kube/testing/real-api.ts";
import { ManagedProcess } from "../control-plane/process.ts";
import { type RecordingProxy, type SeenRequest, startRecordingProxy } from "./recording-proxy.ts";

export interface Scene {
  readonly api: RealApi;
  readonly proxy: RecordingProxy;
  start(identity: string, guard?: "guarded" | "unguarded"): ManagedProcess;
  /** Writes to the objects that only a leader may touch, by one replica or by all. */
  stamps(identity?: string): readonly SeenRequest[];
  close(): Promise<void>;
}

interface Kubeconfig {
  clusters: { cluster: { server: string; "certificate-authority-data"?: string } }[];
}

export async function openScene(): Promise<Scene> {
  const dir = await mkdtemp(join(tmpdir(), "manager-e2e-"));
  const program = await bundleCandidate();
  const api = await realApi();
  for (let i = 0; i < 8; i++) {
    const metadata = { namespace: api.namespace, name: `stamped-${i}`, labels: { stamp: "me" } };
    await api.client.create(ConfigMap, { metadata });
  }
  const config = parse(await readFile(`${process.env.KUBECONFIG}`, "utf8")) as Kubeconfig;
  const [{ cluster }] = config.clusters as [Kubeconfig["clusters"][number]];
  const ca = Buffer.from(cluster["certificate-authority-data"] ?? "", "base64").toString();
  const proxy = await startRecordingProxy(cluster.server, ca);
  cluster.server = proxy.url;
  delete cluster["certificate-authority-data"];
  const kubeconfig = join(dir, "kubeconfig");
  await writeFile(kubeconfig, stringify(config));
  const replicas: ManagedProcess[] = [];
  return {
    api,
    proxy,
    start(identity, guard = "guarded") {
      const args = [`KUBECONFIG=${kubeconfig}`, process.execPath, program.file, identity, api.namespace, guard];
      const replica = new ManagedProcess(identity, "env", args, join(dir, `${identity}.log`));
      replicas.push(replica);
      return replica;
    },
    stamps: (identity) =>
      proxy.seen.filter(
        ({ from, method, path }) =>
          method === "PATCH" && path.includes("/configmaps/stamped") && (identity === undefined || from === identity),
      ),
    async close() {
      for (const replica of replicas) {
        if (replica.running) replica.signal("SIGKILL");
        await replica.stop();
      }
      await proxy.close();
      await api.close();
      await rm(program.dir, { recursive: true, force: true });
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function bundleCandidate(): Promise<{ readonly file: string; readonly dir: string }> {
  const root = new URL("../../", import.meta.url);
  const { bundle } = (await import(new URL("scripts/bundle.mjs", root).href)) as {
    bundle(entries: Record<string, string>, dir: string): Promise<Record<string, string>>;
  };
  const dir = join(root.pathname, ".build", `manager-e2e-${process.pid}`);
  const { candidate = "" } = await bundle({ candidate: "e2e/manager/candidate.ts" }, dir);
  return { file: candidate, dir };
}
