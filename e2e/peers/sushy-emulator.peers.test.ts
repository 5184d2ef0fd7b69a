/** Other people's BMC agrees: our client drives the emulator of sushy-tools, which has neither sessions nor events. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { systemClock } from "#clock";
import {
  bmcAddress,
  ejectMedia,
  type Inventory,
  indicatorState,
  insertMedia,
  type Outcome,
  openEventStream,
  powerStateOf,
  type RedfishClient,
  type RedfishService,
  readBios,
  readInventory,
  redfishClient,
  resetSystem,
  setBootOverride,
  setIndicator,
  subscribe,
  virtualMediumOf,
} from "#redfish";
import { type SushyEmulator, startSushyEmulator } from "./sushy-emulator.ts";

let emulator: SushyEmulator;
let images: Server;
let client: RedfishClient;
let service: RedfishService;
let inventory: Inventory;

function got<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
  return outcome.value;
}

function clientWith(password: string): RedfishClient {
  const { host, port, username } = emulator;
  const credentials = { username, password: () => password };
  return redfishClient({ address: bmcAddress("http", host, port), credentials, clock: systemClock });
}

beforeAll(async () => {
  emulator = await startSushyEmulator();
  images = createServer((_, response) => response.end(Buffer.alloc(4096, 1)));
  await new Promise<void>((resolve) => images.listen(0, "127.0.0.1", resolve));
  client = clientWith(emulator.password);
  inventory = got(await readInventory(client.service));
  service = client.service.withQuirks(inventory.quirks);
}, 300_000);

afterAll(async () => {
  await client?.close();
  images?.close();
  await emulator?.stop();
});

const system = (): string => inventory.systems[0]?.path ?? "";
const read = async () => got(await service.get(system()));
const image = (): string => `http://127.0.0.1:${(images.address() as AddressInfo).port}/live.iso`;

describe("sushy-tools", () => {
  it("is read with basic authentication, machines and interfaces and all", () => {
    expect(client.session.mode).toBe("basic");
    expect(inventory.systems.map(({ uuid }) => uuid)).toEqual([...emulator.uuids]);
    expect(inventory.identity.manufacturer).toBe("Sushy Emulator");
    expect(inventory.inventories[0]?.networkInterfaces).toMatchObject([{ mac: "00:5c:52:31:3a:90" }]);
    expect(inventory.managers.length).toBeGreaterThan(0);
  });

  it("refuses a wrong password once and is not asked again", async () => {
    const wrong = clientWith("not-the-emulator's");
    for (let i = 0; i < 3; i++) {
      const refused = await wrong.service.get("/redfish/v1/Systems");
      expect(refused).toMatchObject({ failure: { code: "Unauthorized" } });
      expect(JSON.stringify(refused)).not.toContain("not-the-emulator's");
    }
    expect(wrong.session.mode).toBe("refused");
    await wrong.close();
  });

  it("is switched on and off; it takes its time, as machines do", async () => {
    for (const [type, state] of [
      ["On", "On"],
      ["ForceOff", "Off"],
    ] as const) {
      expect(got(await resetSystem(service, await read(), type))).toMatchObject({ sent: true });
      await vi.waitFor(async () => expect(powerStateOf((await read()).body)).toBe(state), {
        timeout: 20_000,
        interval: 250,
      });
    }
    expect(await resetSystem(service, await read(), "PowerCycle")).toMatchObject({ failure: { code: "NotSupported" } });
  });

  it.each(["Pxe", "Cd", "Hdd"])("is told to start from %s", async (target) => {
    const armed = got(await setBootOverride(service, await read(), { target, lasts: "Once" }));
    expect(armed.settings.overrideTarget).toBe(target);
  });

  it("cannot keep a URI for UEFI HTTP boot of a fake machine, and we repeat its words", async () => {
    const override = { target: "UefiHttp", lasts: "Once", httpBootUri: image() } as const;
    const refused = await setBootOverride(service, await read(), override);
    const message = expect.stringContaining("Failed to save HttpBootUri field value");
    expect(refused).toMatchObject({ failure: { code: "Refused", message } });
  });

  it("fetches an image into its drive and gives it back", async () => {
    const media = inventory.systems[0]?.links.virtualMedia ?? inventory.managers[0]?.links.virtualMedia ?? "";
    const medium = got(await insertMedia(service, media, { url: image() }));
    expect(medium).toMatchObject({ inserted: true, image: image() });
    got(await ejectMedia(service, got(await service.get(medium.path))));
    expect(virtualMediumOf(service, got(await service.get(medium.path))).inserted).toBe(false);
  });

  it("has its light switched", async () => {
    const before = indicatorState(await read());
    const wanted = before === "Lit" ? "Off" : "Lit";
    expect(got(await setIndicator(service, await read(), wanted))).toEqual({ changed: true });
    expect(indicatorState(await read())).toBe(wanted);
  });

  it("says what it has not: BIOS attributes of fake machines, events", async () => {
    expect(await readBios(service, inventory.systems[0]?.links.bios)).toMatchObject({ ok: false });
    const { eventService } = inventory.root;
    expect(await openEventStream(service, eventService)).toMatchObject({ failure: { code: "NotSupported" } });
    const wanted = { destination: "http://127.0.0.1/alerts", format: "Event", context: "metalwright" } as const;
    expect(await subscribe(service, eventService, wanted)).toMatchObject({ failure: { code: "NotSupported" } });
  });
});
