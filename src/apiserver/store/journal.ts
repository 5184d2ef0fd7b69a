/** Where committed changes are made durable. A journal knows nothing of objects: it keeps records in revision order. */

/** `json` is absent when the key was deleted at this revision. */
export interface JournalRecord {
  readonly revision: number;
  readonly key: string;
  readonly json: string | undefined;
}

export interface JournalBatch {
  readonly records: readonly JournalRecord[];
  /** Revisions whose records are no longer needed. */
  readonly forget: readonly number[];
  /** Changes up to and including this revision can no longer be replayed. */
  readonly compacted: number;
}

export interface Journal {
  /** Every kept record in revision order, and how far the journal was compacted. */
  load(): { readonly records: Iterable<JournalRecord>; readonly compacted: number };
  /** Resolves once the batch is on stable storage, all of it or nothing of it. */
  append(batch: JournalBatch): Promise<void>;
  close(): Promise<void>;
}

/** The data directory cannot be used; the message is one sentence for a person. */
export class UnusableData extends Error {
  override readonly name = "UnusableData";
}

/** Keeps nothing: the deterministic twin for tests and schedule exploration. */
export function memoryJournal(): Journal {
  return {
    load: () => ({ records: [], compacted: 0 }),
    append: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
