/** Server: one machine and where it is in its life. Its fields are in server-spec.ts and server-status.ts. */
import { ageColumn, column, kind, type ObjectOf } from "#kinds";
import { metal } from "./group.ts";
import { serverSpec } from "./server-spec.ts";
import { serverStatus } from "./server-status.ts";

export const Server = kind({
  ...metal,
  kind: "Server",
  plural: "servers",
  shortNames: ["srv"],
  scope: "Cluster",
  describe: "One physical machine: what is wanted of it, what it is made of, and where it is in its life.",
  spec: serverSpec,
  status: serverStatus,
  selectableFields: [".spec.systemUUID", ".spec.bmcRef.name", ".status.state", ".status.powerState"],
  columns: [
    column("SystemUUID", ".spec.systemUUID"),
    column("Manufacturer", ".status.manufacturer"),
    column("Model", ".status.model"),
    column("Memory", ".status.totalSystemMemory"),
    column("SKU", ".status.sku", { priority: 100 }),
    column("SerialNumber", ".status.serialNumber", { priority: 100 }),
    column("PowerState", ".status.powerState"),
    column("IndicatorLED", ".status.indicatorLED", { priority: 100 }),
    column("State", ".status.state"),
    column("Unclaimable", ".spec.unclaimable", { type: "boolean", priority: 100 }),
    ageColumn,
  ],
});
export type Server = ObjectOf<typeof Server>;
