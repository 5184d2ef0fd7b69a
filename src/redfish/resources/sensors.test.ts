import { describe, expect, it } from "vitest";
import { resource } from "../testing/tree-bmc.ts";
import { legacyReadings, sensorOf } from "./sensors.ts";

describe("sensors", () => {
  it("of the older kind leave out empty slots and take what is quoted", () => {
    const readings = legacyReadings(
      {
        Temperatures: [
          { Name: "CPU1", ReadingCelsius: "41" },
          { Name: "CPU2", Status: { State: "Absent" } },
        ],
        Fans: [{ FanName: "Fan A", Reading: 5000 }],
      },
      { PowerControl: [{ PowerConsumedWatts: 300 }], PowerSupplies: [{ Name: "PSU1" }] },
    );
    expect(readings).toMatchObject({
      sensors: [
        { name: "CPU1", kind: "Temperature", reading: 41 },
        { name: "Fan A", kind: "Fan", reading: 5000, units: "RPM" },
      ],
      powerSupplies: [{ name: "PSU1" }],
      consumedWatts: 300,
    });
  });

  it("of the newer kind have their threshold", () => {
    const body = {
      Name: "Inlet",
      ReadingType: "Temperature",
      Reading: 20,
      Thresholds: { UpperCritical: { Reading: 45 } },
    };
    expect(sensorOf(resource("/s", body))).toMatchObject({ kind: "Temperature", reading: 20, upperCritical: 45 });
  });
});
