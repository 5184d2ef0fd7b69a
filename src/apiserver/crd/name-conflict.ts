/** Two CRDs of one group may not claim the same names; the first keeps them. */
import type { CrdCondition, CrdNames, CustomResourceDefinition } from "./definition.ts";

type Statement = Omit<CrdCondition, "lastTransitionTime">;

/** The condition that says which name is taken; undefined when all are free. */
export function nameConflict(
  crd: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): Statement | undefined {
  const accepted = others.filter((o) => o.spec.group === crd.spec.group).map((o) => o.status?.acceptedNames);
  const resources = new Set(accepted.flatMap((n) => (n ? resourceNames(n) : [])));
  const kinds = new Set(accepted.flatMap((n) => (n ? [n.kind, n.listKind ?? ""] : [])).filter(Boolean));
  const { names } = crd.spec;
  if (resources.has(names.plural)) return taken("PluralConflict", names.plural);
  if (names.singular && resources.has(names.singular)) return taken("SingularConflict", names.singular);
  const short = (names.shortNames ?? []).filter((n) => resources.has(n));
  if (short.length > 0) return taken("ShortNamesConflict", short[0] ?? "");
  if (kinds.has(names.kind)) return taken("KindConflict", names.kind);
  return names.listKind && kinds.has(names.listKind) ? taken("ListKindConflict", names.listKind) : undefined;
}

function resourceNames({ plural, singular, shortNames }: CrdNames): string[] {
  return [plural, singular ?? "", ...(shortNames ?? [])].filter(Boolean);
}

function taken(reason: string, name: string): Statement {
  return { type: "NamesAccepted", status: "False", reason, message: `${JSON.stringify(name)} is already in use` };
}
