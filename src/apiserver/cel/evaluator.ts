/** Turns a checked expression into a function. Every step pays from the budget of the call. */
import type { CallExpr, Expr, ListExpr, MacroExpr, MapExpr, SelectExpr } from "./ast.ts";
import { type Budget, CostExceeded } from "./budget.ts";
import { callCost } from "./call-cost.ts";
import { functions, lookUp } from "./functions.ts";
import { compileMacro } from "./macro-evaluator.ts";
import { formatType } from "./types.ts";
import { CelError, ListValue, MapValue, noSuchOverload, Optional, TypeValue, Uint, type Value } from "./values.ts";

/** The state of one evaluation: variables by slot, and what is left to spend. */
export interface Frame {
  readonly slots: Value[];
  readonly budget: Budget;
}

export type Step = (frame: Frame) => Value;

/** Where names live while compiling. */
export class Slots {
  private readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
  }

  find(name: string): number {
    return name.startsWith(".") ? this.names.indexOf(name.slice(1)) : this.names.lastIndexOf(name);
  }

  with(...names: readonly string[]): Slots {
    return new Slots([...this.names, ...names]);
  }

  get size(): number {
    return this.names.length;
  }
}

function compileConst(expr: Expr & { kind: "const" }): Step {
  const literal = expr.value;
  const isUint = typeof literal === "object" && literal !== null && "unsigned" in literal;
  const value: Value = isUint ? new Uint(literal.unsigned) : literal;
  return () => value;
}

function typeConstant(expr: Expr): Step | undefined {
  if (expr.type?.kind !== "type") return undefined;
  const of = expr.type.of;
  const names: Readonly<Record<string, string>> = {
    timestamp: "google.protobuf.Timestamp",
    duration: "google.protobuf.Duration",
    null: "null_type",
    list: "list",
    map: "map",
    type: "type",
  };
  const value = new TypeValue(names[of.kind] ?? (of.kind === "opaque" ? of.name : formatType(of)));
  return () => value;
}

function compileIdent(expr: Expr & { kind: "ident" }, slots: Slots): Step {
  const slot = slots.find(expr.name);
  if (slot < 0) return typeConstant(expr) ?? (() => null);
  return (frame) => {
    frame.budget.pay(1);
    const value = frame.slots[slot];
    if (value === undefined) throw new CelError(`no such attribute(s): ${expr.name}`);
    return value;
  };
}

function unwrapped(value: Value): { inner: Value | undefined; optional: boolean } {
  return value instanceof Optional ? { inner: value.value, optional: true } : { inner: value, optional: false };
}

function fieldOf(value: Value, field: string): Value | undefined {
  if (value === null || typeof value !== "object") throw noSuchOverload();
  return lookUp(value, field);
}

function compileTest(expr: SelectExpr, operand: Step): Step {
  return (frame) => {
    const { inner } = unwrapped(operand(frame));
    return inner !== undefined && inner !== null && fieldOf(inner, expr.field) !== undefined;
  };
}

function compileSelect(expr: SelectExpr, slots: Slots): Step {
  const constant = slots.find(rootName(expr)) < 0 ? typeConstant(expr) : undefined;
  if (constant !== undefined) return constant;
  const operand = compile(expr.operand, slots);
  if (expr.test) return compileTest(expr, operand);
  return (frame) => {
    const { inner, optional } = unwrapped(operand(frame));
    frame.budget.pay(1);
    const found = inner === undefined ? undefined : fieldOf(inner, expr.field);
    if (optional || expr.optional) return found === undefined ? Optional.none : new Optional(found);
    if (found === undefined) throw new CelError(`no such key: ${expr.field}`);
    return found;
  };
}

function rootName(expr: Expr): string {
  let node = expr;
  while (node.kind === "select") node = node.operand;
  return node.kind === "ident" ? node.name : "";
}

function bool(value: Value): boolean {
  if (typeof value !== "boolean") throw noSuchOverload();
  return value;
}

