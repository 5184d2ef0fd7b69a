/** A process that writes to a data directory as fast as it can and says what was acknowledged; tests kill it. */
import type { KubeObject } from "#kinds";
import { openLmdbJournal } from "../store/lmdb-journal.ts";
import { Store } from "../store/store.ts";

const WRITERS = 16;
const store = new Store(openLmdbJournal(process.argv[2] ?? ""));
process.stdout.write("ready\n");

async function write(writer: number): Promise<never> {
  for (let n = 0; ; n++) {
    const name = `w${writer}-${n % 20}`;
    const key = `test/things/${name}`;
    const object = {
      apiVersion: "v1",
      kind: "Thing",
      metadata: { name },
      text: "x".repeat(n % 2000),
    } as unknown as KubeObject;
    const { revision } = await store.put(key, store.head(key), object);
    process.stdout.write(`${key} ${revision}\n`);
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, i) => write(i)));
