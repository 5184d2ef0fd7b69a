/** For tests: a driver without a BMC, that shows what it is told to and counts what it was asked. */
import { failure, type Outcome, type PowerState, success } from "#redfish";
import type { BmcFacts, Driver, HardwareInventory, ManagerFacts, Performed, ServerFacts } from "../driver/driver.ts";

export class ScriptedDriver implements Driver {
  readonly protocol = "redfish";
  readonly asked: string[] = [];
  readonly power: Record<string, PowerState>;
  /** Shown once each, before `power`. */
  readonly moments: PowerState[] = [];
  down = false;
  retryAfterMs: number | undefined;

  constructor(...servers: readonly string[]) {
    this.power = Object.fromEntries(servers.map((id) => [id, "Off"]));
  }

  introduce(): Promise<Outcome<BmcFacts>> {
    return this.#answer("introduce", () => ({
      manager: { model: "sim" },
      servers: Object.keys(this.power).map((id) => this.#server(id)),
    }));
  }

  readServer(id: string): Promise<Outcome<ServerFacts>> {
    return this.#answer(id, () => this.#server(id));
  }

  readManager(): Promise<Outcome<ManagerFacts>> {
    return this.#answer("manager", () => ({ model: "sim" }));
  }

  readInventory(): Promise<Outcome<HardwareInventory>> {
    return this.#answer("inventory", () => ({ protocol: "ipmi", board: { model: "sim" }, sensors: [] }));
  }

  perform(): Promise<Outcome<Performed>> {
    return this.#answer("perform", () => ({ sent: true }));
  }

  read(): Promise<Outcome<never>> {
    return Promise.resolve(failure("NotSupported", "nothing more to read"));
  }

  openEvents(): Promise<Outcome<never>> {
    return Promise.resolve(failure("NotSupported", "no stream of events"));
  }

  #server(id: string): ServerFacts {
    const power = this.moments.shift() ?? this.power[id];
    return { id, ...(power === undefined ? {} : { power }) };
  }

  async #answer<T>(what: string, value: () => T): Promise<Outcome<T>> {
    this.asked.push(what);
    const more = this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs };
    return this.down ? failure("Unreachable", "no connection", more) : success(value());
  }
}
