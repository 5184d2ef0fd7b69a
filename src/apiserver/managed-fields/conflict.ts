/** Conflicts of a server-side apply, in upstream's words. */
import { goQuote } from "../decode/go-quote.ts";
import type { FieldSet } from "./field-set.ts";
import type { Manager } from "./managers.ts";
import { formatPathElement, type PathElement } from "./path-element.ts";

export interface Conflict {
  /** Identity of the manager in the way; conflicts are listed in its order. */
  readonly managerId: string;
  readonly manager: Pick<Manager, "manager" | "operation" | "apiVersion" | "subresource">;
  readonly path: readonly PathElement[];
}

/** The body of the 409, as far as the conflicts decide it. */
export interface ConflictReport {
  readonly message: string;
  readonly causes: readonly {
    readonly reason: "FieldManagerConflict";
    readonly message: string;
    readonly field: string;
  }[];
}

/** One conflict per field that a manager would lose. */
export function conflictsWith(managerId: string, manager: Manager, fields: FieldSet): Conflict[] {
  return [...fields.paths()].map((path) => ({ managerId, manager, path }));
}

const formatPath = (path: readonly PathElement[]): string => path.map(formatPathElement).join("");

function formatManager({ manager, subresource, operation, apiVersion }: Conflict["manager"]): string {
  const name = subresource === "" ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}

/** Lists conflicts by manager, as kubectl shows them. */
export function reportConflicts(conflicts: readonly Conflict[]): ConflictReport {
  const sorted = [...conflicts].sort((a, b) => (a.managerId < b.managerId ? -1 : a.managerId > b.managerId ? 1 : 0));
  return {
    message: `Apply failed with ${conflicts.length} conflict${conflicts.length === 1 ? "" : "s"}: ${summary(sorted)}`,
    causes: sorted.map(({ manager, path }) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${formatManager(manager)}`,
      field: formatPath(path),
    })),
  };
}

function summary(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (only !== undefined && conflicts.length === 1)
    return `conflict with ${formatManager(only.manager)}: ${formatPath(only.path)}`;
  const lines: string[] = [];
  let current: string | undefined;
  for (const { managerId, manager, path } of conflicts) {
    if (managerId !== current) lines.push(`conflicts with ${formatManager(manager)}:`);
    current = managerId;
    lines.push(`- ${formatPath(path)}`);
  }
  return lines.join("\n");
}
