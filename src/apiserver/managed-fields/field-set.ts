/**
 * A set of field paths. Membership of a path says nothing about its parents or children. Sets are values: every operation
 * answers a new one (sharing subtrees) and only `insert` changes a set, which is for building one.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { comparePathElements, type PathElement, parsePathElement } from "./path-element.ts";
import type { TypeModel } from "./type-model.ts";
import { typeOfKey } from "./type-model.ts";

export class FieldSet {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, FieldSet>;

  constructor(members?: Iterable<PathElement>, children?: Iterable<readonly [PathElement, FieldSet]>) {
    this.members = members === undefined ? new Set() : new Set(members);
    this.children = children === undefined ? new Map() : new Map(children);
  }

  /** A set of whole paths, each given as its elements. */
  static of(...paths: readonly (readonly PathElement[])[]): FieldSet {
    const set = new FieldSet();
    for (const path of paths) set.insert(path);
    return set;
  }

  /** Adds a path; the empty path (the whole object) is nobody's. */
  insert(path: readonly PathElement[]): void {
    const last = path.length - 1;
    if (last < 0) return;
    let node: FieldSet = this;
    for (let i = 0; i < last; i++) node = node.descend(path[i] as PathElement);
    node.members.add(path[last] as PathElement);
  }

  private descend(element: PathElement): FieldSet {
    const existing = this.children.get(element);
    if (existing !== undefined) return existing;
    const created = new FieldSet();
    this.children.set(element, created);
    return created;
  }

  get isEmpty(): boolean {
    if (this.members.size > 0) return false;
    for (const child of this.children.values()) if (!child.isEmpty) return false;
    return true;
  }

  has(path: readonly PathElement[]): boolean {
    let node: FieldSet | undefined = this;
    for (const element of path.slice(0, -1)) node = node?.children.get(element);
    const last = path.at(-1);
    return last !== undefined && node?.members.has(last) === true;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const result = new FieldSet(this.members, this.children);
    for (const member of other.members) result.members.add(member);
    for (const [element, child] of other.children) {
      const mine = result.children.get(element);
      result.children.set(element, mine === undefined ? child : mine.union(child));
    }
    return result;
  }

  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const member of this.members) if (other.members.has(member)) result.members.add(member);
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      if (theirs !== undefined) result.keep(element, child.intersection(theirs));
    }
    return result;
  }

  /** Without the paths of `other`; a parent in `other` takes nothing from the children here. */
  difference(other: FieldSet): FieldSet {
    return this.without(other, false);
  }

  /** Without the paths of `other` and everything below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.without(other, true);
  }

  private without(other: FieldSet, recursive: boolean): FieldSet {
    if (other.isEmpty) return this;
    const result = new FieldSet();
    for (const member of this.members) if (!other.members.has(member)) result.members.add(member);
    for (const [element, child] of this.children) {
      if (recursive && other.members.has(element)) continue;
      const theirs = other.children.get(element);
      if (theirs === undefined) result.children.set(element, child);
      else result.keep(element, child.without(theirs, recursive));
    }
    return result;
  }

  private keep(element: PathElement, child: FieldSet): void {
    if (!child.isEmpty) this.children.set(element, child);
  }

  /** With every named field on the way to a member; keys of free maps and list items stay as they are. */
  withNamedFields(model: TypeModel | undefined): FieldSet {
    const result = new FieldSet(this.members);
    for (const [element, child] of this.children) {
      const name = element.startsWith("f:") ? element.slice(2) : undefined;
      if (name !== undefined && model?.map?.fields.has(name)) result.members.add(element);
      result.children.set(element, child.withNamedFields(childModel(model, element, name)));
    }
    return result;
  }

  /** Every path, members of a level before what lies deeper, each level in upstream's order. */
  *paths(prefix: readonly PathElement[] = []): Generator<PathElement[]> {
    for (const member of [...this.members].sort(comparePathElements)) yield [...prefix, member];
    for (const element of [...this.children.keys()].sort(comparePathElements)) {
      yield* (this.children.get(element) as FieldSet).paths([...prefix, element]);
    }
  }

  toFieldsV1(): JsonObject {
    return this.encode({});
  }

  private encode(fields: JsonObject): JsonObject {
    const elements = [...this.members];
    for (const element of this.children.keys()) if (!this.members.has(element)) elements.push(element);
    if (elements.length > 1) elements.sort(comparePathElements);
    for (const element of elements) {
      const child = this.children.get(element);
      fields[element] =
        child === undefined ? {} : child.encode(this.members.has(element) && !child.isEmpty ? { ".": {} } : {});
    }
    return fields;
  }

  /** Reads FieldsV1; throws `TypedError` when it cannot be read, ignores kinds of elements nobody knows. */
  static fromFieldsV1(fields: Json | undefined): FieldSet {
    const set = new FieldSet();
    if (!isJsonObject(fields)) return set;
    for (const key of Object.keys(fields)) {
      const element = key === "." ? undefined : parsePathElement(key);
      if (element !== undefined) set.adopt(element, fields[key] as Json);
    }
    return set;
  }

  private adopt(element: PathElement, value: Json): void {
    const child = FieldSet.fromFieldsV1(value);
    const isLeaf = child.members.size === 0 && child.children.size === 0;
    if (isLeaf || (isJsonObject(value) && Object.hasOwn(value, "."))) this.members.add(element);
    if (!isLeaf) this.children.set(element, child);
  }
}

function childModel(
  model: TypeModel | undefined,
  element: PathElement,
  name: string | undefined,
): TypeModel | undefined {
  if (name !== undefined) return model?.map === undefined ? undefined : typeOfKey(model.map, name);
  return element.startsWith("k:") ? model?.list?.element : undefined;
}
