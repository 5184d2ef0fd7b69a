/** The metric report a BMC sends to those who subscribed to reports: every sensor, readings as text. */
import type { JsonObject } from "../json.ts";
import type { Bmc } from "./bmc.ts";
import { sensorsOf } from "./sensors.ts";

export function metricReport(bmc: Bmc): JsonObject {
  const { profile, hosts } = bmc;
  const timestamp = bmc.world.clock.now().toISOString();
  const chassis = `/redfish/v1/Chassis/${profile.names.chassis(1, hosts.length)}`;
  return {
    "@odata.type": "#MetricReport.v1_5_0.MetricReport",
    Id: "Sensors",
    Name: "Sensor readings",
    Timestamp: timestamp,
    MetricValues: sensorsOf(bmc).map(({ id, reading }) => ({
      MetricId: id,
      MetricProperty: `${chassis}/Sensors/${id}#/Reading`,
      MetricValue: String(reading),
      Timestamp: timestamp,
    })),
  };
}
