/** The structured selector that objects carry (`matchLabels`, `matchExpressions`), as one label selector. */
import type { LabelOperator, LabelRequirement } from "./label-requirement.ts";
import type { LabelSelector } from "./label-selector.ts";

export interface ObjectLabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
]);

/** Compiles a validated selector: absent selects nothing (undefined), empty selects everything. */
export function compileObjectSelector(selector: ObjectLabelSelector | undefined | null): LabelSelector | undefined {
  if (selector === undefined || selector === null) return undefined;
  const exact = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): LabelRequirement => ({ key, operator: "=", values: [value] }),
  );
  const expressions = (selector.matchExpressions ?? []).map(({ key, operator, values }): LabelRequirement => {
    const compiled = OPERATORS.get(operator);
    if (compiled === undefined) throw new TypeError(`the label selector operator ${operator} was not validated`);
    return { key, operator: compiled, values: values ?? [] };
  });
  return { requirements: [...exact, ...expressions] };
}
