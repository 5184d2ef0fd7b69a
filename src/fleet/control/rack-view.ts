/** The fleet as racks in text: one line per BMC, from the top of the rack to its bottom. */
import type { Bmc } from "../bmc/bmc.ts";
import type { Fleet } from "../fleet.ts";
import type { Host } from "../host/host.ts";
import { BMCS_PER_RACK, rackPlace } from "../rack.ts";

const signs: Readonly<Record<string, string>> = { Off: "○", PoweringOn: "◐", On: "●", PoweringOff: "◑" };

/** Racks `from` to `to`, counted from 1; all of them by default. */
export function rackView({ control, bmcs }: Fleet, from = 1, to = Infinity): string {
  const racks: string[] = [];
  const last = Math.min(to, Math.ceil(control.bmcs.length / BMCS_PER_RACK));
  for (let rack = from; rack <= last; rack++) {
    const first = (rack - 1) * BMCS_PER_RACK;
    const lines = control.bmcs
      .slice(first, first + BMCS_PER_RACK)
      .map((bmc) => lineOf(bmc, bmcs[bmc.index]?.address ?? ""));
    racks.push(
      [
        `┌─ ${rackPlace(first).name} ${"─".repeat(66 - rackPlace(first).name.length)}`,
        ...lines.reverse(),
        `└${"─".repeat(68)}`,
      ].join("\n"),
    );
  }
  return `${racks.join("\n")}\n● on  ○ off  ◐ ◑ on the way  ! faults\n`;
}

function lineOf(bmc: Bmc, address: string): string {
  const unit = String(rackPlace(bmc.index).unit).padStart(2);
  const machines = bmc.hosts.map(({ power }) => signs[power] ?? "?").join("");
  const faults = bmc.faults ? `! ${bmc.faults.map(({ fault }) => fault.kind).join(", ")}` : "";
  const state = bmc.rebooting ? "BMC restarting" : bmc.hosts.map(phaseOf).join(" ");
  return `│ U${unit} ${machines.padEnd(4)} ${bmc.profile.name.padEnd(14)} ${address.replace(/^https?:\/\//, "").padEnd(18)} ${state} ${faults}`.trimEnd();
}

function phaseOf({ phase, power }: Host): string {
  return power === "On" ? phase : power.toLowerCase();
}
