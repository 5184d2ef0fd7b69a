/**
 * The keys that are ready, in the order in which they are handed out. Owns priority and fairness:
 * larger priorities first, first come first served within one, but every tenth key handed out is the one that has
 * waited longest, whatever its priority. So a key with n older ones before it comes out after at most 10·(n+1) takes.
 */
import { Heap, type HeapItem } from "./heap.ts";

const FAIR_TURN = 10;

/** A place in the line; it stands in the queue of its priority and in the queue of arrival. */
interface Place {
  readonly key: string;
  readonly since: number;
  level: Level;
  previous: Place | undefined;
  next: Place | undefined;
  older: Place | undefined;
  younger: Place | undefined;
}

/** The first come first served queue of one priority. */
interface Level extends HeapItem {
  readonly priority: number;
  first: Place | undefined;
  last: Place | undefined;
}

export class WaitingLine {
  readonly #places = new Map<string, Place>();
  readonly #levels = new Map<number, Level>();
  readonly #order = new Heap<Level>((a, b) => a.priority > b.priority);
  #oldest: Place | undefined;
  #youngest: Place | undefined;
  #turns = 0;

  get length(): number {
    return this.#places.size;
  }

  /** Joins at `now`; a key that waits already keeps its place unless its priority rises, and its age in any case. */
  join(key: string, priority: number, now: number): void {
    const waiting = this.#places.get(key);
    if (!waiting) {
      const place = newPlace(key, now, this.#level(priority));
      this.#places.set(key, place);
      this.#appendToArrivals(place);
      appendToLevel(place);
    } else if (waiting.level.priority < priority) {
      removeFromLevel(waiting);
      waiting.level = this.#level(priority);
      appendToLevel(waiting);
    }
  }

  /** The next key and since when it waited. */
  leave(): { readonly key: string; readonly since: number } | undefined {
    const place = ++this.#turns % FAIR_TURN === 0 ? this.#oldest : this.#first();
    if (!place) return undefined;
    this.#places.delete(place.key);
    removeFromLevel(place);
    this.#removeFromArrivals(place);
    return place;
  }

  /** The head of the highest level that has one; empty levels are dropped on the way. */
  #first(): Place | undefined {
    for (let level = this.#order.peek(); level; level = this.#order.peek()) {
      if (level.first) return level.first;
      this.#order.pop();
      this.#levels.delete(level.priority);
    }
    return undefined;
  }

  #level(priority: number): Level {
    let level = this.#levels.get(priority);
    if (!level) {
      level = { priority, at: 0, first: undefined, last: undefined };
      this.#levels.set(priority, level);
      this.#order.push(level);
    }
    return level;
  }

  #appendToArrivals(place: Place): void {
    place.older = this.#youngest;
    if (this.#youngest) this.#youngest.younger = place;
    else this.#oldest = place;
    this.#youngest = place;
  }

  #removeFromArrivals(place: Place): void {
    if (place.older) place.older.younger = place.younger;
    else this.#oldest = place.younger;
    if (place.younger) place.younger.older = place.older;
    else this.#youngest = place.older;
  }
}

/** One literal with every field, so that all places have one shape: spreading another object in cost six times as much. */
function newPlace(key: string, since: number, level: Level): Place {
  return { key, since, level, previous: undefined, next: undefined, older: undefined, younger: undefined };
}

function appendToLevel(place: Place): void {
  const { level } = place;
  place.previous = level.last;
  place.next = undefined;
  if (level.last) level.last.next = place;
  else level.first = place;
  level.last = place;
}

function removeFromLevel({ level, previous, next }: Place): void {
  if (previous) previous.next = next;
  else level.first = next;
  if (next) next.previous = previous;
  else level.last = previous;
}
