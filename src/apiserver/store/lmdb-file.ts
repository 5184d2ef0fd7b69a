/**
 * Looks at an LMDB data file before it is mapped into memory: reading beyond the end of a shortened file would end the
 * process with a bus error, where a person needs a sentence.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { UnusableData } from "./journal.ts";

const MAGIC = 0xbeefc0de;
const HEADER_BYTES = 24;
const META_BYTES = 160;
/** Offsets within a meta page, from the start of the page. */
const AT = { magic: HEADER_BYTES, pageSize: 48, lastPage: 144, transaction: 152 } as const;

interface Meta {
  readonly pageSize: number;
  readonly lastPage: bigint;
  readonly transaction: bigint;
}

/** Throws {@link UnusableData} when the file is not LMDB's or shorter than it says it is. */
export function checkLmdbFile(file: string): void {
  const fd = openSync(file, "r");
  try {
    const size = BigInt(fstatSync(fd).size);
    const first = readMeta(fd, 0);
    const second = first && readMeta(fd, first.pageSize);
    const newest = first && second && second.transaction > first.transaction ? second : first;
    if (!newest)
      throw new UnusableData(`${file} is not an LMDB file, or its head is damaged: restore it from a backup`);
    const needed = (newest.lastPage + 1n) * BigInt(newest.pageSize);
    if (size < needed) {
      throw new UnusableData(`${file} is truncated (${size} of ${needed} bytes): restore the directory from a backup`);
    }
  } finally {
    closeSync(fd);
  }
}

function readMeta(fd: number, at: number): Meta | undefined {
  const page = Buffer.alloc(META_BYTES);
  if (readSync(fd, page, 0, META_BYTES, at) < META_BYTES || page.readUInt32LE(AT.magic) !== MAGIC) return undefined;
  return {
    pageSize: page.readUInt32LE(AT.pageSize),
    lastPage: page.readBigUInt64LE(AT.lastPage),
    transaction: page.readBigUInt64LE(AT.transaction),
  };
}
