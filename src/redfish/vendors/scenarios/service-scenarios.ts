/** For tests: updates, tasks, accounts, subscriptions and the protocol itself, where vendors differ. */
import { systemClock } from "#clock";
import { success } from "../../protocol/outcome.ts";
import type { Quirks } from "../../protocol/quirks.ts";
import { RedfishService } from "../../protocol/service.ts";
import { ensureAccount, readAccountService } from "../../resources/accounts.ts";
import { firmwareEntryOf } from "../../resources/firmware-inventory.ts";
import { stagedFirmware } from "../../resources/staged-firmware.ts";
import { subscribe } from "../../resources/subscriptions.ts";
import { readTask, taskMonitorOf } from "../../resources/task.ts";
import { readUpdateService, simpleUpdate } from "../../resources/update.ts";
import { type Behaviour, collection, link, resource, type TreeBmc, withTree } from "../../testing/tree-bmc.ts";
import type { Scenario } from "./scenario.ts";

const SYSTEM = "/redfish/v1/Systems/1";
const UPDATE = "/redfish/v1/UpdateService";
const ACCOUNTS = "/redfish/v1/AccountService";
const EVENTS = "/redfish/v1/EventService";

const simpleUpdateTree = {
  [UPDATE]: { Actions: { "#UpdateService.SimpleUpdate": { target: `${UPDATE}/SimpleUpdate` } } },
};

async function updateBody(quirks: Quirks): Promise<unknown> {
  const behave: Behaviour = ({ method }) =>
    method === "POST" ? { status: 202, headers: { location: "/task" }, body: {} } : undefined;
  return withTree({ quirks, behave, tree: simpleUpdateTree }, async ({ service, writes }) => {
    const update = await readUpdateService(service, UPDATE);
    if (update.ok) await simpleUpdate(service, update.value, { imageUri: "http://i/b.bin", component: "BIOS" });
    return writes[0]?.body;
  });
}

function monitorIn(quirks: Quirks, headers: Record<string, string>, body: unknown): Promise<unknown> {
  const service = new RedfishService(
    { send: async () => success({ status: 200, headers: {}, body: {} }) },
    systemClock,
    quirks,
  );
  return Promise.resolve(taskMonitorOf(service, { monitor: undefined, answer: { status: 202, headers, body } }));
}

async function taskSeen(quirks: Quirks, tree: Record<string, Record<string, unknown>>): Promise<unknown> {
  const behave: Behaviour = ({ path }, now) => (now[path] ? { body: now[path] } : undefined);
  return withTree({ quirks, behave, tree }, async ({ service }) => {
    const task = await readTask(service, "/task");
    return task.ok ? { phase: task.value.phase, monitor: task.value.monitor } : task.failure.code;
  });
}

function staged(quirks: Quirks, entries: readonly Record<string, unknown>[]): Promise<unknown> {
  const service = new RedfishService(
    { send: async () => success({ status: 200, headers: {}, body: {} }) },
    systemClock,
    quirks,
  );
  const inventory = entries.map((body, at) => firmwareEntryOf(resource(`/fw/${at}`, body)));
  const found = stagedFirmware(service, "BIOS", inventory);
  return Promise.resolve(found.ok ? found.value.map(({ id }) => id) : found.failure.code);
}

async function specials(quirks: Quirks): Promise<unknown> {
  return withTree({ quirks, tree: { [ACCOUNTS]: { Accounts: link(`${ACCOUNTS}/A`) } } }, async ({ service }) => {
    const found = await readAccountService(service, ACCOUNTS);
    return found.ok && found.value.policy.specials;
  });
}

async function subscription(quirks: Quirks): Promise<{ writes: TreeBmc["writes"]; outcome: string }> {
  const destination = "http://us/alerts";
  const modified = { MessageId: "Base.1.8.PropertyValueModified", Message: `changed ${destination}` };
  const behave: Behaviour = ({ method }) =>
    method === "POST" ? { status: 400, body: { error: { "@Message.ExtendedInfo": [modified] } } } : undefined;
  const tree = {
    [EVENTS]: { Subscriptions: link(`${EVENTS}/S`) },
    [`${EVENTS}/S`]: collection(`${EVENTS}/S/9`),
    [`${EVENTS}/S/9`]: { Destination: destination, Context: "metalwright" },
  };
  return withTree({ quirks, behave, tree }, async ({ service, writes }) => {
    const made = await subscribe(service, EVENTS, { destination, format: "Event", context: "metalwright" });
    return { writes: [...writes], outcome: made.ok ? made.value.path : made.failure.code };
  });
}

