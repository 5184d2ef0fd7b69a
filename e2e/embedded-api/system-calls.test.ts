import { describe, expect, it } from "vitest";
import { acknowledgements, parseSystemCalls } from "./system-calls.ts";

const OPEN = [
  '1 openat(AT_FDCWD</x>, "/d/data.mdb", O_RDWR|O_CREAT, 0664) = 19</d/data.mdb>',
  '1 openat(AT_FDCWD</x>, "/d/data.mdb", O_WRONLY|O_DSYNC) = 20</d/data.mdb>',
];
const REQUEST = '1 read(23<socket:[7]>, "...", 65536) = 400';
const PAGES = '2 writev(19</d/data.mdb>, [{iov_base="x", iov_len=4096}], 1) = 4096';
const SYNC = "2 fdatasync(19</d/data.mdb>) = 0";
const META = '2 pwrite64(20</d/data.mdb>, "\\0", 128, 40) = 128';
const ANSWER = '1 write(23<socket:[7]>, "...", 504) = 504';

const verdict = (...lines: readonly string[]): boolean[] =>
  acknowledgements(parseSystemCalls([...OPEN, ...lines].join("\n")), "data.mdb").map((a) => a.durable);

describe("acknowledgements", () => {
  it.each([
    ["pages, sync, meta, answer", [REQUEST, PAGES, SYNC, META, ANSWER], [true]],
    ["no sync", [REQUEST, PAGES, META, ANSWER], [false]],
    ["a sync before the pages", [REQUEST, SYNC, PAGES, META, ANSWER], [false]],
    ["an answer before the meta page", [REQUEST, PAGES, SYNC, ANSWER, META], [false]],
    [
      "a sync that failed",
      [REQUEST, PAGES, SYNC.replace("= 0", "= -1 EIO (Input/output error)"), META, ANSWER],
      [false],
    ],
    ["the sync of the request before", [REQUEST, PAGES, SYNC, META, ANSWER, REQUEST, ANSWER], [true, false]],
    [
      "a sync still under way when the answer leaves",
      [REQUEST, PAGES, "2 fdatasync(19</d/data.mdb> <unfinished ...>", ANSWER, "2 <... fdatasync resumed>) = 0", META],
      [false],
    ],
    [
      "a sync interrupted in the log",
      [REQUEST, PAGES, "2 fdatasync(19</d/data.mdb> <unfinished ...>", "2 <... fdatasync resumed>) = 0", META, ANSWER],
      [true],
    ],
  ])("%s", (_, lines, expected) => {
    expect(verdict(...lines)).toEqual(expected);
  });
});
