/** One simulated machine: its power, what it boots, what runs on it and what is on its disks. */
import type { Timer } from "#clock";
import type { Bmc } from "../bmc/bmc.ts";
import { drawSerial, drawUuid } from "../seed.ts";
import { type BootOverride, defaultOrder, noOverride } from "./boot-settings.ts";
import { Disks } from "./disks.ts";
import { FirmwareSettings } from "./firmware-settings.ts";
import { type Phase, startUp } from "./start-up.ts";

export type PowerState = "Off" | "PoweringOn" | "On" | "PoweringOff";
export type ResetOutcome = "accepted" | "same-state";

export interface Media {
  readonly image: string;
  readonly writeProtected: boolean;
}

export class Host {
  readonly bmc: Bmc;
  /** Which system of its BMC, from 1. */
  readonly n: number;
  power: PowerState = "Off";
  phase: Phase = "off";
  override: BootOverride = noOverride;
  bootOrder: readonly string[] = defaultOrder;
  boots = 0;
  lastReset: Date | undefined;
  media: Map<string, Media> | undefined;
  /** What happened during the last start, newest last, for people and tests. */
  story: string[] = [];
  /** A BIOS image that waits for the next start. */
  stagedBios: { readonly version: string; readonly done: () => void } | undefined;
  #uuid: string | undefined;
  #serial: string | undefined;
  #bios: string | undefined;
  #settings: FirmwareSettings | undefined;
  #disks: Disks | undefined;
  #timer: Timer | undefined;
  #running: { readonly stop: AbortController; readonly over: Promise<void> } | undefined;

  constructor(bmc: Bmc, n: number) {
    this.bmc = bmc;
    this.n = n;
  }

  get id(): string {
    return this.bmc.profile.names.system(this.n, this.bmc.hosts.length);
  }

  get path(): string {
    return `/redfish/v1/Systems/${this.id}`;
  }

  get uuid(): string {
    if (this.bmc.fault("duplicate-uuid")) return "00000000-0000-4000-8000-000000000000";
    this.#uuid ??= drawUuid(this.bmc.world.seed, this.bmc.index, "system", this.n);
    return this.#uuid;
  }

  get serial(): string {
    if (this.bmc.fault("board-swap"))
      return drawSerial(7, this.bmc.world.seed, this.bmc.index, "system", this.n, "swapped");
    this.#serial ??= drawSerial(7, this.bmc.world.seed, this.bmc.index, "system", this.n);
    return this.#serial;
  }

  get model(): string {
    const { models } = this.bmc.profile;
    return models[this.bmc.draw("model") % models.length] ?? models[0];
  }

  get biosVersion(): string {
    const { biosVersions } = this.bmc.profile.update;
    return this.#bios ?? biosVersions[this.bmc.draw("bios-version") % biosVersions.length] ?? biosVersions[0];
  }

  set biosVersion(version: string) {
    this.#bios = version;
  }

  get settings(): FirmwareSettings {
    this.#settings ??= new FirmwareSettings(this.bmc.profile.bios?.attributes ?? []);
    return this.#settings;
  }

  get disks(): Disks {
    this.#disks ??= new Disks();
    return this.#disks;
  }

  /** What the BMC says, which a fault can make a lie; firmware without transitional states rounds them. */
  get reportedPower(): string {
    const lie = this.bmc.fault("lying-power");
    if (lie) return lie.state ?? (this.power === "On" ? "Off" : "On");
    if (this.bmc.profile.power.transitional) return this.power;
    return this.power === "On" || this.power === "PoweringOff" ? "On" : "Off";
  }

  /** Asks for a reset as ComputerSystem.Reset names it; the machine gets there in its own time. */
  reset(type: string): ResetOutcome {
    if (this.bmc.fault("stuck-power")) return "accepted";
    return this.power === "On" || this.power === "PoweringOn" ? this.#resetRunning(type) : this.#resetDark(type);
  }

  #resetRunning(type: string): ResetOutcome {
    switch (type) {
      case "On":
      case "ForceOn":
        return "same-state";
      case "Nmi":
        return this.#interrupt();
      case "ForceOff":
        return this.#turnOff(this.bmc.world.timing.powerOffMs);
      case "GracefulShutdown":
      case "PushPowerButton":
        return this.#shutDown();
      default:
        return this.#restart(type);
    }
  }

  #resetDark(type: string): ResetOutcome {
    const isGoingOff = this.power === "PoweringOff";
    if (type === "ForceOff") return isGoingOff ? this.#turnOff(this.bmc.world.timing.powerOffMs) : "same-state";
    if (type === "GracefulShutdown" || type === "Nmi") return "same-state";
    if (isGoingOff) this.#fallDark();
    return this.#turnOn();
  }

  /** Ends what runs and what is planned; nothing of this machine happens afterwards. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#stopRunning();
  }

  faultsChanged(): void {
    if (this.phase === "stuck-in-post" && !this.bmc.fault("never-boots")) this.#start();
  }

  tell(line: string): void {
    this.story.push(line);
    if (this.story.length > 40) this.story.shift();
  }

  #turnOn(): ResetOutcome {
    this.power = "PoweringOn";
    this.#later(this.bmc.world.timing.powerOnMs, () => {
      this.#became("On");
      this.#start();
    });
    return "accepted";
  }

  #turnOff(afterMs: number): ResetOutcome {
    this.power = "PoweringOff";
    this.#later(afterMs, () => this.#fallDark());
    return "accepted";
  }

  #shutDown(): ResetOutcome {
    const ignored = this.phase === "os" && this.bmc.fault("ignores-shutdown");
    if (ignored) this.tell("the operating system ignored the shutdown request");
    if (ignored) return "accepted";
    const { shutdownMs, powerOffMs } = this.bmc.world.timing;
    return this.#turnOff(this.phase === "os" ? shutdownMs : powerOffMs);
  }

  #restart(type: string): ResetOutcome {
    const { powerOffMs, shutdownMs } = this.bmc.world.timing;
    if (type === "GracefulRestart" && this.phase === "os" && this.bmc.fault("ignores-shutdown")) return "accepted";
    this.power = "PoweringOff";
    this.#later(type === "GracefulRestart" ? shutdownMs : powerOffMs, () => {
      this.#fallDark();
      this.#turnOn();
    });
    return "accepted";
  }

  #interrupt(): ResetOutcome {
    if (this.power !== "On") return "same-state";
    this.phase = "crashed";
    this.tell("a non-maskable interrupt stopped the operating system");
    return "accepted";
  }

  #fallDark(): void {
    this.#running?.stop.abort(new Error("power went away"));
    this.phase = "off";
    this.#became("Off");
  }

  #became(power: "On" | "Off"): void {
    this.power = power;
    this.lastReset = this.bmc.world.clock.now();
    this.bmc.announce({
      messageId: `ResourceEvent.1.0.Powered${power}`,
      message: `The system is now powered ${power.toLowerCase()}.`,
      severity: "OK",
      args: [this.id],
      origin: this.path,
    });
  }

  #start(): void {
    const before = this.#stopRunning();
    const stop = new AbortController();
    const over = before.then(() => startUp(this, stop.signal));
    this.#running = { stop, over };
  }

  async #stopRunning(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.stop.abort(new Error("the machine stopped"));
    await running?.over;
  }

  #later(ms: number, run: () => void): void {
    this.#timer?.cancel();
    this.#timer = this.bmc.world.clock.after(ms, run);
  }
}