/** One scenario for each row, by its id. */
export const serviceScenarios: Readonly<Record<string, Scenario>> = {
  "dell-update-now": {
    see: updateBody,
    withRow: { ImageURI: "http://i/b.bin", "@Redfish.OperationApplyTime": "Immediate" },
  },
  "dell-task-location": { see: (quirks) => monitorIn(quirks, {}, { Task: link("/job/7") }), withRow: "/job/7" },
  "dell-staged-firmware": {
    see: (quirks) => staged(quirks, [{ Id: "Available-159__BIOS.Setup.1-1", Status: { State: "Staged" } }]),
    withRow: ["Available-159__BIOS.Setup.1-1"],
  },
  "dell-account-change-with-password": {
    see: (quirks) => {
      const tree = {
        [`${ACCOUNTS}/A`]: collection(`${ACCOUNTS}/A/3`),
        [`${ACCOUNTS}/A/3`]: { Id: "3", UserName: "op", RoleId: "ReadOnly", Enabled: true },
      };
      return withTree({ quirks, tree }, async ({ service, writes }) => {
        const accounts = { accounts: `${ACCOUNTS}/A`, policy: { specials: "" } };
        const changed = await ensureAccount(service, accounts, { userName: "op", role: "Operator" });
        return { ok: changed.ok, sent: writes.length };
      });
    },
    withRow: { ok: false, sent: 0 },
  },
  "dell-password-characters": { see: specials, withRow: "!#$%&()*.?-@[]^_`{}|~+=" },
  "hpe-password-characters": { see: specials, withRow: "~`!@#$%^&*()_-+={[}]|.?/" },
  "lenovo-password-characters": { see: specials, withRow: ";@!$%-+=[]{}|/?~_" },
  "hpe-one-request-per-connection": {
    see: (quirks) =>
      withTree({ quirks, tree: { [SYSTEM]: {} } }, async ({ service, asked }) => {
        await service.get(SYSTEM);
        return asked.at(-1)?.headers.connection;
      }),
    withRow: "close",
  },
  "hpe-task-monitor-in-body": {
    see: (quirks) => monitorIn(quirks, { location: "/elsewhere" }, { TaskMonitor: "https://ilo.local/monitor/1" }),
    withRow: "/monitor/1",
  },
  "hpe-task-ends-as-error": {
    see: (quirks) =>
      taskSeen(quirks, { "/task": { error: { "@Message.ExtendedInfo": [{ MessageId: "iLO.2.25.Success" }] } } }),
    withRow: { phase: "succeeded", monitor: "/task" },
  },
  "hpe-staged-firmware": {
    see: (quirks) => staged(quirks, [{ Id: "2", Name: "System ROM", Status: { State: "Staged" } }]),
    withRow: ["2"],
  },
  "hpe-no-delivery-retry-policy": {
    see: async (quirks) => Object.keys((await subscription(quirks)).writes[0]?.body as object),
    withRow: ["Destination", "EventFormatType", "Protocol", "Context"],
  },
  "hpe-duplicate-subscription": {
    see: async (quirks) => (await subscription(quirks)).outcome,
    withRow: "Refused",
  },
  "lenovo-strong-if-match": {
    see: (quirks) =>
      withTree({ quirks, tree: { [SYSTEM]: {} } }, async ({ service, asked }) => {
        await service.patch({ path: SYSTEM, etag: 'W/"7"' }, {});
        return asked.at(-1)?.headers["if-match"];
      }),
    withRow: '"7"',
  },
  "lenovo-task-in-body": {
    see: (quirks) => monitorIn(quirks, { location: "/elsewhere" }, link("/task/4")),
    withRow: "/task/4",
  },
  "lenovo-task-hands-to-job": {
    see: (quirks) => {
      const handed = { MessageId: "Update.1.0.OperationTransitionedToJob", MessageArgs: ["/job"] };
      return taskSeen(quirks, {
        "/task": { TaskState: "Completed", TaskStatus: "OK", Messages: [handed] },
        "/job": { JobState: "Running", PercentComplete: 40 },
      });
    },
    withRow: { phase: "running", monitor: "/job" },
  },
  "lenovo-staged-firmware": {
    see: (quirks) => staged(quirks, [{ Id: "Firmware:UEFI-PENDING" }, { Id: "Firmware:UEFI" }]),
    withRow: ["Firmware:UEFI-PENDING"],
  },
  "openbmc-staged-firmware": {
    see: (quirks) => staged(quirks, [{ Id: "bios_staged", Status: { State: "StandbySpare" } }, { Id: "bios_active" }]),
    withRow: ["bios_staged"],
  },
  "contoso-no-expand": {
    see: async (quirks) => {
      const root = { ProtocolFeaturesSupported: { ExpandQuery: { NoLinks: true, Levels: true, MaxLevels: 2 } } };
      return withTree({ tree: { "/redfish/v1/": root, "/c": collection() } }, async ({ service, asked }) => {
        await service.root();
        await service.withQuirks(quirks).members("/c");
        return asked.at(-1)?.path;
      });
    },
    withRow: "/c",
  },
  "contoso-update-targets": {
    see: updateBody,
    withRow: { ImageURI: "http://i/b.bin", Targets: [`${UPDATE}/FirmwareInventory/BIOS`] },
  },
  "dgx-slow-firmware-inventory": {
    see: async (quirks) => {
      const patience: (number | undefined)[] = [];
      const send = async ({ timeoutMs }: { timeoutMs?: number }) => {
        patience.push(timeoutMs);
        return success({ status: 200, headers: {}, body: {} });
      };
      await new RedfishService({ send }, systemClock, quirks).get(`${UPDATE}/FirmwareInventory/1`);
      return patience;
    },
    withRow: [240_000],
  },
};
