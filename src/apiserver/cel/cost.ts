/** The worst cost a checked expression can have, estimated as upstream estimates it, before any data is seen. */
import type { CallExpr, Expr, ListExpr, MacroExpr, MacroName, MapExpr, SelectExpr } from "./ast.ts";
import type { DeclaredType } from "./declared-type.ts";
import { add, fixed, multiply, type Range, sum, union, unknown } from "./estimate.ts";
import { estimateCall, type Operand } from "./function-estimate.ts";
import { type CelType, formatType } from "./types.ts";

/** Everything known about a node: where in the data it points, how large it and its entries can be. */
interface Known {
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
  readonly entry: Entry | undefined;
}

interface Entry {
  readonly kind: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
}

const scalars: ReadonlySet<CelType["kind"]> = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);

function isScalar(type: CelType | undefined): boolean {
  if (type === undefined) return false;
  if (type.kind === "opaque" && type.name === "optional_type") return isScalar(type.params[0]);
  return scalars.has(type.kind);
}

function literalSize(expr: Expr): Range | undefined {
  if (expr.kind === "list") return fixed(expr.items.length);
  if (expr.kind === "map") return fixed(expr.entries.length);
  if (expr.kind !== "const") return undefined;
  if (typeof expr.value === "string") return fixed([...expr.value].length);
  return expr.value instanceof Uint8Array ? fixed(expr.value.length) : fixed(1);
}

const unionEntry = (a: Entry | undefined, b: Entry | undefined): Entry | undefined =>
  a === undefined || b === undefined
    ? undefined
    : { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };

/** A step from a value that has no path starts one; upstream then takes it for the root, and so do we. */
const extend = (path: readonly string[] | undefined, step: string): readonly string[] => [...(path ?? []), step];

class Coster {
  private readonly known = new Map<Expr, Known>();
  private readonly locals = new Map<string, Local[]>();
  private readonly root: DeclaredType;

