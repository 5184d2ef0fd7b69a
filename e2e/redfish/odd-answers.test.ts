import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#clock";
import { type ProfileName, startFleet } from "#fleet";
import {
  failure,
  type Inventory,
  type Outcome,
  RedfishService,
  readInventory,
  readLogs,
  readSensors,
  type Sender,
  Survey,
  success,
} from "#redfish";
import { countedClient } from "./counted-client.ts";

type Tree = Map<string, unknown>;

const plain = (path: string): string => path.replace(/[?#].*$/, "").replace(/\/$/, "");

/** Every resource of a simulated BMC, as it really answers. */
async function recorded(profile: ProfileName): Promise<Tree> {
  const fleet = await startFleet({ servers: 1, profile, seed: 3, addressing: "port" });
  const [bmc] = fleet.bmcs;
  if (!bmc) throw new Error("no BMC");
  const client = countedClient(bmc);
  const tree: Tree = new Map();
  const waiting = ["/redfish/v1"];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (tree.has(path)) continue;
    const answer = await client.service.get(`${path}/`);
    if (!answer.ok) continue;
    tree.set(path, answer.value.body);
    waiting.push(...linksIn(answer.value.body));
  }
  await client.close();
  await fleet.close();
  return tree;
}

function linksIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "@odata.id" && typeof inner === "string" ? [plain(inner)] : linksIn(inner),
  );
}

/** A BMC without `$expand` that answers from the tree, whatever is in it. */
function serving(tree: Tree): RedfishService {
  const sender: Sender = {
    async send({ path }) {
      const body = tree.get(plain(path));
      return body === undefined
        ? failure("NotFound", `GET ${path}: HTTP 404`, { status: 404 })
        : success({ status: 200, headers: {}, body });
    },
  };
  return new RedfishService(sender, systemClock, { noExpand: true });
}

/** Everywhere in a value, as the keys that lead there. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined || typeof value !== "object" || value === null) return by;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  if (rest.length === 0 && by === undefined) delete copy[key];
  else copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const oddValue = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    "",
    "N/A",
    0,
    -1,
    1e308,
    true,
    [],
    {},
    [null],
    [[]],
    { "@odata.id": 7 },
    "/redfish/v1",
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

const mutations = (tree: Tree) =>
  fc.constantFrom(...tree.keys()).chain((path) =>
    fc.record({
      path: fc.constant(path),
      place: fc.constantFrom(...placesIn(tree.get(path))),
      by: oddValue,
    }),
  );

describe.each(["dell-idrac9", "supermicro-x12"] as const)("odd answers of %s", (profile) => {
  let tree: Tree;
  let whole: Inventory;

  beforeAll(async () => {
    tree = await recorded(profile);
    const read = await readInventory(serving(tree));
    if (!read.ok) throw new Error(read.failure.message);
    whole = read.value;
  });

  it("any number of them anywhere never throws", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(mutations(tree), { minLength: 1, maxLength: 12 }), async (changes) => {
        const odd = new Map(tree);
        for (const { path, place, by } of changes) odd.set(path, replaced(odd.get(path), place, by));
        const service = serving(odd);
        const outcome: Outcome<Inventory> = await readInventory(service);
        if (!outcome.ok) return;
        const survey = new Survey(service);
        for (const { chassis, system } of outcome.value.inventories) {
          if (chassis[0]) await readSensors(survey, chassis[0]);
          await readLogs(survey, system.links.logServices);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("one in a part leaves every other part as it was", async () => {
    const parts = [...tree.keys()].filter((path) =>
      /\/(Processors|Memory|EthernetInterfaces|Drives|FirmwareInventory)\/[^/]+$/.test(path),
    );
    expect(parts.length).toBeGreaterThan(40);
    const change = fc
      .constantFrom(...parts)
      .chain((path) =>
        fc.record({ path: fc.constant(path), place: fc.constantFrom(...placesIn(tree.get(path))), by: oddValue }),
      );
    await fc.assert(
      fc.asyncProperty(change, async ({ path, place, by }) => {
        const odd = new Map(tree).set(path, replaced(tree.get(path), place, by));
        const outcome = await readInventory(serving(odd));
        expect(outcome.ok && withoutPart(outcome.value, path)).toEqual(withoutPart(whole, path));
      }),
      { numRuns: 150 },
    );
  });
});

/** The inventory without one part and without what is told about it. */
function withoutPart({ problems: _, ...inventory }: Inventory, path: string): unknown {
  const drop = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => plain(pathIn(one)) !== path).map(drop);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, drop(inner)]));
  };
  return drop(inventory);
}

function pathIn(value: unknown): string {
  const { path } = (value ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : "";
}
