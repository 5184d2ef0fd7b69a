/** Checks an expression against declared variables: every node gets its type, every problem its place. */
import type { CallExpr, Expr, IdentExpr, ListExpr, MacroExpr, MapExpr, SelectExpr } from "./ast.ts";
import { qualifiedName } from "./parser.ts";
import { findOverloads, findTypeConstant, type Overload } from "./signatures.ts";
import type { Problem } from "./source.ts";
import {
  Bindings,
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DYN,
  ERROR,
  equalTypes,
  formatType,
  INT,
  isAssignable,
  isDyn,
  listOf,
  mapOf,
  NULL,
  optionalElement,
  optionalOf,
  STRING,
  UINT,
} from "./types.ts";

export interface Checked {
  readonly type: CelType;
  readonly problems: readonly Problem[];
  /** The declared variables that the expression reads. */
  readonly variables: ReadonlySet<string>;
}

type Variables = ReadonlyMap<string, CelType>;

class Checker {
  readonly problems: Problem[] = [];
  readonly read = new Set<string>();
  private bindings = new Bindings();
  private fresh = 0;
  private mixedLists = 0;
  private readonly seen: Expr[] = [];
  private scopes: Variables[];

  constructor(variables: Variables) {
    this.scopes = [variables];
  }

  run(expr: Expr): CelType {
    this.check(expr);
    for (const node of this.seen) node.type = this.bindings.resolve(node.type ?? DYN, true);
    return expr.type ?? ERROR;
  }

  private report(expr: { offset: number }, message: string): CelType {
    this.problems.push({ offset: expr.offset, message });
    return ERROR;
  }

  private check(expr: Expr): CelType {
    this.seen.push(expr);
    const type = this.typeOf(expr);
    expr.type = type;
    return type;
  }