  constructor(root: DeclaredType) {
    this.root = root;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case "const":
        return fixed(0);
      case "ident":
        return this.costIdent(expr);
      case "select":
        return this.costSelect(expr);
      case "call":
        return this.costCall(expr);
      case "list":
        return this.costList(expr);
      case "map":
        return this.costMap(expr);
      case "macro":
        return this.costMacro(expr);
      case "struct":
        return add(fixed(40), sum(expr.fields.map((field) => this.cost(field.value))));
    }
  }

  private note(expr: Expr, known: Partial<Known>): void {
    const before = this.known.get(expr) ?? { path: undefined, size: undefined, entry: undefined };
    this.known.set(expr, { ...before, ...known });
  }

  private costIdent(expr: Expr & { kind: "ident" }): Range {
    const local = this.locals.get(expr.name)?.at(-1);
    this.note(expr, { path: local === undefined ? [expr.name] : local.path });
    return fixed(1);
  }

  private costSelect(expr: SelectExpr): Range {
    const cost = this.cost(expr.operand);
    if (expr.test) return cost;
    const path = this.known.get(expr.operand)?.path;
    this.note(expr, { path: extend(path, expr.field) });
    if (expr.optional) return add(cost, fixed(1));
    const kind = expr.operand.type?.kind;
    return kind === "map" || kind === "object" || kind === "param" ? add(cost, fixed(1)) : cost;
  }

  /** The declared type a path leads to; paths start at self or oldSelf. */
  private declared(path: readonly string[] | undefined): DeclaredType | undefined {
    if (path === undefined || path.length === 0) return undefined;
    let node: DeclaredType | undefined = this.root;
    for (const name of path.slice(1)) {
      if (name === "@items" || name === "@values") node = node?.elem;
      else if (name === "@keys") node = node?.key;
      else node = node?.object?.fields.get(name);
    }
    return node;
  }

  private size(expr: Expr): Range | undefined {
    const known = this.known.get(expr);
    if (known?.size !== undefined) return known.size;
    const literal = literalSize(expr);
    if (literal !== undefined) return literal;
    const declared = this.declared(known?.path);
    if (declared !== undefined) return { min: 0, max: declared.maxElements };
    if (isScalar(expr.type)) return fixed(1);
    return expr.kind === "ident" ? this.locals.get(expr.name)?.at(-1)?.size : undefined;
  }

  private sizeOrUnknown(expr: Expr): Range {
    return this.size(expr) ?? unknown;
  }

  private operand(expr: Expr): Operand {
    const path = this.known.get(expr)?.path;
    const type = expr.type;
    const item = type?.kind === "list" ? type.elem : undefined;
    const declared = path === undefined ? undefined : this.declared([...path, "@items"]);
    return {
      size: this.sizeOrUnknown(expr),
      itemSize: declared === undefined ? unknown : { min: 0, max: declared.maxElements },
      itemIsText: item?.kind === "string" || item?.kind === "bytes",
      isList: type?.kind === "list",
      literal: expr.kind === "const" && typeof expr.value === "bigint" ? expr.value : undefined,
    };
  }

  private costCall(expr: CallExpr): Range {
    if (expr.fn === "dyn") return this.costDyn(expr);
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const targetCost = expr.target === undefined ? fixed(0) : this.cost(expr.target);
    if (expr.fn === "_&&_" || expr.fn === "_||_") return { min: argCosts[0]?.min ?? 0, max: sum(argCosts).max };
    if (expr.fn === "_?_:_") return this.costConditional(expr, argCosts);
    const own = this.costOverloads(expr);
    if (expr.fn === "_+_") this.note(expr, { entry: this.sumEntry(expr) });
    return sum([targetCost, own, ...argCosts]);
  }

  private costOverloads(expr: CallExpr): Range {
    const target = expr.target && this.operand(expr.target);
    const args = expr.args.map((arg) => this.operand(arg));
    const type = expr.args[0]?.type;
    const estimates = (expr.overloads ?? []).map((overload) => {
      this.noteIndex(expr, overload);
      return estimateCall({ fn: expr.fn, overload, target, args }, type === undefined ? "" : formatType(type));
    });
    const sizes = estimates.flatMap((estimate) => estimate.size ?? []);
    if (sizes.length > 0) this.note(expr, { size: sizes.reduce(union) });
    return estimates.length === 0 ? fixed(0) : estimates.map((estimate) => estimate.cost).reduce(union);
  }

  private sumEntry(expr: CallExpr): Entry | undefined {
    const [a, b] = expr.args;
    return a === undefined || b === undefined
      ? undefined
      : unionEntry(this.known.get(a)?.entry, this.known.get(b)?.entry);
  }

  private noteIndex(expr: CallExpr, overload: string): void {
    const [container] = expr.args;
    if ((overload !== "index_list" && overload !== "index_map") || container === undefined) return;
    const { path, entry } = this.known.get(container) ?? {};
    const step = overload === "index_list" ? "@items" : "@values";
    this.note(expr, { path: extend(path, step), size: entry?.value });
  }

  private costDyn(expr: CallExpr): Range {
    const [arg] = expr.args;
    if (arg === undefined) return fixed(1);
    const cost = this.cost(arg);
    this.note(expr, { size: this.size(arg), entry: this.known.get(arg)?.entry });
    return add(fixed(1), cost);
  }

  private costConditional(
    expr: CallExpr,
    [condition = fixed(0), yes = fixed(0), no = fixed(0)]: readonly Range[],
  ): Range {
    const [, left, right] = expr.args;
    if (left !== undefined && right !== undefined)
      this.note(expr, {
        size: union(this.sizeOrUnknown(left), this.sizeOrUnknown(right)),
        entry: unionEntry(this.known.get(left)?.entry, this.known.get(right)?.entry),
      });
    return add(condition, union(yes, no));
  }

  private costList(expr: ListExpr): Range {
    const costs = expr.items.map((item) => this.cost(item));
    const sizes = expr.items.map((item) => this.sizeOrUnknown(item));
    const value = sizes.length === 0 ? fixed(0) : sizes.reduce(union);
    this.note(expr, { entry: { kind: "list", key: fixed(1), value } });
    return add(sum(costs), fixed(10));
  }

  private costMap(expr: MapExpr): Range {
    const costs = expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const all = (sizes: readonly Range[]): Range => (sizes.length === 0 ? fixed(0) : sizes.reduce(union));
    const key = all(expr.entries.map((entry) => this.sizeOrUnknown(entry.key)));
    const value = all(expr.entries.map((entry) => this.sizeOrUnknown(entry.value)));
    this.note(expr, { entry: { kind: "map", key, value } });
    return add(sum(costs), fixed(30));
  }

  /** What the loop variables stand for: paths into the data, or sizes of literal entries. */
  private loopLocals(expr: MacroExpr): readonly Local[] {
    const { path, entry } = this.known.get(expr.range) ?? {};
    const kind = entry?.kind ?? (expr.range.type?.kind === "list" ? "list" : "map");
    const at = (step: string): readonly string[] => extend(path, step);
    const key: Local = { path: at(kind === "list" ? "@indices" : "@keys"), size: entry?.key };
    const value: Local = { path: at(kind === "list" ? "@items" : "@values"), size: entry?.value };
    if (expr.variables.length === 2) return [key, value];
    return [kind === "list" ? value : key];
  }

  private withLocals<T>(names: readonly string[], locals: readonly Local[], run: () => T): T {
    names.forEach((name, i) => {
      this.locals.set(name, [...(this.locals.get(name) ?? []), locals[i] ?? { path: undefined, size: undefined }]);
    });
    const result = run();
    for (const name of names) this.locals.get(name)?.pop();
    return result;
  }

  private costMacro(expr: MacroExpr): Range {
    const rangeCost = this.cost(expr.range);
    if (expr.macro === "optMap" || expr.macro === "optFlatMap") return this.costOptional(expr, rangeCost);
    const rounds = this.sizeOrUnknown(expr.range);
    const step = this.withLocals(expr.variables, this.loopLocals(expr), () => this.costRound(expr, rounds));
    return sum([rangeCost, fixed(onceCost[expr.macro]), multiply(rounds, step)]);
  }

  private costRound(expr: MacroExpr, rounds: Range): Range {
    const body = expr.macro === "filter" ? fixed(1) : this.cost(expr.body);
    const condition = expr.filter === undefined ? undefined : this.cost(expr.filter);
    this.noteResult(expr, rounds);
    const plain = add(fixed(roundCost[expr.macro]), body);
    return condition === undefined ? plain : add(condition, union(plain, fixed(1)));
  }

  private noteResult(expr: MacroExpr, rounds: Range): void {
    if (expr.macro === "all" || expr.macro === "exists" || expr.macro === "exists_one") {
      this.note(expr, { size: fixed(1) });
      return;
    }
    const item = expr.macro === "filter" ? this.localSize(expr.variables[0] ?? "") : this.sizeOrUnknown(expr.body);
    const kind = expr.macro === "transformMap" || expr.macro === "transformMapEntry" ? "map" : "list";
    this.note(expr, { size: rounds, entry: { kind, key: union(fixed(0), fixed(1)), value: union(fixed(0), item) } });
  }

  private localSize(name: string): Range {
    const local = this.locals.get(name)?.at(-1);
    const declared = this.declared(local?.path);
    return declared === undefined ? (local?.size ?? unknown) : { min: 0, max: declared.maxElements };
  }

  private costOptional(expr: MacroExpr, range: Range): Range {
    const local: Local = { path: this.known.get(expr.range)?.path, size: this.size(expr.range) };
    const body = this.withLocals(expr.variables, [local], () => this.cost(expr.body));
    const wrap = expr.macro === "optMap" ? 1 : 0;
    return sum([range, fixed(1), union(sum([range, fixed(11 + wrap), body]), fixed(1))]);
  }
}

/** Beside range and rounds: creating and reading the accumulator. */
const onceCost: Readonly<Record<MacroName, number>> = {
  all: 1,
  exists: 1,
  exists_one: 2,
  map: 11,
  filter: 11,
  transformList: 11,
  transformMap: 31,
  transformMapEntry: 31,
  optMap: 0,
  optFlatMap: 0,
};

/** Per round beside condition and body: loop condition and accumulation. */
const roundCost: Readonly<Record<MacroName, number>> = {
  all: 3,
  exists: 4,
  exists_one: 2,
  map: 12,
  filter: 12,
  transformList: 12,
  transformMap: 3,
  transformMapEntry: 2,
  optMap: 0,
  optFlatMap: 0,
};

/** The highest cost that evaluating the expression can have for data of the declared type. */
export function maxCost(expr: Expr, root: DeclaredType): number {
  return new Coster(root).cost(expr).max;
}