/** The value of a side, or why it has none; running out of budget is not for logic to forgive. */
function side(step: Step, frame: Frame): boolean | CelError {
  try {
    return bool(step(frame));
  } catch (error) {
    if (error instanceof CelError && !(error instanceof CostExceeded)) return error;
    throw error;
  }
}

/** && and || forgive an error on one side when the other side decides. */
function compileLogical(expr: CallExpr, slots: Slots, decisive: boolean): Step {
  const [left, right] = expr.args.map((arg) => compile(arg, slots));
  if (left === undefined || right === undefined) return () => null;
  return (frame) => {
    const first = side(left, frame);
    if (first === decisive) return decisive;
    const second = side(right, frame);
    if (second === decisive) return decisive;
    if (first instanceof CelError) throw first;
    if (second instanceof CelError) throw second;
    return !decisive;
  };
}

function compileConditional(expr: CallExpr, slots: Slots): Step {
  const [condition, yes, no] = expr.args.map((arg) => compile(arg, slots));
  if (condition === undefined || yes === undefined || no === undefined) return () => null;
  return (frame) => (bool(condition(frame)) ? yes(frame) : no(frame));
}

function compileCall(expr: CallExpr, slots: Slots): Step {
  if (expr.fn === "_&&_") return compileLogical(expr, slots, false);
  if (expr.fn === "_||_") return compileLogical(expr, slots, true);
  if (expr.fn === "_?_:_") return compileConditional(expr, slots);
  const fn = functions[expr.fn];
  if (fn === undefined) throw new CelError(`no such overload: ${expr.fn}`);
  const steps = (expr.target === undefined ? expr.args : [expr.target, ...expr.args]).map((arg) => compile(arg, slots));
  const cost = callCost(expr.fn, expr.overloads ?? []);
  return (frame) => {
    const args = steps.map((step) => step(frame));
    frame.budget.pay(cost.before(args));
    const result = fn(args);
    frame.budget.pay(cost.after(result));
    return result;
  };
}

function compileList(expr: ListExpr, slots: Slots): Step {
  const steps = expr.items.map((item) => compile(item, slots));
  return (frame) => {
    frame.budget.pay(10);
    const items: Value[] = [];
    steps.forEach((step, i) => {
      const value = step(frame);
      if (!expr.optionals.has(i)) items.push(value);
      else if (value instanceof Optional && value.value !== undefined) items.push(value.value);
    });
    return new ListValue(items);
  };
}

function compileMap(expr: MapExpr, slots: Slots): Step {
  const steps = expr.entries.map(({ key, value, optional }) => ({
    key: compile(key, slots),
    value: compile(value, slots),
    optional,
  }));
  return (frame) => {
    frame.budget.pay(30);
    const map = new MapValue();
    for (const { key, value, optional } of steps) {
      const [name, item] = [key(frame), value(frame)];
      if (!optional) map.set(name, item);
      else if (item instanceof Optional && item.value !== undefined) map.set(name, item.value);
    }
    return map;
  };
}

/** Compiles a checked expression; names must have been declared by the slots. */
export function compile(expr: Expr, slots: Slots): Step {
  switch (expr.kind) {
    case "const":
      return compileConst(expr);
    case "ident":
      return compileIdent(expr, slots);
    case "select":
      return compileSelect(expr, slots);
    case "call":
      return compileCall(expr, slots);
    case "list":
      return compileList(expr, slots);
    case "map":
      return compileMap(expr, slots);
    case "macro":
      return compileMacroExpr(expr, slots);
    case "struct":
      throw new CelError(`unknown type: ${expr.name}`);
  }
}

function compileMacroExpr(expr: MacroExpr, slots: Slots): Step {
  const inner = slots.with(...expr.variables);
  return compileMacro({
    macro: expr.macro,
    range: compile(expr.range, slots),
    filter: expr.filter === undefined ? undefined : compile(expr.filter, inner),
    body: compile(expr.body, inner),
    variables: expr.variables.length,
    firstSlot: slots.size,
  });
}
