/** Loops: all, exists, map and their kin, each as a plain loop that pays per round. */
import type { MacroName } from "./ast.ts";
import { CostExceeded } from "./budget.ts";
import type { Frame, Step } from "./evaluator.ts";
import { CelError, isMap, ListValue, MapValue, noSuchOverload, Optional, type Value } from "./values.ts";

export interface Loop {
  readonly macro: MacroName;
  readonly range: Step;
  readonly filter: Step | undefined;
  readonly body: Step;
  readonly variables: number;
  readonly firstSlot: number;
}

/** What each round costs beside its condition and body, as upstream's expansion would. */
const roundCost: Readonly<Record<MacroName, number>> = {
  all: 3,
  exists: 4,
  exists_one: 2,
  map: 12,
  filter: 13,
  transformList: 12,
  transformMap: 2,
  transformMapEntry: 2,
  optMap: 0,
  optFlatMap: 0,
};

function* roundsOf(range: Value, variables: number): Generator<readonly [Value, Value]> {
  if (range instanceof ListValue) {
    for (let i = 0; i < range.size; i++) yield variables === 2 ? [BigInt(i), range.at(i)] : [range.at(i), null];
  } else if (isMap(range)) {
    for (const key of range.keys()) yield [key, variables === 2 ? (range.find(key) ?? null) : null];
  } else throw noSuchOverload();
}

/** Runs the loop body with the variables of each round set; stops when it says so. */
function eachRound(frame: Frame, loop: Loop, visit: (first: Value, second: Value) => boolean): void {
  const cost = roundCost[loop.macro];
  for (const [first, second] of roundsOf(loop.range(frame), loop.variables)) {
    frame.budget.pay(cost);
    frame.slots[loop.firstSlot] = first;
    if (loop.variables === 2) frame.slots[loop.firstSlot + 1] = second;
    if (!visit(first, second)) return;
  }
}

function bool(value: Value): boolean {
  if (typeof value !== "boolean") throw noSuchOverload();
  return value;
}

/** all and exists: one decisive round settles it, even after rounds that failed. */
function quantifier(loop: Loop, decisive: boolean): Step {
  return (frame) => {
    let failure: unknown;
    let decided = false;
    eachRound(frame, loop, () => {
      try {
        decided = bool(loop.body(frame)) === decisive;
      } catch (error) {
        if (!(error instanceof CelError) || error instanceof CostExceeded) throw error;
        failure ??= error;
      }
      return !decided;
    });
    frame.budget.pay(1);
    if (decided) return decisive;
    if (failure !== undefined) throw failure;
    return !decisive;
  };
}

function existsOne(loop: Loop): Step {
  return (frame) => {
    let count = 0;
    eachRound(frame, loop, () => {
      if (bool(loop.body(frame))) count++;
      return true;
    });
    frame.budget.pay(2);
    return count === 1;
  };
}

function collect(loop: Loop): Step {
  const isFilter = loop.macro === "filter";
  return (frame) => {
    frame.budget.pay(11);
    const items: Value[] = [];
    eachRound(frame, loop, (first) => {
      if (loop.filter === undefined || bool(loop.filter(frame))) items.push(isFilter ? first : loop.body(frame));
      return true;
    });
    return new ListValue(items);
  };
}

function insert(map: MapValue, key: Value, value: Value): void {
  if (map.find(key) !== undefined) throw new CelError(`insert failed: key ${String(key)} already exists`);
  map.set(key, value);
}

function insertResult(map: MapValue, loop: Loop, key: Value, value: Value): void {
  if (loop.macro === "transformMap") insert(map, key, value);
  else if (isMap(value)) for (const name of value.keys()) insert(map, name, value.find(name) ?? null);
  else throw noSuchOverload();
}

function collectMap(loop: Loop): Step {
  return (frame) => {
    frame.budget.pay(31);
    const map = new MapValue();
    eachRound(frame, loop, (first) => {
      if (loop.filter === undefined || bool(loop.filter(frame))) insertResult(map, loop, first, loop.body(frame));
      return true;
    });
    return map;
  };
}

function optional(loop: Loop): Step {
  return (frame) => {
    const range = loop.range(frame);
    if (!(range instanceof Optional)) throw noSuchOverload();
    if (range.value === undefined) return Optional.none;
    frame.slots[loop.firstSlot] = range.value;
    const result = loop.body(frame);
    return loop.macro === "optMap" ? new Optional(result) : result;
  };
}

/** The loop as a step. */
export function compileMacro(loop: Loop): Step {
  switch (loop.macro) {
    case "all":
      return quantifier(loop, false);
    case "exists":
      return quantifier(loop, true);
    case "exists_one":
      return existsOne(loop);
    case "map":
    case "filter":
    case "transformList":
      return collect(loop);
    case "transformMap":
    case "transformMapEntry":
      return collectMap(loop);
    case "optMap":
    case "optFlatMap":
      return optional(loop);
  }
}
