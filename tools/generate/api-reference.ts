/** The API reference: one page per kind, an index, and the list of what we add to the compatible API. */
import { apiVersionOf, type Column, type DefinedKind, type Field, fieldsOf, type SchemaNode } from "#kinds";

const header = "<!-- Generated from src/api by `npm run generate`. Change the kind, not this file. -->\n";

/** Path of a kind's page below the reference folder. */
export function kindPagePath({ group, kind }: DefinedKind): string {
  return `${group}/${kind.toLowerCase()}.md`;
}

export function kindPage(kind: DefinedKind): string {
  const { definition } = kind;
  return page(
    `# ${kind.kind}`,
    definition.describe,
    definition.deprecationWarning &&
      `> Deprecated: every answer carries the warning \`${definition.deprecationWarning}\`.`,
    names(kind),
    "## Fields",
    "Fields marked **added** are ours; the others are those of metal-operator v0.7.0 and boot-operator.",
    ...fieldTables(fieldsOf(kind)),
    definition.columns && "## Columns",
    definition.columns && columnTable(definition.columns),
  );
}

function page(...parts: readonly (string | undefined)[]): string {
  return `${header}\n${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;
}

function names(kind: DefinedKind): string {
  const { shortNames = [], specRequired, selectableFields = [] } = kind.definition;
  return table(
    ["", ""],
    [
      ["apiVersion", code(apiVersionOf(kind))],
      ["kind", code(kind.kind)],
      ["scope", kind.scope],
      ["resource", code(`${kind.plural}.${kind.group}`)],
      ["short names", shortNames.map(code).join(", ") || "none"],
      ["field selectors (**added**)", selectableFields.map((path) => code(path.slice(1))).join(", ") || "none"],
      ["spec", specRequired ? "required" : "may be absent"],
    ],
  );
}

/** One table per top-level field, so that spec and status can be linked to. */
function fieldTables(fields: readonly Field[]): readonly string[] {
  const tops = fields.filter(({ path }) => !/[.[]/.test(path));
  const plain = tops.filter(({ schema }) => !schema.properties);
  const sections = tops.filter(({ schema }) => schema.properties);
  return [
    ...(plain.length > 0 ? [fieldTable(fields.filter((field) => plain.some((top) => isWithin(field, top))))] : []),
    ...sections.flatMap((top) => [
      `### ${top.path}`,
      [top.schema.description, ...rulesOf(top.schema)].join("\n\n"),
      fieldTable(fields.filter((field) => field !== top && isWithin(field, top))),
    ]),
  ];
}

function isWithin({ path }: Field, top: Field): boolean {
  return path === top.path || path.startsWith(`${top.path}.`) || path.startsWith(`${top.path}[`);
}

function fieldTable(fields: readonly Field[]): string {
  return table(
    ["Field", "Type", "Required", "Default", "Description"],
    fields.map((field) => [
      code(field.path),
      typeOf(field.schema),
      field.required ? "yes" : "",
      field.schema.default === undefined ? "" : code(JSON.stringify(field.schema.default)),
      descriptionOf(field),
    ]),
  );
}

function descriptionOf({ schema, added }: Field): string {
  return [
    added && "**added**",
    schema["~deprecated"] && `**deprecated**, use ${schema["~deprecated"]} instead.`,
    schema.description,
    valuesOf(schema),
    ...boundsOf(schema),
    ...rulesOf(schema),
  ]
    .filter(Boolean)
    .join(" ");
}

function valuesOf(schema: SchemaNode): string | undefined {
  if (schema.enum) return `One of ${schema.enum.map(code).join(", ")}.`;
  const known = schema["~values"];
  if (!known) return undefined;
  const ours = schema["~addedValues"] ?? [];
  const named = known.map((value) => code(value) + (ours.includes(value) ? " (**added**)" : ""));
  return `Known values: ${named.join(", ")}; others are accepted.`;
}

const boundNames: Readonly<Record<string, string>> = {
  minLength: "at least %s characters",
  maxLength: "at most %s characters",
  minimum: "at least %s",
  maximum: "at most %s",
  minItems: "at least %s items",
  maxItems: "at most %s items",
  pattern: "must match `%s`",
};

function boundsOf(schema: SchemaNode): readonly string[] {
  const bounds = Object.entries(boundNames).flatMap(([keyword, text]) => {
    const value = schema[keyword as keyof SchemaNode];
    return value === undefined ? [] : [text.replace("%s", () => String(value))];
  });
  return bounds.length > 0 ? [`Bounds: ${bounds.join(", ")}.`] : [];
}

function rulesOf(schema: SchemaNode): readonly string[] {
  return (schema["x-kubernetes-validations"] ?? []).map(
    ({ rule, message }) => `Rule ${code(rule)}${message === undefined ? "" : `: “${message}”`}.`,
  );
}

function typeOf(schema: SchemaNode): string {
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (schema.additionalProperties) return `map of ${typeOf(schema.additionalProperties)}`;
  if (schema["x-kubernetes-int-or-string"]) return "quantity";
  return schema.format ? `${schema.type} (${schema.format})` : `${schema.type}`;
}

function columnTable(columns: readonly Column[]): string {
  return table(
    ["Column", "Type", "Path", "Shown"],
    columns.map(({ name, type, path, priority, added }) => [
      added ? `${name} (**added**)` : name,
      type,
      code(path),
      priority ? "`-o wide`" : "always",
    ]),
  );
}

export function indexPage(kinds: readonly DefinedKind[]): string {
  const rows = kinds.map((kind) => [
    linkTo(kind),
    code(apiVersionOf(kind)),
    kind.scope,
    (kind.definition.shortNames ?? []).map(code).join(", "),
    kind.definition.deprecationWarning ? "yes" : "",
    kind.definition.describe,
  ]);
  return page(
    "# API reference",
    "Every kind Metalwright serves. What it adds to metal-operator v0.7.0 is listed in [additions](additions.md).",
    table(["Kind", "API", "Scope", "Short names", "Deprecated", "What it is"], rows),
  );
}

/** All optional, so every manifest written for the compatible API stays valid. */
export function additionsPage(kinds: readonly DefinedKind[]): string {
  const rows = kinds.flatMap((kind) => [
    ...fieldsOf(kind).flatMap((field) => additionRows(kind, field)),
    ...addedColumns(kind),
    ...addedSelectors(kind),
  ]);
  return page(
    "# What we add to the API",
    "Fields and values that metal-operator v0.7.0 and boot-operator do not have. All are optional: manifests written for those stay valid.",
    table(["Kind", "Addition", "Description"], rows),
  );
}

function additionRows(kind: DefinedKind, { path, schema }: Field): readonly string[][] {
  const link = linkTo(kind);
  const field = schema["~added"] ? [[link, code(path), schema.description ?? ""]] : [];
  const values = schema["~addedValues"]?.map(code).join(", ");
  return values ? [...field, [link, code(path), `Further known values: ${values}.`]] : field;
}

function addedColumns(kind: DefinedKind): readonly string[][] {
  const columns = (kind.definition.columns ?? []).filter(({ added }) => added);
  return columns.map(({ name, path }) => [linkTo(kind), `column ${code(name)}`, `Shows ${code(path)}.`]);
}

function addedSelectors(kind: DefinedKind): readonly string[][] {
  const paths = (kind.definition.selectableFields ?? []).map((path) => code(path.slice(1)));
  return paths.length > 0 ? [[linkTo(kind), "field selectors", `Lists can be narrowed by ${paths.join(", ")}.`]] : [];
}

function linkTo(kind: DefinedKind): string {
  return `[${kind.kind}](${kindPagePath(kind)})`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
