/** The order of merged lists: patched items as the patch orders them, the server's own next to their old neighbours. */
import { goPlain } from "../decode/go-format.ts";
import { getOwn, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { PatchError } from "./patch-error.ts";

export interface Partition {
  readonly patched: Json[];
  readonly serverOnly: Json[];
}

/** The value of an item's merge key; an item without one is refused. */
export function mergeKeyOf(item: JsonObject, mergeKey: string): Json {
  const key = getOwn(item, mergeKey);
  if (key !== undefined) return key;
  throw PatchError.internal(`map: ${goPlain(item)} does not contain declared merge key: ${mergeKey}`);
}

/** What tells one item from another: itself, or its merge key. */
function identity(item: Json, mergeKey: string | undefined): Json {
  if (mergeKey === undefined) return item;
  if (isJsonObject(item)) return mergeKeyOf(item, mergeKey);
  throw PatchError.internal("list element types are not identical");
}

/** Splits a merged list into items that `order` names and items it does not. */
export function partition(merged: readonly Json[], order: readonly Json[], mergeKey: string | undefined): Partition {
  const named = new Set(order.map((item) => identity(item, mergeKey)));
  const isNamed = (item: Json): boolean => named.has(identity(item, mergeKey));
  return { patched: merged.filter(isNamed), serverOnly: merged.filter((item) => !isNamed(item)) };
}

/** Weaves both parts together; where the server's order does not decide, patched items come first. */
export function orderItems(
  { patched, serverOnly }: Partition,
  {
    order,
    serverOrder,
    mergeKey,
  }: { order: readonly Json[]; serverOrder: readonly Json[]; mergeKey: string | undefined },
): Json[] {
  const positions = (list: readonly Json[]): Map<Json, number> => {
    const found = new Map<Json, number>();
    list.forEach((item, i) => void (found.has(identity(item, mergeKey)) || found.set(identity(item, mergeKey), i)));
    return found;
  };
  const inOrder = positions(order);
  const onServer = positions(serverOrder);
  const at = (map: Map<Json, number>, item: Json | undefined): number =>
    item === undefined ? -1 : (map.get(identity(item, mergeKey)) ?? -1);
  const right = [...patched].sort((a, b) => at(inOrder, a) - at(inOrder, b));
  const left = [...serverOnly].sort((a, b) => at(onServer, a) - at(onServer, b));
  const woven: Json[] = [];
  while (left.length > 0 || right.length > 0) {
    const [l, r] = [at(onServer, left[0]), at(onServer, right[0])];
    const takesLeft = right.length === 0 || (left.length > 0 && l >= 0 && r >= 0 && l < r);
    woven.push((takesLeft ? left : right).shift() as Json);
  }
  return woven;
}

/** Every item of the patch that is not an instruction has its place in the order given with it. */
export function validateOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  const items = patch.filter((item) => !(isJsonObject(item) && Object.hasOwn(item, "$patch")));
  let found = 0;
  for (const place of order) {
    const item = items[found];
    if (item !== undefined && identity(item, mergeKey) === identity(place, mergeKey)) found++;
  }
  if (found < items.length) {
    const lists = [patch, order].map((list) => goPlain([...list]));
    throw PatchError.internal(
      `The order in patch list:\n${lists[0]}\n doesn't match $setElementOrder list:\n${lists[1]}\n`,
    );
  }
}
