/** Getting to know a BMC: root, systems and managers, and from them which vendor's differences apply. */
import { type Failure, type Outcome, success } from "../protocol/outcome.ts";
import type { Quirks } from "../protocol/quirks.ts";
import { SERVICE_ROOT } from "../protocol/service.ts";
import type { Survey } from "../protocol/survey.ts";
import { type Identity, quirksFor } from "../vendors/quirk.ts";
import { chooseManager, type Manager, managerOf } from "./manager.ts";
import { type ServiceRoot, serviceRootOf } from "./service-root.ts";
import { type System, systemOf } from "./system.ts";

export interface Introduction {
  readonly root: ServiceRoot;
  readonly systems: readonly System[];
  readonly managers: readonly Manager[];
  readonly identity: Identity;
  readonly quirks: Quirks;
  /** The ids of the rows that gave those quirks. */
  readonly applied: readonly string[];
}

/** Reads who is there. From then on the survey's service treats the BMC as its vendor wants. */
export async function introduce(survey: Survey): Promise<Outcome<Introduction>> {
  const root = await survey.root();
  if (!root.ok) return root;
  const known = serviceRootOf(root.value.body);
  const systems = (await survey.members(known.systems ?? `${SERVICE_ROOT}Systems`)).map(systemOf);
  const managers = await managersOf(survey, known, systems);
  if (survey.ended) return ended(survey.ended);
  const identity = identityOf(known, systems, managers);
  const { quirks, applied } = quirksFor(identity);
  survey.service = survey.service.withQuirks(quirks);
  return success({ root: known, systems, managers, identity, quirks, applied });
}

/** The systems name their managers; only a BMC whose systems do not is asked for the collection. */
async function managersOf(survey: Survey, root: ServiceRoot, systems: readonly System[]): Promise<readonly Manager[]> {
  const named = [...new Set(systems.flatMap(({ links }) => links.managers))];
  const resources = named.length === 1 ? await survey.readAll(named) : await survey.members(root.managers);
  return resources.map(managerOf);
}

/** The words by which rows of quirks are chosen. */
export function identityOf(root: ServiceRoot, systems: readonly System[], managers: readonly Manager[]): Identity {
  const [first] = systems;
  const manager = chooseManager(managers);
  return {
    manufacturer: first?.manufacturer ?? manager?.manufacturer ?? root.vendor ?? root.oem[0] ?? "",
    model: first?.model ?? "",
    manager: manager?.model ?? root.product ?? "",
    firmware: manager?.firmwareVersion ?? "",
  };
}

function ended(failure: Failure): Outcome<never> {
  return { ok: false, failure };
}
