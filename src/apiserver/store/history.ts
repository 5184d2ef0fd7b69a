/** The recent changes, oldest first, bounded by number and size; what falls out can no longer be watched from. */
import type { Change } from "./entry.ts";

export interface HistoryLimits {
  readonly changes: number;
  readonly bytes: number;
}

export class History {
  #changes: Change[] = [];
  /** Index of the oldest kept change; the array is cut only now and then, so that dropping stays cheap. */
  #start = 0;
  #bytes = 0;
  #compacted: number;
  readonly #limits: HistoryLimits;

  constructor(limits: HistoryLimits, compacted: number) {
    this.#limits = limits;
    this.#compacted = compacted;
  }

  /** Changes up to and including this revision are gone. */
  get compacted(): number {
    return this.#compacted;
  }

  /** Adds a change and returns those that fell out. */
  add(change: Change): Change[] {
    this.#changes.push(change);
    this.#bytes += change.entry.json.length;
    const dropped: Change[] = [];
    while (this.#length > 1 && (this.#length > this.#limits.changes || this.#bytes > this.#limits.bytes)) {
      dropped.push(this.#dropOldest());
    }
    return dropped;
  }

  /** The changes after `revision`, oldest first, or undefined when some of them are gone. */
  since(revision: number): Change[] | undefined {
    if (revision < this.#compacted) return undefined;
    let low = this.#start;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle] as Change).entry.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }

  get #length(): number {
    return this.#changes.length - this.#start;
  }

  #dropOldest(): Change {
    const oldest = this.#changes[this.#start++] as Change;
    this.#bytes -= oldest.entry.json.length;
    this.#compacted = oldest.entry.revision;
    if (this.#start > 1024 && this.#start * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#start);
      this.#start = 0;
    }
    return oldest;
  }
}
