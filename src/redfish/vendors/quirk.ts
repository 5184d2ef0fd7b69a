/** How rows of vendor differences are looked up: once per BMC, by who it says it is. Holds no row itself. */
import type { Quirks } from "../protocol/quirks.ts";
import { dell } from "./dell.ts";
import { generic } from "./generic.ts";
import { hpe } from "./hpe.ts";
import { lenovo } from "./lenovo.ts";
import { openbmc } from "./openbmc.ts";
import type { Quirk } from "./row.ts";
import { supermicro } from "./supermicro.ts";

/** Who a BMC says it is; empty where it does not say. */
export interface Identity {
  readonly manufacturer: string;
  readonly model: string;
  /** The manager's model, such as "iLO 5". */
  readonly manager: string;
  readonly firmware: string;
}

/** Every row; a later one wins over an earlier one. */
export const allQuirks: readonly Quirk[] = [...generic, ...openbmc, ...dell, ...hpe, ...lenovo, ...supermicro];

export interface AppliedQuirks {
  readonly quirks: Quirks;
  readonly applied: readonly string[];
}

export function quirksFor(identity: Identity, rows: readonly Quirk[] = allQuirks): AppliedQuirks {
  const matching = rows.filter(({ applies }) => isFor(applies, identity));
  return {
    quirks: Object.assign({}, ...matching.map(({ effect }) => effect)) as Quirks,
    applied: matching.map(({ id }) => id),
  };
}

function isFor(applies: Quirk["applies"], identity: Identity): boolean {
  const words = Object.entries(applies) as [keyof Identity, RegExp][];
  return words.every(([name, pattern]) => pattern.test(identity[name]));
}
