/** Brings an API to where our kinds can be used: every CustomResourceDefinition applied and served. */
import { allKinds } from "#api";
import { systemClock, systemRandom } from "#clock";
import { CustomResourceDefinition, crdOf } from "#kinds";
import { type Client, connect, createClient, loadConfig } from "#kube";

const MANAGER = "metalwright";
const SERVED_WITHIN_MS = 30_000;

/** A client for the API that a kubeconfig file names. */
export async function connectTo(kubeconfig: string): Promise<Client> {
  const services = { clock: systemClock, random: systemRandom };
  const config = await loadConfig({ kubeconfig, env: process.env });
  return createClient(connect(config, services), { ...services, userAgent: "metalwright" });
}

/** Applies the definitions and waits until all are established; returns how many there are. */
export async function installKinds(client: Client): Promise<number> {
  for (const kind of allKinds) {
    await client.apply(CustomResourceDefinition, crdOf(kind), { fieldManager: MANAGER, force: true });
  }
  const deadline = systemClock.monotonic() + SERVED_WITHIN_MS;
  for (const kind of allKinds) await established(client, `${kind.plural}.${kind.group}`, deadline);
  return allKinds.length;
}

async function established(client: Client, name: string, deadline: number): Promise<void> {
  for (;;) {
    const definition = await client.get(CustomResourceDefinition, name);
    if (definition.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True")) return;
    if (systemClock.monotonic() > deadline) throw new Error(`${name} is not served after ${SERVED_WITHIN_MS / 1000} s`);
    await systemClock.sleep(100);
  }
}

/** Applies objects of our kinds, in the order given. */
export async function applyObjects(client: Client, objects: readonly Record<string, unknown>[]): Promise<void> {
  for (const object of objects) {
    const kind = allKinds.find((known) => known.kind === object.kind);
    if (!kind) throw new Error(`no kind of ours is called ${String(object.kind)}`);
    await client.apply(kind, object, { fieldManager: MANAGER, force: true });
  }
}
