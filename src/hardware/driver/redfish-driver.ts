/** A BMC that speaks Redfish: the resources we use, through whatever sends for it. Keeps no socket and no credentials. */
import type { Clock } from "#clock";
import {
  type CallOptions,
  chooseManager,
  type EventStream,
  ejectMedia,
  failure,
  insertMedia,
  introduce,
  type Manager,
  managerOf,
  mapOutcome,
  type Outcome,
  openEventStream,
  RedfishService,
  type ResetResult,
  type Resource,
  readInventory,
  resetManager,
  resetSystem,
  type Sender,
  Survey,
  type System,
  setBootOverride,
  setIndicator,
  success,
  systemOf,
} from "#redfish";
import type { PortRequest } from "../port/redfish-port.ts";
import type {
  ActOptions,
  BmcFacts,
  Driver,
  HardwareAction,
  HardwareInventory,
  ManagerFacts,
  Performed,
  ServerFacts,
} from "./driver.ts";

/** Sends through a lane, which knows of urgency and deadlines. */
export interface PortSender extends Sender {
  send(request: PortRequest): ReturnType<Sender["send"]>;
}

export class RedfishDriver implements Driver {
  readonly protocol = "redfish";
  readonly #sender: PortSender;
  readonly #clock: Clock;
  #service: RedfishService;
  #manager: string | undefined;
  #eventService: string | undefined;

  constructor(sender: PortSender, clock: Clock) {
    this.#sender = sender;
    this.#clock = clock;
    this.#service = new RedfishService(sender, clock);
  }

  async introduce(options: CallOptions = {}): Promise<Outcome<BmcFacts>> {
    const survey = new Survey(this.#service, options);
    const known = await introduce(survey);
    if (!known.ok) return known;
    this.#service = survey.service;
    const manager = chooseManager(known.value.managers);
    this.#manager = manager?.path;
    this.#eventService = known.value.root.eventService;
    return success({
      manager: manager && managerFacts(manager),
      servers: known.value.systems.map(serverFacts),
    });
  }

  async readServer(id: string, options: CallOptions = {}): Promise<Outcome<ServerFacts>> {
    return mapOutcome(await this.#service.get(id, options), (resource) => serverFacts(systemOf(resource)));
  }

  async readManager(options: CallOptions = {}): Promise<Outcome<ManagerFacts | undefined>> {
    if (this.#manager === undefined) return success(undefined);
    return mapOutcome(await this.#service.get(this.#manager, options), (resource) => managerFacts(managerOf(resource)));
  }

  async readInventory(options: CallOptions = {}): Promise<Outcome<HardwareInventory>> {
    return mapOutcome(await readInventory(this.#service, options), (inventory) => ({ protocol: "redfish", inventory }));
  }

  read<T>(
    run: (service: RedfishService, options: CallOptions) => Promise<Outcome<T>>,
    { deadlineAt, signal }: ActOptions,
  ): Promise<Outcome<T>> {
    const reading: Sender = {
      send: (request) =>
        request.method === "GET" || request.method === "HEAD"
          ? this.#sender.send({ ...request, deadlineAt })
          : Promise.resolve(
              failure("Refused", `${request.method} ${request.path}: not sent, a reading changes nothing`),
            ),
    };
    const service = new RedfishService(reading, this.#clock, this.#service.quirks);
    return run(service, signal ? { signal } : {});
  }

  openEvents(options: CallOptions): Promise<Outcome<EventStream>> {
    return openEventStream(this.#service, this.#eventService, options);
  }

  /** Goes before what only reads; all its requests share one deadline. */
  perform(action: HardwareAction, { deadlineAt, signal }: ActOptions): Promise<Outcome<Performed>> {
    const hurried: Sender = { send: (request) => this.#sender.send({ ...request, urgent: true, deadlineAt }) };
    const service = new RedfishService(hurried, this.#clock, this.#service.quirks);
    return act(service, action, signal ? { signal } : {});
  }
}

function act(service: RedfishService, action: HardwareAction, options: CallOptions): Promise<Outcome<Performed>> {
  /** Every change starts from the resource as it is now. */
  const on = async (path: string, change: (resource: Resource) => Promise<Outcome<Performed>>) => {
    const now = await service.get(path, options);
    return now.ok ? change(now.value) : now;
  };
  switch (action.kind) {
    case "Reset":
      return on(action.server, async (system) => reset(await resetSystem(service, system, action.type, options)));
    case "SetBootOverride":
      return on(action.server, async (one) => sent(await setBootOverride(service, one, action.override, options)));
    case "InsertMedia":
      return insertMedia(service, action.collection, action.image, options).then(sent);
    case "EjectMedia":
      return on(action.drive, async (drive) => changed(await ejectMedia(service, drive, options)));
    case "SetIndicator":
      return on(action.server, async (one) => changed(await setIndicator(service, one, action.indicator, options)));
    case "ResetManager":
      return on(action.manager, async (one) => sent(await resetManager(service, one, action.type, options)));
    case "Custom":
      return action.run(service, options).then(sent);
    default:
      return Promise.resolve(failure("NotSupported", `no such action: ${JSON.stringify(action satisfies never)}`));
  }
}

function reset(outcome: Outcome<ResetResult>): Outcome<Performed> {
  return mapOutcome(outcome, (result) => (result.sent ? { sent: true, result: result.accepted.monitor } : result));
}

function sent(outcome: Outcome<unknown>): Outcome<Performed> {
  return mapOutcome(outcome, (result) => ({ sent: true, result }));
}

function changed(outcome: Outcome<{ readonly changed: boolean }>): Outcome<Performed> {
  return mapOutcome(outcome, ({ changed: isSent }) => ({ sent: isSent }));
}

function serverFacts(system: System): ServerFacts {
  const { path, uuid, manufacturer, model, serialNumber, hostName, powerState, status, boot } = system;
  const { biosVersion, bootProgress, lastResetTime, indicator } = system;
  const facts = {
    uuid,
    manufacturer,
    model,
    serialNumber,
    hostName,
    power: powerState,
    health: status.rollup ?? status.health,
    biosVersion,
    bootProgress,
    lastResetTime,
    indicator,
  };
  return { id: path, ...known(facts), boot };
}

function managerFacts(manager: Manager): ManagerFacts {
  const { path, uuid, manufacturer, model, serialNumber, firmwareVersion, status, lastResetTime } = manager;
  const health = status.rollup ?? status.health;
  return { id: path, ...known({ uuid, manufacturer, model, serialNumber, firmwareVersion, health, lastResetTime }) };
}

function known<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
