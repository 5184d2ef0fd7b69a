/** Every profile by name, and which one a BMC gets. */
import { pick } from "../seed.ts";
import { dellIdrac9 } from "./dell.ts";
import { generic } from "./generic.ts";
import { hpeIlo5, hpeIlo6 } from "./hpe.ts";
import { lenovoXcc } from "./lenovo.ts";
import { openbmc } from "./openbmc.ts";
import type { Profile, ProfileName } from "./profile.ts";
import { supermicroX10, supermicroX12 } from "./supermicro.ts";

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  "dell-idrac9": dellIdrac9,
  "hpe-ilo5": hpeIlo5,
  "hpe-ilo6": hpeIlo6,
  "lenovo-xcc": lenovoXcc,
  "supermicro-x10": supermicroX10,
  "supermicro-x12": supermicroX12,
  openbmc,
  generic,
};

const mix: readonly [ProfileName, ...ProfileName[]] = [
  "dell-idrac9",
  "dell-idrac9",
  "dell-idrac9",
  "hpe-ilo5",
  "hpe-ilo6",
  "lenovo-xcc",
  "supermicro-x10",
  "supermicro-x12",
  "supermicro-x12",
  "openbmc",
  "openbmc",
  "generic",
];

/** The profile of the BMC with this number; "mixed" draws one. */
export function profileFor(choice: ProfileName | "mixed", seed: number, index: number): Profile {
  return profiles[choice === "mixed" ? pick(mix, seed, index, "profile") : choice];
}

/** How many systems it has: twins and quads exist where vendors sell them. */
export function systemsFor(profile: Profile, seed: number, index: number): 1 | 2 | 4 {
  if (!profile.multiSystem) return 1;
  return pick([1, 1, 2, 4] as const, seed, index, "systems");
}
