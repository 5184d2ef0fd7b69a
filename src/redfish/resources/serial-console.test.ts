import { describe, expect, it } from "vitest";
import { serialConsoles } from "./serial-console.ts";

describe("the serial console", () => {
  it.each([
    [
      "as the system says",
      { SerialConsole: { SSH: { ServiceEnabled: true, Port: 2200 } } },
      {},
      [{ protocol: "SSH", port: 2200 }],
    ],
    [
      "as the manager says where the system does not",
      { SerialConsole: { SSH: { ServiceEnabled: false } } },
      { SerialConsole: { ServiceEnabled: true, ConnectTypesSupported: ["IPMI", "Oem"] } },
      [{ protocol: "IPMI" }],
    ],
    [
      "not at all where it is off",
      {},
      { SerialConsole: { ServiceEnabled: false, ConnectTypesSupported: ["SSH"] } },
      [],
    ],
  ])("%s", (_, system, manager, expected) => expect(serialConsoles(system, manager)).toEqual(expected));
});
