/** The JSONPath of printer columns and selectable fields: fields, indices, wildcards and one kind of filter. */

type Step =
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "index"; readonly index: number }
  | { readonly type: "all" }
  | { readonly type: "filter"; readonly path: readonly Step[]; readonly operator: string; readonly value: unknown };

export type JsonPath = (value: unknown) => unknown[];

const FIELD = /^\.?((?:\\.|[^.[\]\\])+)/;
const QUOTED = /^\[\s*(['"])((?:(?!\1).)*)\1\s*\]/;
const INDEX = /^\[\s*(-?\d+)\s*\]/;
const ALL = /^(?:\.\*|\[\s*\*\s*\])/;
const FILTER = /^\[\?\(\s*@((?:\.[^\s=!<>]+)?)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|([^\s)]+))\s*\)\]/;

/** Compiles a path such as `.status.conditions[?(@.type=="Ready")].status`; undefined when it is not understood. */
export function compileJsonPath(path: string): JsonPath | undefined {
  const steps = parse(
    path
      .trim()
      .replace(/^\{|\}$/g, "")
      .replace(/^\$/, ""),
  );
  return steps && ((value) => run(steps, value));
}

function parse(text: string): Step[] | undefined {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== "") {
    const next = nextStep(rest);
    if (!next) return undefined;
    steps.push(next.step);
    rest = rest.slice(next.length);
  }
  return steps;
}

function nextStep(rest: string): { step: Step; length: number } | undefined {
  const all = ALL.exec(rest);
  if (all) return { step: { type: "all" }, length: all[0].length };
  const filter = FILTER.exec(rest);
  if (filter) return filterStep(filter);
  const quoted = QUOTED.exec(rest);
  if (quoted) return { step: { type: "field", name: quoted[2] ?? "" }, length: quoted[0].length };
  const index = INDEX.exec(rest);
  if (index) return { step: { type: "index", index: Number(index[1]) }, length: index[0].length };
  const field = FIELD.exec(rest);
  if (!field) return undefined;
  return { step: { type: "field", name: (field[1] ?? "").replace(/\\(.)/g, "$1") }, length: field[0].length };
}

function filterStep([all, path = "", operator = "", double, single, bare]: RegExpExecArray):
  | { step: Step; length: number }
  | undefined {
  const steps = parse(path);
  if (!steps) return undefined;
  const value = double ?? single ?? literal(bare ?? "");
  return { step: { type: "filter", path: steps, operator, value }, length: all.length };
}

function literal(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function run(steps: readonly Step[], value: unknown): unknown[] {
  let values: unknown[] = [value];
  for (const step of steps) values = values.flatMap((v) => take(step, v));
  return values;
}

function take(step: Step, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  const list = Array.isArray(value) ? value : undefined;
  if (step.type === "all") return list ?? Object.values(value);
  if (step.type === "index") return list ? present(list.at(step.index)) : [];
  if (step.type === "field") return list ? [] : present(ownValue(value, step.name));
  return (list ?? [value]).filter((item) => (run(step.path, item)[0] === step.value) === (step.operator === "=="));
}

function ownValue(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function present(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}
