/** Bounds the requests in flight and decides who goes next. It knows places and priorities, nothing about HTTP. */
import type { Priority } from "./transport.ts";

const ORDER: readonly Priority[] = ["lease", "status", "normal", "bulk"];
/** Every so many places go to whoever waited longest, so that no class starves. */
const FAIR_TURN = 4;
/** Places only leases may take, beyond the limit: a lease must be renewed however much work is queued. */
const LEASE_PLACES = 2;

interface Waiter {
  readonly priority: Priority;
  readonly arrived: number;
  readonly enter: () => void;
}

/** Gives the place back; calling it again does nothing. */
export type Release = () => void;

export class InFlightLimiter {
  readonly #places: number;
  readonly #bulkPlaces: number;
  readonly #waiting = new Map<Priority, Set<Waiter>>(ORDER.map((priority) => [priority, new Set()]));
  #taken = 0;
  #takenByBulk = 0;
  #arrivals = 0;
  #grants = 0;

  /** Bulk work never takes more than three quarters of the places. */
  constructor(places: number) {
    this.#places = places;
    this.#bulkPlaces = Math.max(1, Math.floor(places * 0.75));
  }

  get inFlight(): number {
    return this.#taken;
  }

  get waiting(): number {
    return ORDER.reduce((sum, priority) => sum + this.#queue(priority).size, 0);
  }

  /** Takes a place at once; undefined when one has to wait for it. */
  tryEnter(priority: Priority): Release | undefined {
    return this.#mustQueue(priority) || !this.#hasPlace(priority) ? undefined : this.#take(priority);
  }

  /** Waits for a place; rejects with the signal's reason when it is aborted first. */
  enter(priority: Priority, signal: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const queue = this.#queue(priority);
      const leave = (): void => {
        queue.delete(waiter);
        reject(signal.reason);
      };
      const enter = (): void => {
        queue.delete(waiter);
        signal.removeEventListener("abort", leave);
        resolve(this.#take(priority));
      };
      const waiter: Waiter = { priority, arrived: this.#arrivals++, enter };
      queue.add(waiter);
      signal.addEventListener("abort", leave, { once: true });
      this.#admit();
    });
  }

  /** Whether someone as urgent or more is already waiting. */
  #mustQueue(priority: Priority): boolean {
    for (const other of ORDER) {
      if (this.#queue(other).size > 0) return true;
      if (other === priority) return false;
    }
    return false;
  }

  #take(priority: Priority): Release {
    const bulk = priority === "bulk" ? 1 : 0;
    this.#taken++;
    this.#takenByBulk += bulk;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#taken--;
      this.#takenByBulk -= bulk;
      this.#admit();
    };
  }

  #admit(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#grants++;
      next.enter();
    }
  }

  #next(): Waiter | undefined {
    const heads = ORDER.filter((priority) => this.#hasPlace(priority))
      .map((priority) => this.#queue(priority).values().next().value)
      .filter((waiter) => waiter !== undefined);
    const [first] = heads;
    const fairTurn = first?.priority !== "lease" && this.#grants % FAIR_TURN === FAIR_TURN - 1;
    return fairTurn ? heads.reduce((a, b) => (b.arrived < a.arrived ? b : a), first as Waiter) : first;
  }

  #hasPlace(priority: Priority): boolean {
    if (priority === "lease") return this.#taken < this.#places + LEASE_PLACES;
    if (priority === "bulk" && this.#takenByBulk >= this.#bulkPlaces) return false;
    return this.#taken < this.#places;
  }

  #queue(priority: Priority): Set<Waiter> {
    return this.#waiting.get(priority) as Set<Waiter>;
  }
}
