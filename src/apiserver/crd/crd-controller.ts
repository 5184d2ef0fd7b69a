/** Brings CRDs to life: accepts their names, serves their versions, and takes their objects along when they go. */

import { wireTime } from "#kinds";
import type { Background } from "../controllers/background.ts";
import type { Environment } from "../rest/call.ts";
import { removeStored } from "../rest/delete.ts";
import { trackWrite } from "../rest/managed.ts";
import { discard, modify } from "../rest/modify.ts";
import type { Resource } from "../rest/resource.ts";
import type { Change } from "../store/index.ts";
import { customResourceDefinitions } from "./crd-kind.ts";
import { customResources } from "./custom-resource.ts";
import {
  CLEANUP_FINALIZER,
  CRD_STORAGE,
  type CrdCondition,
  type CustomResourceDefinition,
  conditionOf,
} from "./definition.ts";
import { nameConflict } from "./name-conflict.ts";

export class CrdController {
  readonly #environment: Environment;
  readonly #background: Background;
  readonly #served = new Map<string, Resource[]>();

  constructor(environment: Environment, background: Background) {
    this.#environment = environment;
    this.#background = background;
  }

  /** Serves what is stored, then follows every change. Returns the way to stop. */
  start(): () => void {
    const { store } = this.#environment;
    for (const { object } of store.range(CRD_STORAGE, `${CRD_STORAGE}/`))
      this.#sync(object as CustomResourceDefinition);
    return store.subscribe(CRD_STORAGE, (change) => this.#onChange(change));
  }

  #onChange({ type, entry }: Change): void {
    const crd = entry.object as CustomResourceDefinition;
    if (type === "DELETED") this.#unserve(crd.metadata.name ?? "");
    else this.#sync(crd);
  }

  #sync(crd: CustomResourceDefinition): void {
    const name = crd.metadata.name ?? "";
    if (conditionOf(crd, "Established")?.status === "True") this.#serve(crd);
    if (crd.metadata.deletionTimestamp) {
      if (crd.metadata.finalizers?.includes(CLEANUP_FINALIZER))
        this.#background.run(`clean up ${name}`, () => this.#cleanUp(crd));
      return;
    }
    if (!sameNames(crd) || !conditionOf(crd, "Established")) {
      this.#background.run(`accept the names of ${name}`, () => this.#acceptNames(name));
    }
  }

  #serve(crd: CustomResourceDefinition): void {
    const { registry } = this.#environment;
    this.#unserve(crd.metadata.name ?? "");
    const resources = customResources(crd);
    for (const resource of resources) registry.add(resource);
    this.#served.set(crd.metadata.name ?? "", resources);
  }

  #unserve(name: string): void {
    for (const resource of this.#served.get(name) ?? []) this.#environment.registry.remove(resource);
    this.#served.delete(name);
  }

  async #acceptNames(name: string): Promise<void> {
    const { store, clock } = this.#environment;
    await modify(store, `${CRD_STORAGE}/${name}`, (object) => {
      const crd = object as CustomResourceDefinition;
      if (crd.metadata.deletionTimestamp) return undefined;
      const live = structuredClone(crd);
      const now = clock.now();
      const conflict = nameConflict(crd, this.#otherNames(name));
      setCondition(crd, conflict ?? NAMES_ACCEPTED, now);
      if (!conflict) {
        crd.status = { ...crd.status, acceptedNames: structuredClone(crd.spec.names) };
        setCondition(crd, ESTABLISHED, now);
      } else if (!conditionOf(crd, "Established")) setCondition(crd, NOT_ESTABLISHED, now);
      const writer = { manager: "kube-apiserver", subresource: "status", now };
      return JSON.stringify(crd) === JSON.stringify(live)
        ? undefined
        : trackWrite(live, crd, customResourceDefinitions, writer);
    });
  }

  #otherNames(name: string): CustomResourceDefinition[] {
    const { store } = this.#environment;
    return [...store.range(CRD_STORAGE, `${CRD_STORAGE}/`)]
      .map((entry) => entry.object as CustomResourceDefinition)
      .filter((crd) => crd.metadata.name !== name);
  }

  /** Deletes every object of the kind, waits for those with finalizers to go, then lets the CRD itself go. */
  async #cleanUp(crd: CustomResourceDefinition): Promise<void> {
    const { store } = this.#environment;
    const storage = `${crd.spec.group}/${crd.spec.names.plural}`;
    for (const { key } of [...store.range(storage, `${storage}/`)]) {
      await removeStored(this.#environment, key, undefined);
    }
    if (store.count(storage) > 0) {
      this.#followUntilEmpty(crd, storage);
      return;
    }
    await this.#release(crd);
  }

  #followUntilEmpty(crd: CustomResourceDefinition, storage: string): void {
    const { store } = this.#environment;
    const stop = store.subscribe(storage, () => {
      if (store.count(storage) > 0) return;
      stop();
      this.#background.run(`release ${crd.metadata.name}`, () => this.#release(crd));
    });
  }

  async #release(crd: CustomResourceDefinition): Promise<void> {
    const { store } = this.#environment;
    const key = `${CRD_STORAGE}/${crd.metadata.name}`;
    const left = (crd.metadata.finalizers ?? []).filter((f) => f !== CLEANUP_FINALIZER);
    if (left.length === 0) {
      await discard(store, key, ({ metadata }) => metadata.uid === crd.metadata.uid);
      return;
    }
    await modify(store, key, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: left } }));
  }
}

type Statement = Omit<CrdCondition, "lastTransitionTime">;

const NAMES_ACCEPTED: Statement = {
  type: "NamesAccepted",
  status: "True",
  reason: "NoConflicts",
  message: "no conflicts found",
};
const ESTABLISHED: Statement = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};
const NOT_ESTABLISHED: Statement = {
  type: "Established",
  status: "False",
  reason: "NotAccepted",
  message: "not all names are accepted",
};

function setCondition(crd: CustomResourceDefinition, { type, status, reason, message }: Statement, now: Date): void {
  const conditions = [...(crd.status?.conditions ?? [])];
  const at = conditions.findIndex((c) => c.type === type);
  const old = conditions[at];
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : wireTime(now);
  const condition: CrdCondition = { type, status, lastTransitionTime, reason, message };
  if (old) conditions[at] = condition;
  else conditions.push(condition);
  crd.status = { ...crd.status, conditions };
}

function sameNames({ spec, status }: CustomResourceDefinition): boolean {
  return JSON.stringify(spec.names) === JSON.stringify(status?.acceptedNames);
}
