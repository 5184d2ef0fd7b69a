/** Keys waiting to be looked at, each once, one after the other. */
import type { Background } from "./background.ts";

export class KeyQueue {
  readonly #waiting = new Set<string>();
  readonly #background: Background;
  readonly #what: string;
  readonly #work: (key: string) => Promise<void>;
  #running = false;

  constructor(background: Background, what: string, work: (key: string) => Promise<void>) {
    this.#background = background;
    this.#what = what;
    this.#work = work;
  }

  add(key: string): void {
    this.#waiting.add(key);
    if (this.#running) return;
    this.#running = true;
    this.#background.run(this.#what, () => this.#drain());
  }

  async #drain(): Promise<void> {
    try {
      for (const key of this.#waiting) {
        this.#waiting.delete(key);
        if (this.#background.closed) return;
        await this.#work(key);
      }
    } finally {
      this.#running = false;
    }
  }
}
