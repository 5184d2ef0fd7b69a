import { describe, expect, it } from "vitest";
import { allQuirks, type Identity, quirksFor } from "./quirk.ts";
import type { Quirk } from "./row.ts";
import { machineScenarios } from "./scenarios/machine-scenarios.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { serviceScenarios } from "./scenarios/service-scenarios.ts";
import { settingsScenarios } from "./scenarios/settings-scenarios.ts";

const scenarios: Readonly<Record<string, Scenario>> = {
  ...machineScenarios,
  ...serviceScenarios,
  ...settingsScenarios,
};

/** Who the rows are for, one of each. */
const identities: readonly Identity[] = [
  { manufacturer: "Dell Inc.", model: "PowerEdge R750", manager: "16G Monolithic", firmware: "7.00.30.00" },
  { manufacturer: "HPE", model: "ProLiant DL380 Gen10", manager: "iLO 5", firmware: "iLO 5 v2.98" },
  { manufacturer: "Lenovo", model: "ThinkSystem SR650 V2", manager: "XClarity Controller", firmware: "AFBT54L" },
  { manufacturer: "Supermicro", model: "SYS-620P-TRT", manager: "ASPEED", firmware: "01.03.16" },
  { manufacturer: "Supermicro", model: "X10DRT-P", manager: "ASPEED", firmware: "3.88" },
  { manufacturer: "OpenBMC", model: "Tioga Pass", manager: "OpenBmc", firmware: "2.16.0" },
  { manufacturer: "Contoso", model: "3500", manager: "Joo Janta 200", firmware: "1.45.455" },
  { manufacturer: "Sushy Emulator", model: "", manager: "", firmware: "" },
  { manufacturer: "NVIDIA", model: "DGX H100", manager: "BMC", firmware: "24.09" },
];

function identityFor(row: Quirk): Identity | undefined {
  return identities.find((identity) => quirksFor(identity, [row]).applied.length > 0);
}

describe("rows of vendor differences", () => {
  it("are at least 25, with ids of their own and a reason", () => {
    expect(allQuirks.length).toBeGreaterThanOrEqual(25);
    expect(new Set(allQuirks.map(({ id }) => id)).size).toBe(allQuirks.length);
    for (const { because } of allQuirks) expect(because.length).toBeGreaterThan(20);
  });

  it("each have a scenario, and no scenario is left over", () => {
    expect(Object.keys(scenarios).sort()).toEqual(allQuirks.map(({ id }) => id).sort());
  });

  describe.each(allQuirks)("$id", (row) => {
    it("is seen with the row and not without it", async () => {
      const identity = identityFor(row);
      const scenario = scenarios[row.id];
      if (!identity || !scenario) throw new Error(`${row.id} is for nobody here`);
      const without = allQuirks.filter(({ id }) => id !== row.id);
      expect(await scenario.see(quirksFor(identity).quirks)).toEqual(scenario.withRow);
      expect(await scenario.see(quirksFor(identity, without).quirks)).not.toEqual(scenario.withRow);
    });
  });
});

describe("lookup", () => {
  it("gives an unknown maker no quirks at all", () => {
    expect(quirksFor({ manufacturer: "Acme", model: "X10", manager: "", firmware: "" })).toEqual({
      quirks: {},
      applied: [],
    });
  });

  it("does not take one vendor's rows for another's", () => {
    for (const identity of identities) {
      const vendors = new Set(quirksFor(identity).applied.map((id) => id.split("-")[0]));
      expect(vendors.size).toBeLessThanOrEqual(1);
    }
  });

  it("lets iLO 7 keep its connections", () => {
    const ilo7 = { manufacturer: "HPE", model: "ProLiant DL380 Gen12", manager: "iLO 7", firmware: "1.10" };
    expect(quirksFor(ilo7).quirks.closeConnections).toBeUndefined();
  });
});
