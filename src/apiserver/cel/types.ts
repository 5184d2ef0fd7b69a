/** The types of CEL and how they are spelled, compared and inferred. */
import type { DeclaredObject } from "./declared-type.ts";

type Simple =
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "null"
  | "dyn"
  | "error"
  | "timestamp"
  | "duration";

export type CelType =
  | { readonly kind: Simple }
  | { readonly kind: "list"; readonly elem: CelType }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType }
  | { readonly kind: "object"; readonly object: DeclaredObject }
  /** A type of a library: kubernetes.Quantity, net.IP, optional_type(T). */
  | { readonly kind: "opaque"; readonly name: string; readonly params: readonly CelType[] }
  | { readonly kind: "type"; readonly of: CelType }
  /** A type variable: one letter in a signature, numbered once instantiated. */
  | { readonly kind: "param"; readonly name: string };

const simple = <K extends Simple>(kind: K): { readonly kind: K } => ({ kind });

export const BOOL: CelType = simple("bool");
export const INT: CelType = simple("int");
export const UINT: CelType = simple("uint");
export const DOUBLE: CelType = simple("double");
export const STRING: CelType = simple("string");
export const BYTES: CelType = simple("bytes");
export const NULL: CelType = simple("null");
export const DYN: CelType = simple("dyn");
export const ERROR: CelType = simple("error");
export const TIMESTAMP: CelType = simple("timestamp");
export const DURATION: CelType = simple("duration");

export const listOf = (elem: CelType): CelType => ({ kind: "list", elem });
export const mapOf = (key: CelType, value: CelType): CelType => ({ kind: "map", key, value });
export const opaque = (name: string, ...params: CelType[]): CelType => ({ kind: "opaque", name, params });
export const optionalOf = (type: CelType): CelType => opaque("optional_type", type);

export const isDyn = (type: CelType): boolean => type.kind === "dyn" || type.kind === "error";

/** The type inside optional_type(T), or undefined. */
export function optionalElement(type: CelType): CelType | undefined {
  return type.kind === "opaque" && type.name === "optional_type" ? type.params[0] : undefined;
}

const names: Partial<Record<CelType["kind"], string>> = {
  timestamp: "timestamp",
  duration: "duration",
  error: "!error!",
};

/** A type as messages spell it. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case "list":
      return `list(${formatType(type.elem)})`;
    case "map":
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case "object":
      return type.object.name;
    case "opaque":
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(", ")})`;
    case "type":
      return `type(${formatType(type.of)})`;
    case "param":
      return type.name;
    default:
      return names[type.kind] ?? type.kind;
  }
}

/** Type variables that were given a meaning so far. */
export class Bindings {
  private readonly bound: Map<string, CelType>;

  constructor(bound: ReadonlyMap<string, CelType> = new Map()) {
    this.bound = new Map(bound);
  }

  copy(): Bindings {
    return new Bindings(this.bound);
  }

  adopt(other: Bindings): void {
    for (const [name, type] of other.bound) this.bound.set(name, type);
  }

  find(name: string): CelType | undefined {
    return this.bound.get(name);
  }

  bind(name: string, type: CelType): void {
    this.bound.set(name, type);
  }

  /** The type with its variables replaced; unbound ones become dyn when `free` says so. */
  resolve(type: CelType, freeToDyn = false): CelType {
    switch (type.kind) {
      case "param": {
        const found = this.bound.get(type.name);
        if (found !== undefined) return this.resolve(found, freeToDyn);
        return freeToDyn ? DYN : type;
      }
      case "list":
        return listOf(this.resolve(type.elem, freeToDyn));
      case "map":
        return mapOf(this.resolve(type.key, freeToDyn), this.resolve(type.value, freeToDyn));
      case "opaque":
        return type.params.length === 0
          ? type
          : opaque(type.name, ...type.params.map((p) => this.resolve(p, freeToDyn)));
      case "type":
        return { kind: "type", of: this.resolve(type.of, freeToDyn) };
      default:
        return type;
    }
  }
}

const nullable: ReadonlySet<string> = new Set(["object", "opaque", "timestamp", "duration", "null"]);

function occursIn(name: string, type: CelType, bindings: Bindings): boolean {
  const resolved = bindings.resolve(type);
  if (resolved.kind === "param") return resolved.name === name;
  if (resolved.kind === "list") return occursIn(name, resolved.elem, bindings);
  if (resolved.kind === "map")
    return occursIn(name, resolved.key, bindings) || occursIn(name, resolved.value, bindings);
  return resolved.kind === "opaque" && resolved.params.some((p) => occursIn(name, p, bindings));
}

/** Gives a variable a meaning; a meaning it already has must fit, and the more general one is kept. */
function assignVariable(name: string, type: CelType, bindings: Bindings): boolean {
  if (type.kind === "param" && type.name === name) return true;
  const known = bindings.find(name);
  if (known !== undefined) {
    if (!isAssignable(known, type, bindings)) return false;
    if (isDyn(bindings.resolve(type))) bindings.bind(name, type);
    return true;
  }
  if (occursIn(name, type, bindings)) return false;
  bindings.bind(name, type);
  return true;
}

function allAssignable(targets: readonly CelType[], types: readonly CelType[], bindings: Bindings): boolean {
  return targets.length === types.length && targets.every((t, i) => isAssignable(t, types[i] ?? ERROR, bindings));
}

function sameShape(target: CelType, type: CelType, bindings: Bindings): boolean {
  if (target.kind === "list" && type.kind === "list") return isAssignable(target.elem, type.elem, bindings);
  if (target.kind === "map" && type.kind === "map")
    return allAssignable([target.key, target.value], [type.key, type.value], bindings);
  if (target.kind === "object" && type.kind === "object") return target.object === type.object;
  if (target.kind === "opaque" && type.kind === "opaque")
    return target.name === type.name && allAssignable(target.params, type.params, bindings);
  return target.kind === type.kind;
}

/** Whether a value of `type` may stand where `target` is wanted, binding variables on the way. */
export function isAssignable(target: CelType, type: CelType, bindings: Bindings): boolean {
  if (target.kind === "param") return assignVariable(target.name, type, bindings);
  if (type.kind === "param") return assignVariable(type.name, target, bindings);
  if (isDyn(target) || isDyn(type)) return true;
  if (type.kind === "null" || target.kind === "null") return nullable.has(type.kind) && nullable.has(target.kind);
  return sameShape(target, type, bindings);
}

/** Whether two types are the same, without inference. */
export function equalTypes(a: CelType, b: CelType): boolean {
  return a === b || (a.kind === b.kind && formatType(a) === formatType(b));
}
