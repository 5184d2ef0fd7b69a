/** Long-running work of one BMC: each task walks from New to its end on the fleet's clock. */
import type { Clock, Timer } from "#clock";

export type TaskState = "New" | "Pending" | "Starting" | "Running" | "Completed" | "Exception" | "Cancelled";

export interface TaskMessage {
  readonly id: string;
  readonly text: string;
  readonly args?: readonly string[];
}

export interface Task {
  readonly id: string;
  readonly name: string;
  state: TaskState;
  percent: number;
  readonly started: Date;
  ended: Date | undefined;
  readonly messages: TaskMessage[];
  /** Lenovo: the job this task turned into. */
  job?: string;
}

export interface Work {
  readonly name: string;
  readonly id?: string;
  readonly stepMs: number;
  /** Where the work must wait before it may run, such as for a reboot. */
  readonly held?: boolean;
  /** Asked before each step; the fault scripts answer. */
  readonly fate?: () => "go" | "stick" | "fail-at-99";
  readonly done: () => void;
}

const steps: readonly [TaskState, number][] = [
  ["Pending", 0],
  ["Starting", 0],
  ["Running", 10],
  ["Running", 50],
  ["Running", 99],
  ["Completed", 100],
];
const KEPT_TASKS = 32;

export class Tasks {
  readonly #clock: Clock;
  readonly #byId = new Map<string, Task>();
  readonly #timers = new Map<string, Timer>();
  readonly #held = new Map<string, () => void>();
  readonly #onChange: (task: Task) => void;
  #made = 0;

  constructor(clock: Clock, onChange: (task: Task) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  start(work: Work): Task {
    const task = this.#make(work);
    const begin = (): void => this.#step(task, work, 0);
    if (work.held) this.#held.set(task.id, begin);
    else this.#later(task, work.stepMs, begin);
    return task;
  }

  /** A task that is over the moment it is made. */
  finished(name: string, messages: readonly TaskMessage[]): Task {
    const task = this.#make({ name });
    Object.assign(task, { state: "Completed", percent: 100, ended: this.#clock.now() });
    task.messages.push(...messages);
    return task;
  }

  /** Lets go of what waited for a reboot. */
  release(): void {
    for (const begin of this.#held.values()) begin();
    this.#held.clear();
  }

  list(): readonly Task[] {
    return [...this.#byId.values()];
  }

  get(id: string): Task | undefined {
    return this.#byId.get(id);
  }

  cancel(id: string): boolean {
    const task = this.#byId.get(id);
    if (!task || task.ended) return false;
    this.#timers.get(id)?.cancel();
    this.#held.delete(id);
    this.#end(task, "Cancelled");
    return true;
  }

  remove(id: string): boolean {
    this.cancel(id);
    return this.#byId.delete(id);
  }

  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#held.clear();
  }

  #make({ name, id }: { readonly name: string; readonly id?: string }): Task {
    const started = this.#clock.now();
    const made = id ?? String(++this.#made);
    const task: Task = { id: made, name, state: "New", percent: 0, started, ended: undefined, messages: [] };
    this.#byId.set(task.id, task);
    this.#forgetOldest();
    return task;
  }

  #step(task: Task, work: Work, at: number): void {
    const fate = work.fate?.() ?? "go";
    const [state, percent] = steps[at] ?? ["Completed", 100];
    const again = (next: number): void => this.#later(task, work.stepMs, () => this.#step(task, work, next));
    if (fate === "stick" && percent >= 50) again(at);
    else if (state === "Completed") this.#finish(task, work, fate);
    else {
      Object.assign(task, { state, percent });
      this.#onChange(task);
      again(at + 1);
    }
  }

  #finish(task: Task, work: Work, fate: string): void {
    if (fate === "fail-at-99") {
      task.messages.push({ id: "Update.1.0.ApplyFailed", text: `${task.name} failed.` });
      this.#end(task, "Exception");
    } else {
      task.percent = 100;
      work.done();
      this.#end(task, "Completed");
    }
  }

  #later(task: Task, ms: number, run: () => void): void {
    this.#timers.set(
      task.id,
      this.#clock.after(ms, () => {
        this.#timers.delete(task.id);
        run();
      }),
    );
  }

  #end(task: Task, state: TaskState): void {
    task.state = state;
    task.ended = this.#clock.now();
    this.#onChange(task);
  }

  #forgetOldest(): void {
    for (const [id, { ended }] of this.#byId) {
      if (this.#byId.size <= KEPT_TASKS) return;
      if (ended) this.#byId.delete(id);
    }
  }
}
