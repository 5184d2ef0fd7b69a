import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { onTermination } from "./signals.ts";

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];
  exit(code: number): void {
    this.exits.push(code);
  }
}

it("the first signal asks to stop, the second ends the process, and dispose gives them back", () => {
  const source = new FakeProcess();
  const { signal, dispose } = onTermination(source);
  source.emit("SIGTERM");
  expect(signal.aborted).toBe(true);
  expect(source.exits).toEqual([]);
  source.emit("SIGINT");
  expect(source.exits).toEqual([1]);
  dispose();
  expect(source.listenerCount("SIGTERM") + source.listenerCount("SIGINT")).toBe(0);
});
