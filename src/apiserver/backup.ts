/**
 * One file with everything of a data directory: the records of the store and the keys. A line of JSON each, the last one
 * a checksum over all others, so that a file cut short is never taken for a whole one. Never writes over anything.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { writePrivate } from "./security/credentials.ts";
import { type JournalRecord, openLmdbJournal, readLmdbJournal, UnusableData } from "./store/index.ts";

const FORMAT = "metalwright-backup/1";
const KEYS = "pki";
const STORE = "store";
const BATCH = 500;

interface Header {
  readonly format: string;
  readonly compacted: number;
}
interface KeyFile {
  readonly file: string;
  readonly text: string;
}
interface Trailer {
  readonly records: number;
  readonly sha256: string;
}

/** Writes `data` into `file`; a server may be running on it. The file appears only when it is whole. */
export async function backUp(data: string, file: string): Promise<{ records: number }> {
  if (existsSync(file)) throw new UnusableData(`${file} exists already: choose another name, or remove it first`);
  const unfinished = `${file}.${process.pid}.new`;
  try {
    let records = 0;
    const writer = lineWriter(unfinished);
    await readLmdbJournal(join(data, STORE), (content) => {
      writer.write({ format: FORMAT, compacted: content.compacted } satisfies Header);
      for (const key of keyFiles(join(data, KEYS))) writer.write(key);
      for (const record of content.records) {
        writer.write(record);
        records++;
      }
    });
    writer.finish(records);
    renameSync(unfinished, file);
    return { records };
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function keyFiles(folder: string): KeyFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));
}

function lineWriter(path: string) {
  const hash = createHash("sha256");
  const fd = openSync(path, "wx", 0o600);
  const write = (value: object): void => {
    const line = `${JSON.stringify(value)}\n`;
    hash.update(line);
    writeSync(fd, line);
  };
  const finish = (records: number): void => {
    const trailer: Trailer = { records, sha256: hash.copy().digest("hex") };
    writeSync(fd, `${JSON.stringify(trailer)}\n`);
    fsyncSync(fd);
    closeSync(fd);
  };
  return { write, finish };
}

/** Makes a new data directory of a backup; throws {@link UnusableData} when there is one already or the file is not whole. */
export async function restore(data: string, file: string): Promise<{ records: number }> {
  for (const part of [STORE, KEYS]) {
    const taken = join(data, part);
    if (existsSync(taken)) throw new UnusableData(`${taken} exists already: restore into a new directory`);
  }
  const { header, keys, records } = readBackup(file);
  const journal = openLmdbJournal(join(data, STORE));
  try {
    for (let at = 0; at < records.length; at += BATCH) {
      // The journal notes how far it is compacted when it forgets something; there is no revision 0.
      await journal.append({ records: records.slice(at, at + BATCH), forget: [0], compacted: header.compacted });
    }
  } catch (error) {
    await journal.close();
    rmSync(join(data, STORE), { recursive: true });
    throw error;
  }
  await journal.close();
  for (const { file: name, text } of keys) writePrivate(join(data, KEYS, basename(name)), text);
  return { records: records.length };
}

function readBackup(file: string): { header: Header; keys: KeyFile[]; records: JournalRecord[] } {
  const text = readFileSync(file, "utf8");
  const end = text.trimEnd().lastIndexOf("\n") + 1;
  const lines = text.slice(0, end).trimEnd().split("\n");
  const [header, ...rest] = parseLines(lines) as [Header | undefined, ...(KeyFile | JournalRecord)[]];
  if (header?.format !== FORMAT) throw new UnusableData(`${file} is not a backup that this version can read`);
  const [trailer] = parseLines([text.slice(end)]) as [Trailer | undefined];
  const sha256 = createHash("sha256").update(text.slice(0, end)).digest("hex");
  if (trailer?.sha256 !== sha256) throw new UnusableData(`${file} is cut short or damaged: use another backup`);
  return {
    header,
    keys: rest.filter((line): line is KeyFile => "file" in line),
    records: rest.filter((line): line is JournalRecord => "revision" in line),
  };
}

/** What the lines say, up to the first that says nothing. */
function parseLines(lines: readonly string[]): unknown[] {
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return [];
  }
}
