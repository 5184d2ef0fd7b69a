import { describe, expect, it } from "vitest";
import { SharedReads } from "./shared-reads.ts";

/** A read whose end the test decides. */
function slowRead() {
  const ends: ((value: number) => void)[] = [];
  return { ends, read: () => new Promise<number>((resolve) => ends.push(resolve)) };
}

describe("shared reads", () => {
  it("are one while it is under way, and a new one afterwards", async () => {
    let joined = 0;
    const reads = new SharedReads(() => joined++);
    const { ends, read } = slowRead();
    const both = Promise.all([reads.share("a", read), reads.share("a", read)]);
    void reads.share("b", read);
    expect(ends).toHaveLength(2);
    ends[0]?.(7);
    expect(await both).toEqual([7, 7]);
    expect(joined).toBe(1);
    void reads.share("a", read);
    expect(ends).toHaveLength(3);
  });

  it("never answer a question that was asked after a change", async () => {
    const reads = new SharedReads();
    const { ends, read } = slowRead();
    const before = reads.share("a", read);
    reads.changed();
    const after = reads.share("a", read);
    ends[0]?.(1);
    expect(await before).toBe(1);
    // The end of the old read must not end the sharing of the new one.
    const joined = reads.share("a", read);
    ends[1]?.(2);
    expect(await Promise.all([after, joined])).toEqual([2, 2]);
    expect(ends).toHaveLength(2);
  });

  it("share a failure, and forget it", async () => {
    const reads = new SharedReads();
    const fails = () => Promise.reject(new Error("no"));
    const both = [reads.share("a", fails), reads.share("a", fails)];
    for (const one of both) await expect(one).rejects.toThrow("no");
    expect(await reads.share("a", async () => 1)).toBe(1);
  });
});
