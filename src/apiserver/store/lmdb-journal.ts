/** A journal in an LMDB directory: one record per revision, a batch per transaction, acknowledged after its fsync. */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Database, open, type RootDatabase } from "lmdb";
import { lockDirectory } from "./directory-lock.ts";
import { type Journal, type JournalBatch, type JournalRecord, UnusableData } from "./journal.ts";
import { checkLmdbFile } from "./lmdb-file.ts";

const FORMAT = "metalwright-apiserver/1";
const DATA_FILE = "data.mdb";

/** Opens (or creates) the journal in `directory`; throws {@link UnusableData} when that is not possible. */
export function openLmdbJournal(directory: string): Journal {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockDirectory(directory);
  try {
    refuseForeign(directory);
    return journalIn(openEnvironment(directory), directory, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function refuseForeign(directory: string): void {
  const ours = existsSync(join(directory, DATA_FILE));
  const foreign = readdirSync(directory).filter((name) => !name.startsWith("."));
  if (!ours && foreign.length > 0) {
    throw new UnusableData(
      `${directory} holds other files (${foreign.slice(0, 3).join(", ")}) and no API server data: choose an empty directory`,
    );
  }
  if (ours) checkLmdbFile(join(directory, DATA_FILE));
}

function openEnvironment(directory: string): RootDatabase<string, number> {
  try {
    return open<string, number>({
      path: directory,
      noSubdir: false,
      encoding: "string",
      keyEncoding: "ordered-binary",
      // The default acknowledges at commit, before the sync; here a resolved write is a durable write.
      overlappingSync: false,
      maxDbs: 4,
    });
  } catch (error) {
    throw new UnusableData(`${directory} cannot be opened as API server data: ${String(error)}`);
  }
}

function journalIn(root: RootDatabase<string, number>, directory: string, unlock: () => void): Journal {
  const log = root.openDB<string, number>({ name: "log", encoding: "string" });
  const meta = root.openDB<string, string>({ name: "meta", encoding: "string" });
  claimFormat(meta, log, directory);
  return {
    load: () => ({ records: readRecords(log, directory), compacted: Number(meta.get("compacted") ?? 0) }),
    append: (batch) => append(log, meta, batch),
    close: async () => {
      await root.close();
      unlock();
    },
  };
}

function claimFormat(meta: Database<string, string>, log: Database<string, number>, directory: string): void {
  const format = meta.get("format");
  if (format === FORMAT) return;
  if (format !== undefined) throw new UnusableData(`${directory} has data of format ${format}; this is ${FORMAT}`);
  if (log.getKeysCount({ limit: 1 }) > 0)
    throw new UnusableData(`${directory} holds an LMDB database of another program`);
  meta.putSync("format", FORMAT);
}

async function append(
  log: Database<string, number>,
  meta: Database<string, string>,
  { records, forget, compacted }: JournalBatch,
): Promise<void> {
  await log.transaction(() => {
    for (const record of records) log.putSync(record.revision, encode(record));
    for (const revision of forget) log.removeSync(revision);
    if (forget.length > 0) meta.putSync("compacted", String(compacted));
  });
}

/** `crc key\n json`; a deletion has nothing after the line break. */
function encode({ key, json }: JournalRecord): string {
  const body = `${key}\n${json ?? ""}`;
  return `${crc32(body).toString(16).padStart(8, "0")}${body}`;
}

function* readRecords(log: Database<string, number>, directory: string): Generator<JournalRecord> {
  for (const { key: revision, value } of log.getRange()) {
    const body = value.slice(8);
    if (Number.parseInt(value.slice(0, 8), 16) !== crc32(body)) {
      throw new UnusableData(
        `${directory} is damaged: revision ${revision} fails its checksum; restore the directory from a backup`,
      );
    }
    const end = body.indexOf("\n");
    yield { revision, key: body.slice(0, end), json: body.slice(end + 1) || undefined };
  }
}
