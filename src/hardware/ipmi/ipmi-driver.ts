/** A BMC without Redfish: power, boot device, light, sensors and the board's nameplate through `ipmitool`. */
import { type CallOptions, failure, mapOutcome, type Outcome, type ResetType, success } from "#redfish";
import type {
  ActOptions,
  BmcFacts,
  Driver,
  HardwareAction,
  HardwareInventory,
  ManagerFacts,
  Performed,
  ServerFacts,
} from "../driver/driver.ts";
import { bootIn, fieldsIn, powerIn, sensorsIn } from "./ipmi-output.ts";

export interface CommandOptions extends CallOptions {
  /** Monotonic; given for actions, which go before what only reads. */
  readonly deadlineAt?: number;
  /** Whether the hardware may be different afterwards. */
  readonly changes?: boolean;
}

/** Runs one `ipmitool` command through a lane. */
export type RunCommand = (args: readonly string[], options: CommandOptions) => Promise<Outcome<string>>;

/** IPMI knows one chassis. */
export const IPMI_SERVER = "chassis";

const resets: Partial<Record<ResetType, readonly [command: string, leadsTo?: string]>> = {
  On: ["on", "On"],
  ForceOn: ["on", "On"],
  ForceOff: ["off", "Off"],
  GracefulShutdown: ["soft", "Off"],
  ForceRestart: ["reset"],
  PowerCycle: ["cycle"],
  Nmi: ["diag"],
};

const bootDevices: Readonly<Record<string, string>> = {
  Pxe: "pxe",
  Hdd: "disk",
  Cd: "cdrom",
  BiosSetup: "bios",
  None: "none",
};

export class IpmiDriver implements Driver {
  readonly protocol = "ipmi";
  readonly #run: RunCommand;
  /** Read once: it is on the board. */
  #nameplate: Partial<ServerFacts> = {};

  constructor(run: RunCommand) {
    this.#run = run;
  }

  async introduce(options: CallOptions = {}): Promise<Outcome<BmcFacts>> {
    const power = await this.readServer(IPMI_SERVER, options);
    if (!power.ok) return power;
    const manager = await this.readManager(options);
    if (!manager.ok) return manager;
    const board = await this.#run(["fru", "print", "0"], options);
    if (board.ok) this.#nameplate = nameplate(board.value);
    return success({ manager: manager.value, servers: [{ ...this.#nameplate, ...power.value }] });
  }

  async readServer(id: string, options: CallOptions = {}): Promise<Outcome<ServerFacts>> {
    const said = await this.#run(["chassis", "power", "status"], options);
    if (!said.ok) return said;
    const power = powerIn(said.value);
    if (power === undefined) return failure("BrokenAnswer", `ipmitool says of the power: ${said.value.trim()}`);
    return success({ ...this.#nameplate, id, power });
  }

  async readManager(options: CallOptions = {}): Promise<Outcome<ManagerFacts>> {
    return mapOutcome(await this.#run(["mc", "info"], options), (output) => {
      const fields = fieldsIn(output);
      return named({
        manufacturer: fields["Manufacturer Name"],
        model: fields["Product Name"],
        firmwareVersion: fields["Firmware Revision"],
      });
    });
  }

  async readInventory(options: CallOptions = {}): Promise<Outcome<HardwareInventory>> {
    const board = await this.#run(["fru", "print", "0"], options);
    if (!board.ok && board.failure.code !== "Refused") return board;
    const sensors = await this.#run(["-c", "sdr", "list"], options);
    if (!sensors.ok) return sensors;
    return success({
      protocol: "ipmi",
      board: board.ok ? fieldsIn(board.value) : {},
      sensors: sensorsIn(sensors.value),
    });
  }

  perform(action: HardwareAction, options: ActOptions): Promise<Outcome<Performed>> {
    switch (action.kind) {
      case "Reset":
        return this.#reset(action.type, options);
      case "SetBootOverride":
        return this.#boot(action.override, options);
      case "SetIndicator":
        return this.#change(["chassis", "identify", action.indicator === "Off" ? "0" : "force"], options);
      default:
        return Promise.resolve(failure("NotSupported", `IPMI cannot do ${action.kind}: it takes Redfish`));
    }
  }

  read(): Promise<Outcome<never>> {
    return Promise.resolve(failure("NotSupported", "the BMC speaks IPMI and not Redfish"));
  }

  openEvents(): Promise<Outcome<never>> {
    return Promise.resolve(failure("NotSupported", "IPMI has no stream of events"));
  }

  async #reset(type: ResetType, options: ActOptions): Promise<Outcome<Performed>> {
    const [command, leadsTo] = resets[type] ?? [];
    if (command === undefined) {
      const offered = Object.keys(resets).join(", ");
      return failure("NotSupported", `IPMI offers ${offered} and not ${type}`);
    }
    const now = await this.readServer(IPMI_SERVER, options);
    if (!now.ok) return now;
    if (leadsTo !== undefined && now.value.power === leadsTo) return success({ sent: false });
    return this.#change(["chassis", "power", command], options);
  }

  async #boot(
    { target, lasts, mode = "UEFI" }: Extract<HardwareAction, { kind: "SetBootOverride" }>["override"],
    options: ActOptions,
  ): Promise<Outcome<Performed>> {
    const device = lasts === "Disabled" ? "none" : bootDevices[target];
    if (device === undefined)
      return failure("NotSupported", `IPMI can start from ${Object.keys(bootDevices).join(", ")} and not ${target}`);
    const flags = [...(mode === "UEFI" ? ["efiboot"] : []), ...(lasts === "Continuous" ? ["persistent"] : [])];
    const how = flags.length > 0 && device !== "none" ? [`options=${flags.join(",")}`] : [];
    const written = await this.#change(["chassis", "bootdev", device, ...how], options);
    if (!written.ok) return written;
    const seen = await this.#run(["chassis", "bootparam", "get", "5"], options);
    if (!seen.ok) return seen;
    const boot = bootIn(seen.value);
    const wanted = device === "none" ? "None" : target;
    if (boot === undefined || boot.target === wanted) return success({ sent: true, result: boot });
    return failure("Refused", `the BMC took ${wanted} without complaint and shows ${boot.target}`);
  }

  async #change(args: readonly string[], options: ActOptions): Promise<Outcome<Performed>> {
    return mapOutcome(await this.#run(args, { ...options, changes: true }), () => ({ sent: true }));
  }
}

function nameplate(output: string): Partial<ServerFacts> {
  const fields = fieldsIn(output);
  return named({
    manufacturer: fields["Product Manufacturer"] ?? fields["Board Mfg"],
    model: fields["Product Name"] ?? fields["Board Product"],
    serialNumber: fields["Product Serial"] ?? fields["Board Serial"],
  });
}

function named<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
