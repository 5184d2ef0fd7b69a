/** Merges a configuration into a live value, by its type model. It never changes its inputs. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { itemElement } from "./list-items.ts";
import type { PathElement } from "./path-element.ts";
import { concreteShape, type ListModel, type MapModel, shapeOf, type TypeModel, typeOfKey } from "./type-model.ts";

type Maybe = Json | undefined;

/** The live value with the configuration on top; undefined when nothing is left of either. */
export function mergeTyped(live: Maybe, config: Maybe, model: TypeModel | undefined): Maybe {
  if (model === undefined || live === config) return config === undefined ? live : config;
  const shape = concreteShape(model, shapeOf(model, config === undefined ? live : config));
  if (shape === "map" && model.map !== undefined) return mergeMaps(live, config, model.map);
  if (shape === "list" && model.list !== undefined) return mergeLists(live, config, model.list);
  return config === undefined ? live : config;
}

function mergeMaps(live: Maybe, config: Maybe, map: MapModel): Maybe {
  const left: JsonObject = isJsonObject(live) ? live : {};
  const right: JsonObject = isJsonObject(config) ? config : {};
  const isBare = Object.keys(left).length === 0 && Object.keys(right).length === 0;
  if (map.relationship === "atomic" || isBare) return config === undefined ? live : config;
  const merged: JsonObject = {};
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const value = mergeTyped(own(left, key), own(right, key), typeOfKey(map, key));
    if (value !== undefined) merged[key] = value;
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function mergeLists(live: Maybe, config: Maybe, list: ListModel): Maybe {
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(config) ? config : [];
  if (list.relationship === "atomic" || (left.length === 0 && right.length === 0)) {
    return config === undefined ? live : config;
  }
  return new ListMerge(list, left, right).merge();
}

/** The order of the configuration wins for items both have; items only one side has stay next to their neighbours. */
class ListMerge {
  private readonly list: ListModel;
  private readonly left: readonly Json[];
  private readonly leftElements: readonly PathElement[];
  private readonly rightElements: readonly PathElement[];
  private readonly leftByElement = new Map<PathElement, Json>();
  private readonly rightByElement = new Map<PathElement, Json>();
  /** Elements of both sides that were not merged yet, in the configuration's order. */
  private readonly shared: PathElement[];
  private readonly merged = new Set<PathElement>();
  private readonly out: Json[] = [];
  private l = 0;
  private r = 0;

  constructor(list: ListModel, left: readonly Json[], right: readonly Json[]) {
    this.list = list;
    this.left = left;
    this.leftElements = left.map((item) => itemElement(list, item));
    this.rightElements = right.map((item) => itemElement(list, item));
    this.leftElements.forEach((element, i) => {
      // A live item whose key is not unique cannot be merged with; it is replaced.
      this.leftByElement.set(element, this.leftByElement.has(element) ? null : (left[i] as Json));
    });
    this.rightElements.forEach((element, i) => void this.rightByElement.set(element, right[i] as Json));
    this.shared = this.rightElements.filter((element) => this.leftByElement.has(element));
  }

  merge(): Maybe {
    while (this.l < this.leftElements.length || this.r < this.rightElements.length) this.step();
    return this.out.length === 0 ? undefined : this.out;
  }

  private step(): void {
    const left = this.leftElements[this.l];
    const right = this.rightElements[this.r];
    if (left === undefined) this.takeRight(right);
    else if (this.isSkipped(left, right)) this.l++;
    else if (!this.rightByElement.has(left)) this.keep(this.l++);
    else {
      if (left === right || this.merged.has(left)) this.l++;
      this.takeRight(right);
    }
  }

  private takeRight(right: PathElement | undefined): void {
    if (right === undefined) return;
    this.take(right);
    this.r++;
  }

  /** An item both sides have, whose turn by the configuration's order comes later. */
  private isSkipped(left: PathElement, right: PathElement | undefined): boolean {
    const next = this.shared[0];
    if (right === undefined || left === right) return false;
    return this.rightByElement.has(left) && next !== undefined && next !== left;
  }

  private keep(index: number): void {
    this.push(mergeTyped(this.left[index], undefined, this.list.element));
  }

  private take(element: PathElement): void {
    this.merged.add(element);
    this.push(mergeTyped(this.leftByElement.get(element), this.rightByElement.get(element), this.list.element));
    if (this.shared[0] === element) this.shared.shift();
  }

  private push(item: Maybe): void {
    if (item !== undefined) this.out.push(item);
  }
}

const own = (object: JsonObject, key: string): Maybe => (Object.hasOwn(object, key) ? object[key] : undefined);