  private typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case "const":
        return literalType(expr.value);
      case "ident":
        return this.checkIdent(expr);
      case "select":
        return this.checkSelect(expr);
      case "call":
        return this.checkCall(expr);
      case "list":
        return this.checkList(expr);
      case "map":
        return this.checkMap(expr);
      case "struct":
        return this.report(expr, `undeclared reference to '${expr.name}' (in container '')`);
      case "macro":
        return this.checkMacro(expr);
    }
  }

  private variable(name: string): CelType | undefined {
    const plain = name.startsWith(".") ? name.slice(1) : name;
    for (let i = name.startsWith(".") ? 0 : this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i]?.get(plain);
      if (found === undefined) continue;
      if (i === 0) this.read.add(plain);
      return found;
    }
    const constant = findTypeConstant(plain);
    return constant === undefined ? undefined : { kind: "type", of: constant };
  }

  private checkIdent(expr: IdentExpr): CelType {
    return this.variable(expr.name) ?? this.report(expr, `undeclared reference to '${expr.name}' (in container '')`);
  }

  private checkSelect(expr: SelectExpr): CelType {
    const name = expr.test || expr.optional ? undefined : qualifiedName(expr);
    const constant = name === undefined ? undefined : findTypeConstant(name);
    if (constant !== undefined) return { kind: "type", of: constant };
    const operand = this.bindings.resolve(this.check(expr.operand));
    const inner = optionalElement(operand);
    const field = this.fieldType(expr, inner ?? operand);
    if (expr.test) return BOOL;
    return inner !== undefined || expr.optional ? optionalOf(field) : field;
  }

  private fieldType(expr: SelectExpr, target: CelType): CelType {
    if (target.kind === "map") return target.value;
    if (target.kind === "object")
      return target.object.fields.get(expr.field)?.type ?? this.report(expr, `undefined field '${expr.field}'`);
    if (target.kind === "param") isAssignable(DYN, target, this.bindings);
    else if (!isDyn(target)) this.report(expr, `type '${formatType(target)}' does not support field selection`);
    return DYN;
  }

  private checkCall(expr: CallExpr): CelType {
    // Only format() takes lists of mixed types.
    const lenient = expr.fn === "format" && expr.target !== undefined;
    if (lenient) this.mixedLists++;
    for (const arg of expr.args) this.check(arg);
    if (lenient) this.mixedLists--;
    if (expr.target === undefined) {
      const overloads = findOverloads(expr.fn);
      if (overloads === undefined) return this.report(expr, `undeclared reference to '${expr.fn}' (in container '')`);
      return this.resolve(expr, overloads, expr.args);
    }
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : findOverloads(`${prefix}.${expr.fn}`);
    if (namespaced !== undefined) {
      Object.assign(expr, { fn: `${prefix}.${expr.fn}`, target: undefined });
      return this.resolve(expr, namespaced, expr.args);
    }
    this.check(expr.target);
    const overloads = findOverloads(expr.fn);
    if (overloads === undefined) return this.report(expr, `undeclared reference to '${expr.fn}' (in container '')`);
    return this.resolve(expr, overloads, [expr.target, ...expr.args]);
  }

  private resolve(expr: CallExpr, overloads: readonly Overload[], args: readonly Expr[]): CelType {
    if (expr.fn === "_&&_" || expr.fn === "_||_") return this.resolveLogical(expr, args);
    const types = args.map((arg) => arg.type ?? ERROR);
    const matched: string[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.member !== (expr.target !== undefined)) continue;
      const found = this.match(overload, types);
      if (found === undefined) continue;
      matched.push(overload.id);
      if (result === undefined) result = found;
      else if (!isDyn(result) && !equalTypes(result, found)) result = DYN;
    }
    if (result === undefined) return this.noOverload(expr, types);
    expr.overloads = matched;
    return result;
  }

  private resolveLogical(expr: CallExpr, args: readonly Expr[]): CelType {
    let failed = false;
    for (const arg of args) {
      if (this.assign(arg.type ?? ERROR, BOOL)) continue;
      this.mismatch(arg, BOOL, arg.type ?? ERROR);
      failed = true;
    }
    expr.overloads = [expr.fn === "_&&_" ? "logical_and" : "logical_or"];
    return failed ? ERROR : BOOL;
  }

  private noOverload(expr: CallExpr, types: readonly CelType[]): CelType {
    const [first, ...rest] = types.map((type) => formatType(this.bindings.resolve(type, true)));
    const signature =
      expr.target === undefined
        ? `(${types.length === 0 ? "" : [first, ...rest].join(", ")})`
        : `${first}.(${rest.join(", ")})`;
    return this.report(expr, `found no matching overload for '${expr.fn}' applied to '${signature}'`);
  }

  private match(overload: Overload, types: readonly CelType[]): CelType | undefined {
    if (overload.params.length !== types.length) return undefined;
    const names = new Bindings();
    const instance = (type: CelType): CelType => names.resolve(type);
    for (const name of paramNames(overload)) names.bind(name, this.freshType());
    const attempt = this.bindings.copy();
    const fits = overload.params.every((param, i) => isAssignable(types[i] ?? ERROR, instance(param), attempt));
    if (!fits) return undefined;
    this.bindings = attempt;
    return attempt.resolve(instance(overload.result));
  }

  private freshType(): CelType {
    return { kind: "param", name: `_var${this.fresh++}` };
  }

  private assign(target: CelType, type: CelType): boolean {
    const attempt = this.bindings.copy();
    if (!isAssignable(target, type, attempt)) return false;
    this.bindings = attempt;
    return true;
  }

  private mismatch(expr: Expr, expected: CelType, actual: CelType): void {
    const [want, got] = [expected, actual].map((type) => formatType(this.bindings.resolve(type, true)));
    this.report(expr, `expected type '${want}' but found '${got}'`);
  }

  /** Elements of a literal must agree: mixed lists and maps are refused. */
  private join(expr: Expr, previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    if (this.assign(previous, current))
      return mostGeneral(this.bindings.resolve(previous), this.bindings.resolve(current));
    if (this.mixedLists === 0) this.mismatch(expr, previous, current);
    return DYN;
  }

  private unwrap(expr: Expr, type: CelType, optional: boolean): CelType {
    if (!optional) return type;
    const inner = optionalElement(this.bindings.resolve(type));
    if (inner === undefined && !isDyn(type)) this.mismatch(expr, optionalOf(type), type);
    return inner ?? type;
  }

  private checkList(expr: ListExpr): CelType {
    let elem: CelType | undefined;
    expr.items.forEach((item, i) => {
      elem = this.join(item, elem, this.unwrap(item, this.check(item), expr.optionals.has(i)));
    });
    return listOf(elem ?? this.freshType());
  }

  private checkMap(expr: MapExpr): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expr.entries) {
      key = this.join(entry.key, key, this.check(entry.key));
      value = this.join(entry.value, value, this.unwrap(entry.value, this.check(entry.value), entry.optional));
    }
    return mapOf(key ?? this.freshType(), value ?? this.freshType());
  }

  private scoped<T>(variables: Variables, run: () => T): T {
    this.scopes.push(variables);
    try {
      return run();
    } finally {
      this.scopes.pop();
    }
  }

  private checkMacro(expr: MacroExpr): CelType {
    const range = this.bindings.resolve(this.check(expr.range));
    if (expr.macro === "optMap" || expr.macro === "optFlatMap") return this.checkOptMap(expr, range);
    const types = this.iterationTypes(expr, range);
    const [filter, body] = this.scoped(new Map(expr.variables.map((name, i) => [name, types[i] ?? DYN])), () => {
      const condition = expr.filter === undefined ? undefined : this.check(expr.filter);
      return [condition, expr.filter === expr.body ? (condition ?? ERROR) : this.check(expr.body)] as const;
    });
    const result = this.macroType(expr, types, body);
    if (filter !== undefined && expr.filter !== undefined) this.expectCondition(expr, expr.filter, result);
    return result;
  }

  private iterationTypes(expr: MacroExpr, range: CelType): readonly CelType[] {
    const two = expr.variables.length === 2;
    if (range.kind === "list") return two ? [INT, range.elem] : [range.elem];
    if (range.kind === "map") return two ? [range.key, range.value] : [range.key];
    if (range.kind === "param") isAssignable(DYN, range, this.bindings);
    else if (!isDyn(range))
      this.report(
        expr.range,
        `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
    return [DYN, DYN];
  }

  private expectCondition(expr: MacroExpr, condition: Expr, branch: CelType): void {
    if (this.assign(condition.type ?? ERROR, BOOL)) return;
    const args = [condition.type ?? ERROR, branch, branch].map((t) => formatType(this.bindings.resolve(t, true)));
    this.report(expr, `found no matching overload for '_?_:_' applied to '(${args.join(", ")})'`);
  }

  private macroType(expr: MacroExpr, [first = DYN, second = DYN]: readonly CelType[], body: CelType): CelType {
    switch (expr.macro) {
      case "all":
      case "exists":
        if (!this.assign(body, BOOL)) this.mismatch(expr.body, BOOL, body);
        return BOOL;
      case "exists_one":
        this.expectCondition(expr, expr.body, INT);
        return BOOL;
      case "filter":
        return listOf(first);
      case "map":
      case "transformList":
        return listOf(body);
      case "transformMap":
        return mapOf(first, body);
      default:
        return body.kind === "map" || isDyn(body) ? body : mapOf(first, second);
    }
  }

  private checkOptMap(expr: MacroExpr, range: CelType): CelType {
    const inner = optionalElement(range);
    if (inner === undefined && !isDyn(range))
      this.report(expr, `found no matching overload for 'hasValue' applied to '${formatType(range)}.()'`);
    const body = this.scoped(new Map([[expr.variables[0] ?? "", inner ?? DYN]]), () => this.check(expr.body));
    return expr.macro === "optMap" ? optionalOf(body) : body;
  }
}

function literalType(value: unknown): CelType {
  if (value === null) return NULL;
  if (typeof value === "boolean") return BOOL;
  if (typeof value === "bigint") return INT;
  if (typeof value === "number") return DOUBLE;
  if (typeof value === "string") return STRING;
  return value instanceof Uint8Array ? BYTES : UINT;
}

function mostGeneral(a: CelType, b: CelType): CelType {
  return isDyn(b) ? b : a;
}

function paramNames(overload: Overload): Set<string> {
  const found = new Set<string>();
  const visit = (type: CelType): void => {
    if (type.kind === "param") found.add(type.name);
    else if (type.kind === "list") visit(type.elem);
    else if (type.kind === "map") [type.key, type.value].forEach(visit);
    else if (type.kind === "opaque") type.params.forEach(visit);
    else if (type.kind === "type") visit(type.of);
  };
  [...overload.params, overload.result].forEach(visit);
  return found;
}

/** Checks an expression in place. */
export function checkExpression(expr: Expr, variables: Variables): Checked {
  const checker = new Checker(variables);
  const type = checker.run(expr);
  return { type, problems: checker.problems, variables: checker.read };
}
