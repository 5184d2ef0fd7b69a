/** Finds the resource for a path in a tree of segments, built once per profile and shared by all its BMCs. */
import type { Resource } from "./place.ts";

interface Branch {
  readonly literal: Map<string, Branch>;
  parameter: { readonly name: string; readonly branch: Branch } | undefined;
  resource: Resource | undefined;
}

export interface Match {
  readonly resource: Resource;
  readonly params: Readonly<Record<string, string>>;
}

const grow = (): Branch => ({ literal: new Map(), parameter: undefined, resource: undefined });
const noParams: Readonly<Record<string, string>> = {};

export class Router {
  readonly #root = grow();

  constructor(resources: readonly Resource[]) {
    for (const resource of resources) this.#add(resource);
  }

  /** `segments` are those after /redfish/v1. A literal wins over a parameter. */
  find(segments: readonly string[]): Match | undefined {
    let branch = this.#root;
    let params: Record<string, string> | undefined;
    for (const segment of segments) {
      const literal = branch.literal.get(segment);
      if (literal) {
        branch = literal;
        continue;
      }
      if (!branch.parameter) return undefined;
      params ??= {};
      params[branch.parameter.name] = segment;
      branch = branch.parameter.branch;
    }
    return branch.resource && { resource: branch.resource, params: params ?? noParams };
  }

  #add(resource: Resource): void {
    let branch = this.#root;
    for (const segment of resource.path.split("/").filter((part) => part !== "")) branch = child(branch, segment);
    branch.resource = branch.resource ? { ...branch.resource, ...resource } : resource;
  }
}

function child(branch: Branch, segment: string): Branch {
  if (segment.startsWith("{")) {
    branch.parameter ??= { name: segment.slice(1, -1), branch: grow() };
    return branch.parameter.branch;
  }
  const known = branch.literal.get(segment) ?? grow();
  branch.literal.set(segment, known);
  return known;
}
