/** The event log of one BMC: a short ring, newest last. */

export type Severity = "OK" | "Warning" | "Critical";

export interface LogRecord {
  readonly id: string;
  readonly created: Date;
  readonly severity: Severity;
  readonly message: string;
  readonly messageId: string;
  readonly args: readonly string[];
  readonly origin: string;
}

const KEPT_RECORDS = 64;

export class EventLog {
  #records: LogRecord[] = [];
  #written = 0;

  add(record: Omit<LogRecord, "id">): LogRecord {
    const kept = { id: String(++this.#written), ...record };
    this.#records.push(kept);
    if (this.#records.length > KEPT_RECORDS) this.#records.shift();
    return kept;
  }

  list(): readonly LogRecord[] {
    return this.#records;
  }

  clear(): void {
    this.#records = [];
  }
}
