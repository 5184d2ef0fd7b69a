/** Keeps the last passes, redacted and as text, so that what happened can be written to a file and replayed. */
import { writeFile } from "node:fs/promises";
import type { ObjectKey } from "#kinds";
import type { Decision } from "./decision.ts";
import { type Redaction, toRecorded } from "./record-format.ts";

export interface PassRecord<F = unknown, A = unknown> {
  readonly controller: string;
  readonly key: ObjectKey;
  readonly reconcileId: string;
  readonly at: Date;
  readonly facts: F;
  readonly decision: Decision<A>;
}

export interface PassRecorderOptions {
  /** Passes kept at most; the oldest goes first. */
  readonly maxPasses?: number;
  /** Characters kept at most, over all passes. */
  readonly maxChars?: number;
  readonly redact?: Redaction;
  /** Told when a pass could not be written down; the pass itself goes on. */
  readonly onError?: (error: unknown) => void;
}

export class PassRecorder {
  readonly #options: Required<Pick<PassRecorderOptions, "maxPasses" | "maxChars">> & PassRecorderOptions;
  readonly #lines: string[] = [];
  #first = 0;
  #chars = 0;

  constructor(options: PassRecorderOptions = {}) {
    this.#options = { maxPasses: 1_000, maxChars: 16_000_000, ...options };
  }

  /** Written down at once, so that later changes to the facts do not change the record. Never throws. */
  record(pass: PassRecord): void {
    try {
      const line = JSON.stringify(toRecorded(pass, this.#options.redact));
      this.#lines.push(line);
      this.#chars += line.length;
      this.#trim();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  get size(): number {
    return this.#lines.length - this.#first;
  }

  /** The records as JSON lines, oldest first; of one controller when named. */
  lines(controller?: string): readonly string[] {
    const kept = this.#lines.slice(this.#first);
    const mark = controller && `{"controller":${JSON.stringify(controller)},`;
    return mark ? kept.filter((line) => line.startsWith(mark)) : kept;
  }

  /** Writes the records into a file that only its owner can read. */
  async save(file: string, signal?: AbortSignal): Promise<void> {
    const text = this.lines().map((line) => `${line}\n`);
    await writeFile(file, text.join(""), { mode: 0o600, ...(signal ? { signal } : {}) });
  }

  #trim(): void {
    const { maxPasses, maxChars } = this.#options;
    while (this.size > 1 && (this.size > maxPasses || this.#chars > maxChars)) {
      this.#chars -= this.#lines[this.#first]?.length ?? 0;
      this.#lines[this.#first++] = "";
    }
    if (this.#first > 1_024 && this.#first * 2 > this.#lines.length) {
      this.#lines.splice(0, this.#first);
      this.#first = 0;
    }
  }
}
