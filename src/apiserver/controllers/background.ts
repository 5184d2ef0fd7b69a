/** Work the server does by itself: started by events, counted, and waited for when the server closes. */

export type ReportFailure = (what: string, error: unknown) => void;

export class Background {
  readonly #running = new Set<Promise<void>>();
  readonly #report: ReportFailure;
  #closed = false;

  constructor(report: ReportFailure) {
    this.#report = report;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Runs `work` unless the server is closing; a failure is reported, never thrown. */
  run(what: string, work: () => Promise<void>): void {
    if (this.#closed) return;
    const running = work()
      .catch((error: unknown) => {
        if (!this.#closed) this.#report(what, error);
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when nothing runs any more, including what running work started. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.idle();
  }
}
