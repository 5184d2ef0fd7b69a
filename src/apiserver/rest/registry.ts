/** Which resources are served right now. Built-ins never change; CRDs come and go. */
import type { Resource } from "./resource.ts";

export class Registry {
  readonly #resources = new Map<string, Resource>();
  #generation = 0;

  /** Rises whenever the set of resources changes; what is derived from it can be cached by this number. */
  get generation(): number {
    return this.#generation;
  }

  add(resource: Resource): void {
    this.#resources.set(id(resource.group, resource.version, resource.plural), resource);
    this.#generation++;
  }

  remove({ group, version, plural }: Pick<Resource, "group" | "version" | "plural">): void {
    if (this.#resources.delete(id(group, version, plural))) this.#generation++;
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#resources.get(id(group, version, plural));
  }

  /** Any served version of a kind; owner references name kinds, not resources. */
  findKind(group: string, kind: string, version?: string): Resource | undefined {
    for (const resource of this.#resources.values()) {
      if (resource.group === group && resource.kind === kind && (!version || resource.version === version)) {
        return resource;
      }
    }
    return undefined;
  }

  /** Any version of the resource stored under this name. */
  findStorage(storage: string): Resource | undefined {
    return this.all().find((r) => r.storage === storage);
  }

  all(): Resource[] {
    return [...this.#resources.values()];
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.all().some((r) => r.group === group && r.version === version);
  }

  /** One resource per stored collection, however many versions serve it. */
  stored(): Resource[] {
    return [...new Map(this.all().map((r) => [r.storage, r])).values()];
  }
}

function id(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
