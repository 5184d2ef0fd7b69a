/** Questions with the answers that kube-apiserver v1.36.3 gave to them, and how this server answers the same questions. */
import { readFileSync } from "node:fs";
import { type FieldError, toStatusCauses } from "../field-error.ts";
import { compileSchema } from "../schema/compile.ts";
import { type CustomResourceDefinition, checkCustomResourceDefinition } from "../schema/index.ts";
import type { JsonSchema } from "../schema/json-schema.ts";

/** One line per cause, sorted, because upstream walks maps in no order. Names of types are different on every call. */
export type Answer = readonly string[];

export interface Question {
  readonly label: string;
  readonly expect: Answer;
  readonly ours: () => Answer;
}

export interface FieldQuestion extends Question {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly old?: Readonly<Record<string, unknown>>;
}

export interface DefinitionQuestion extends Question {
  readonly crd: CustomResourceDefinition;
}

const normalize = (line: string): string => line.replace(/selfType\d+/g, "selfType");

/** Causes in the form of the corpus. */
export function answerOf(causes: readonly { field?: string; reason: string; message: string }[]): Answer {
  return causes.map((cause) => normalize(`${cause.field}|${cause.reason}|${cause.message}`)).sort();
}

export const answerOfErrors = (errors: readonly FieldError[]): Answer => answerOf(toStatusCauses(errors));

type Line = Readonly<Record<string, unknown>> & { readonly expect: Answer };

function read(name: string): Line[] {
  const text = readFileSync(new URL(`corpus/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** A definition of one version whose schema describes `spec` alone, or more if given. */
export function definition(kind: string, spec: JsonSchema, root: Partial<JsonSchema> = {}): CustomResourceDefinition {
  const singular = kind.toLowerCase();
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.probe.dev` },
    spec: {
      group: "probe.dev",
      names: { kind, plural: `${singular}s`, singular, listKind: `${kind}List` },
      scope: "Cluster",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec }, ...root } },
        },
      ],
    },
  } as CustomResourceDefinition;
}

export interface FieldSuite {
  readonly crd: CustomResourceDefinition;
  readonly schema: JsonSchema;
  readonly questions: readonly FieldQuestion[];
}

function suiteOf(kind: string, fields: Readonly<Record<string, JsonSchema>>, lines: readonly Line[]): FieldSuite {
  const crd = definition(kind, { type: "object", properties: fields });
  const schema = crd.spec?.versions?.[0]?.schema?.openAPIV3Schema ?? {};
  const compiled = compileSchema(schema);
  const object = (spec: unknown) => ({ apiVersion: "probe.dev/v1", kind, metadata: { name: "x" }, spec });
  const questions = lines.map((line): FieldQuestion => {
    const spec = { [String(line.field)]: line.value };
    const old = line.old === undefined ? undefined : { [String(line.field)]: line.old };
    const ours = (): Answer => {
      const mine = object(structuredClone(spec));
      compiled.prune(mine);
      compiled.applyDefaults(mine);
      return answerOfErrors(compiled.validate(mine, old === undefined ? undefined : object(old)));
    };
    return {
      label: `${line.field} ${JSON.stringify(line.value)}`,
      expect: line.expect,
      ours,
      spec,
      ...(old && { old }),
    };
  });
  return { crd, schema, questions };
}

/** Values of all types against all keywords. */
export function fieldSuite(): FieldSuite {
  const lines = read("fields");
  const fields = Object.fromEntries(lines.map((line) => [String(line.field), line.schema as JsonSchema]));
  return suiteOf("Probe", fields, lines);
}

/** Rules on objects, on create and on update. */
export function runSuite(): FieldSuite {
  const [head, ...lines] = read("runs");
  return suiteOf("Runprobe", head?.schemas as Record<string, JsonSchema>, lines);
}

function definitionQuestion(label: string, crd: CustomResourceDefinition, expect: Answer): DefinitionQuestion {
  return { label, crd, expect: expect.map(normalize), ours: () => answerOfErrors(checkCustomResourceDefinition(crd)) };
}

/** Definitions, most of them bad. */
export function definitionSuite(): readonly DefinitionQuestion[] {
  return read("definitions").map((line, i) =>
    definitionQuestion(`definition ${i + 1}`, line.crd as CustomResourceDefinition, line.expect),
  );
}

/** Rules that compile or do not, and what they would cost at a place that makes the estimate show. */
export function ruleSuite(): readonly DefinitionQuestion[] {
  const [head, ...rules] = read("rules");
  const base = head?.base as JsonSchema;
  const withRule = (rule: unknown): JsonSchema => ({ ...base, "x-kubernetes-validations": [{ rule: String(rule) }] });
  const compiled = rules.map((line) =>
    definitionQuestion(String(line.rule), definition("Celprobe", withRule(line.rule)), line.expect),
  );
  const priced = read("costs").map((line) => {
    const list: JsonSchema = { type: "array", maxItems: Number(line.maxItems), items: withRule(line.rule) };
    return definitionQuestion(`cost of ${line.rule}`, definition("Celprobe", list), line.expect);
  });
  return [...compiled, ...priced];
}
