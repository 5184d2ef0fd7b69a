/**
 * The audit trail of this process: records in one hash chain, written in order. A record counts when its sink took it;
 * one that could not be written fails the caller, so that nothing unrecorded is done.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "#clock";
import { type AuditContent, CHAIN_START, sealRecord } from "./chain.ts";
import { withoutSecretValues } from "./redact.ts";

/** Where lines go. */
export interface AuditSink {
  /** Resolves when the line is kept. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

export interface AuditOptions {
  readonly clock: Clock;
  readonly sink: AuditSink;
  /** Told of every new head, to be anchored where the writer of the file cannot change it. */
  readonly onHead?: (hash: string, seq: number, chain: string) => void;
  /** Drawn when left out. */
  readonly chain?: string;
}

export class AuditLog {
  readonly #options: AuditOptions;
  readonly chain: string;
  #head = CHAIN_START;
  #seq = 0;
  #last: Promise<void> = Promise.resolve();
  #broken: unknown;

  constructor(options: AuditOptions) {
    this.#options = options;
    this.chain = options.chain ?? randomUUID();
  }

  get head(): { readonly hash: string; readonly seq: number } {
    return { hash: this.#head, seq: this.#seq };
  }

  /** Writes one record after all before it. Rejects when it, or one before it, could not be kept. */
  write(content: AuditContent): Promise<void> {
    const written = this.#last.then(() => this.#append(content));
    this.#last = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#options.sink.close();
  }

  async #append(content: AuditContent): Promise<void> {
    // After a failed write nobody knows how much of the line is in the file: the chain ends there.
    if (this.#broken) throw new Error(`audit record not written: an earlier one failed (${String(this.#broken)})`);
    const { clock, sink, onHead } = this.#options;
    const link = { chain: this.chain, seq: this.#seq + 1, time: clock.now().toISOString(), prev: this.#head };
    const { line, hash } = sealRecord(link, withoutSecretValues(content));
    try {
      await sink.append(line);
    } catch (error) {
      this.#broken = error;
      throw new Error(`audit record not written: ${String(error)}`, { cause: error });
    }
    this.#head = hash;
    this.#seq = link.seq;
    onHead?.(hash, link.seq, this.chain);
  }
}
