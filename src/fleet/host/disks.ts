/** What is written on a machine's disks. A disk keeps what was put on it until something wipes it. */

export interface DiskContent {
  /** Who wrote last, as a text a test can search for. */
  readonly bytes: string;
  /** A machine can start from it. */
  readonly bootable: boolean;
}

export class Disks {
  readonly #contents = new Map<number, DiskContent>();

  write(drive: number, content: DiskContent): void {
    this.#contents.set(drive, content);
  }

  read(drive: number): DiskContent | undefined {
    return this.#contents.get(drive);
  }

  wipe(drive: number): void {
    this.#contents.delete(drive);
  }

  /** The lowest drive a machine can start from. */
  bootable(): DiskContent | undefined {
    const found = [...this.#contents].filter(([, { bootable }]) => bootable).sort(([a], [b]) => a - b);
    return found[0]?.[1];
  }

  dirty(): readonly number[] {
    return [...this.#contents.keys()].sort((a, b) => a - b);
  }
}
