/** One simulated BMC: identity from the seed, and only the state that differs from what the seed says. */
import type { Timer } from "#clock";
import type { ActiveFault, Fault, FaultKind } from "../faults/fault.ts";
import { Host } from "../host/host.ts";
import type { JsonObject } from "../json.ts";
import type { Profile } from "../profiles/profile.ts";
import { draw, drawSerial, drawUuid, macOf } from "../seed.ts";
import type { World } from "../world.ts";
import { Accounts } from "./accounts.ts";
import { type Announcement, Subscriptions } from "./events.ts";
import { EventLog } from "./log.ts";
import { metricReport } from "./metric-report.ts";
import { Sessions } from "./sessions.ts";
import { type Task, Tasks } from "./tasks.ts";

export interface BmcIdentity {
  readonly index: number;
  readonly systems: number;
  readonly username: string;
  readonly password: string;
}

export class Bmc {
  readonly index: number;
  readonly profile: Profile;
  readonly world: World;
  readonly hosts: readonly Host[];
  readonly username: string;
  readonly initialPassword: string;
  /** What people changed in resources that are otherwise as the seed says, by path. */
  overlay: Map<string, JsonObject> | undefined;
  faults: ActiveFault[] | undefined;
  /** What clients did to it: requests so far, in flight now, and the most that ever were. */
  readonly traffic = { requests: 0, inFlight: 0, mostInFlight: 0 };
  lastReset: Date | undefined;
  managerAttributes: { readonly current: Map<string, unknown>; readonly pending: Map<string, unknown> } | undefined;
  #firmware: string | undefined;
  #accounts: Accounts | undefined;
  #sessions: Sessions | undefined;
  #tasks: Tasks | undefined;
  #subscriptions: Subscriptions | undefined;
  #log: EventLog | undefined;
  #rebooting: Timer | undefined;
  #storm: Timer | undefined;
  #reports: Timer | undefined;

  constructor(world: World, profile: Profile, identity: BmcIdentity) {
    this.world = world;
    this.profile = profile;
    this.index = identity.index;
    this.username = identity.username;
    this.initialPassword = identity.password;
    this.hosts = Array.from({ length: identity.systems }, (_, at) => new Host(this, at + 1));
  }

  /** A number drawn for this BMC and a place in it. */
  draw(...parts: readonly (number | string)[]): number {
    return draw(this.world.seed, this.index, ...parts);
  }

  get uuid(): string {
    return drawUuid(this.world.seed, this.index, "manager");
  }

  get serial(): string {
    return drawSerial(12, this.world.seed, this.index, "manager", this.fault("board-swap") ? "swapped" : "");
  }

  get mac(): string {
    return macOf(this.profile.macPrefix, 0x100000 + this.index);
  }

  get firmwareVersion(): string {
    const versions = this.profile.update.bmcVersions;
    return this.#firmware ?? versions[this.draw("bmc-version") % versions.length] ?? versions[0];
  }

  set firmwareVersion(version: string) {
    this.#firmware = version;
  }

  get accounts(): Accounts {
    if (!this.#accounts) {
      const { accounts } = this.profile;
      this.#accounts = new Accounts(accounts.slots, { username: this.username, password: this.initialPassword });
      if (accounts.create === "patch-slot") this.#accounts.fillSlots();
      this.#accounts.lockoutThreshold = accounts.lockout?.threshold ?? 0;
      this.#accounts.lockoutSeconds = accounts.lockout?.seconds ?? 0;
    }
    return this.#accounts;
  }

  get sessions(): Sessions {
    this.#sessions ??= new Sessions(this.profile.sessions?.slots ?? 0, this.world.clock, this.world.random);
    return this.#sessions;
  }

  get tasks(): Tasks {
    this.#tasks ??= new Tasks(this.world.clock, (task) => this.#announceTask(task));
    return this.#tasks;
  }

  get subscriptions(): Subscriptions {
    this.#subscriptions ??= new Subscriptions(this.world);
    return this.#subscriptions;
  }

  get log(): EventLog {
    this.#log ??= new EventLog();
    return this.#log;
  }

  /** Open sessions, without making a table for a BMC nobody talked to. */
  get openSessions(): number {
    return this.#sessions?.list().length ?? 0;
  }

  /** The first active fault of a kind. */
  fault(kind: FaultKind): Fault | undefined {
    return this.faults?.find(({ fault }) => fault.kind === kind)?.fault;
  }

  get rebooting(): boolean {
    return this.#rebooting !== undefined;
  }

  /** Gone for a while, then back with no sessions and what was waiting for the restart in effect. */
  reboot(): void {
    this.#rebooting?.cancel();
    this.#sessions?.endAll();
    this.#subscriptions?.endStreams();
    this.#rebooting = this.world.clock.after(this.world.timing.bmcRebootMs, () => {
      this.#rebooting = undefined;
      this.lastReset = this.world.clock.now();
      this.#applyManagerAttributes();
      this.announce({
        messageId: "ResourceEvent.1.0.ResourceChanged",
        message: "The manager restarted.",
        severity: "OK",
      });
    });
  }

  /** Writes to the log and tells subscribers. */
  announce(event: Announcement): void {
    const record = this.log.add({
      created: this.world.clock.now(),
      severity: event.severity,
      message: event.message,
      messageId: event.messageId,
      args: event.args ?? [],
      origin: event.origin ?? `/redfish/v1/Managers/${this.profile.names.manager}`,
    });
    this.#subscriptions?.deliver(record, this.profile.events?.originAsText ?? false);
  }

  /** Starts or ends what a fault does by itself, as opposed to what it does to requests. */
  faultsChanged(): void {
    this.#storm?.cancel();
    this.#storm = undefined;
    const storm = this.fault("event-storm");
    if (storm) this.#blow(1000 / (storm.perSecond ?? 10));
    for (const host of this.hosts) host.faultsChanged();
  }

  /** Sends metric reports for as long as someone is subscribed to them. */
  reportMetrics(): void {
    this.#reports ??= this.world.clock.after(this.world.timing.reportEveryMs, () => {
      this.#reports = undefined;
      if (!this.subscriptions.list().some(({ format }) => format === "MetricReport")) return;
      this.subscriptions.publish("MetricReport", metricReport(this));
      this.reportMetrics();
    });
  }

  async close(): Promise<void> {
    this.#reports?.cancel();
    this.#rebooting?.cancel();
    this.#storm?.cancel();
    this.#tasks?.close();
    await Promise.all([this.#subscriptions?.close(), ...this.hosts.map((host) => host.close())]);
  }

  #announceTask({ id, name, state }: Task): void {
    const ends = { Completed: "TaskCompletedOK", Exception: "TaskAborted", Cancelled: "TaskCancelled" } as const;
    const end = ends[state as keyof typeof ends];
    if (!end) return;
    this.announce({
      messageId: `TaskEvent.1.0.${end}`,
      message: `${name}: ${state}.`,
      severity: end === "TaskCompletedOK" ? "OK" : "Critical",
      args: [id],
      origin: `/redfish/v1/TaskService/Tasks/${id}`,
    });
  }

  #blow(everyMs: number): void {
    this.#storm = this.world.clock.after(everyMs, () => {
      this.announce({
        messageId: "Platform.1.0.Noise",
        message: "Threshold crossed and cleared.",
        severity: "Warning",
      });
      this.#blow(everyMs);
    });
  }

  #applyManagerAttributes(): void {
    if (!this.managerAttributes) return;
    for (const [name, value] of this.managerAttributes.pending) this.managerAttributes.current.set(name, value);
    this.managerAttributes.pending.clear();
  }
}
