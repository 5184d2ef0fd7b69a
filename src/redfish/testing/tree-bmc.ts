/** For tests: a BMC that serves a tree of resources and answers writes as told, with a client on it. */
import { systemClock } from "#clock";
import { redfishClient } from "../client.ts";
import type { Quirks } from "../protocol/quirks.ts";
import { type Asked, type Reply, scriptedBmc } from "../protocol/scripted-bmc.ts";
import type { RedfishService } from "../protocol/service.ts";

export type Tree = Record<string, Record<string, unknown>>;

/** Answers a request, or leaves it to the tree; may change the tree. */
export type Behaviour = (asked: Asked, tree: Tree) => Reply | undefined;

export interface TreeBmc {
  readonly service: RedfishService;
  readonly tree: Tree;
  readonly asked: readonly Asked[];
  /** What was not a read, without the noise of headers. */
  readonly writes: readonly { readonly method: string; readonly path: string; readonly body: unknown }[];
}

export interface TreeOptions {
  readonly tree: Tree;
  readonly quirks?: Quirks;
  readonly behave?: Behaviour;
  /** Sent with basic auth, because the tree has no sessions. */
  readonly password?: string;
}

/** Runs `act` with a BMC that is gone afterwards. The root is served without sessions unless the tree has one. */
export async function withTree<T>(options: TreeOptions, act: (bmc: TreeBmc) => Promise<T>): Promise<T> {
  const { quirks = {}, behave, password = "secret-of-the-tree" } = options;
  const tree: Tree = { "/redfish/v1/": {}, ...structuredClone(options.tree) };
  const writes: { method: string; path: string; body: unknown }[] = [];
  const bmc = await scriptedBmc((asked) => {
    const { method, path, body } = asked;
    if (method !== "GET") writes.push({ method, path, body });
    return behave?.(asked, tree) ?? fromTree(asked, tree);
  });
  const client = redfishClient({
    address: bmc.address,
    credentials: { username: "root", password: () => password },
    clock: systemClock,
  });
  try {
    return await act({ service: client.service.withQuirks(quirks), tree, asked: bmc.asked, writes });
  } finally {
    await client.close();
    await bmc.close();
  }
}

/** Reads come from the tree, changes are merged into it, everything else is accepted and changes nothing. */
function fromTree({ method, path, body }: Asked, tree: Tree): Reply {
  const plain = path.replace(/\?.*$/, "");
  const resource = tree[plain] ?? tree[plain.replace(/\/$/, "")];
  if (method === "GET") return resource === undefined ? { status: 404 } : { body: { "@odata.id": plain, ...resource } };
  if (method === "PATCH" && resource !== undefined) merge(resource, body as Record<string, unknown>);
  if (method === "DELETE") delete tree[plain];
  return { status: 204 };
}

function merge(into: Record<string, unknown>, from: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(from)) {
    const old = into[name];
    if (isObject(old) && isObject(value)) merge(old, value);
    else into[name] = value;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const link = (path: string): { "@odata.id": string } => ({ "@odata.id": path });

export const collection = (...paths: readonly string[]): Record<string, unknown> => ({ Members: paths.map(link) });

/** A resource as it would come from a read. */
export function resource(
  path: string,
  body: Record<string, unknown>,
): { path: string; etag: undefined; body: Record<string, unknown> } {
  return { path, etag: undefined, body: { "@odata.id": path, ...body } };
}
