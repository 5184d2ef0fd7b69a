/** Empties namespaces that are being deleted, then lets them go. */
import type { KubeObject } from "#kinds";
import type { Environment } from "../rest/call.ts";
import { removeStored } from "../rest/delete.ts";
import { modify } from "../rest/modify.ts";
import type { Change } from "../store/index.ts";
import type { Background } from "./background.ts";
import { KeyQueue } from "./key-queue.ts";

const NAMESPACES = "core/namespaces";

interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
}

export class NamespaceController {
  readonly #environment: Environment;
  readonly #queue: KeyQueue;

  constructor(environment: Environment, background: Background) {
    this.#environment = environment;
    this.#queue = new KeyQueue(background, "empty namespaces", (name) => this.#empty(name));
  }

  start(): () => void {
    const { store } = this.#environment;
    for (const { object } of store.range(NAMESPACES, `${NAMESPACES}/`)) this.#consider(object.metadata.name ?? "");
    return store.subscribeAll((change) => this.#onChange(change));
  }

  #onChange({ type, entry }: Change): void {
    const { name = "", namespace } = entry.object.metadata;
    if (entry.key.startsWith(`${NAMESPACES}/`)) this.#consider(name);
    else if (type === "DELETED" && namespace) this.#consider(namespace);
  }

  #consider(name: string): void {
    const object = this.#environment.store.get(`${NAMESPACES}/${name}`)?.object;
    if (object?.metadata.deletionTimestamp) this.#queue.add(name);
  }

  async #empty(name: string): Promise<void> {
    const key = `${NAMESPACES}/${name}`;
    const { store, registry } = this.#environment;
    if (!store.get(key)?.object.metadata.deletionTimestamp) return;
    const namespaced = registry.stored().filter((r) => r.scope === "Namespaced");
    let left = 0;
    for (const { storage } of namespaced) {
      for (const entry of [...store.range(storage, `${storage}/${name}/`)]) {
        if (!entry.object.metadata.deletionTimestamp) await removeStored(this.#environment, entry.key, undefined);
        if (store.get(entry.key)) left++;
      }
    }
    if (left === 0) await this.#release(key);
  }

  async #release(key: string): Promise<void> {
    const { store } = this.#environment;
    const released = await modify(store, key, (object) => {
      const namespace = object as Namespace;
      const finalizers = (namespace.spec?.finalizers ?? []).filter((f) => f !== "kubernetes");
      if (finalizers.length === (namespace.spec?.finalizers ?? []).length) return undefined;
      namespace.spec = finalizers.length > 0 ? { finalizers } : {};
      return namespace;
    });
    const left = released?.object as Namespace | undefined;
    if (left && !left.spec?.finalizers?.length && !left.metadata.finalizers?.length) {
      await removeStored(this.#environment, key, left.metadata.uid);
    }
  }
}
