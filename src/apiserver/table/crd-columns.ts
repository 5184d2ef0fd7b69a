/** The columns a CRD asks for, or upstream's default (name and age). */
import type { KubeObject } from "#kinds";
import type { CellValue, Column } from "./column.ts";
import { age } from "./human-duration.ts";
import { compileJsonPath, type JsonPath } from "./json-path.ts";
import { nameColumn } from "./name-column.ts";

export interface PrinterColumn {
  readonly name: string;
  readonly type: Column["type"];
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

const DEFAULT: readonly PrinterColumn[] = [
  {
    name: "Age",
    type: "date",
    description:
      "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
    jsonPath: ".metadata.creationTimestamp",
  },
];

export function crdColumns(columns: readonly PrinterColumn[] | undefined): Column[] {
  const wanted = columns && columns.length > 0 ? columns : DEFAULT;
  return [nameColumn, ...wanted.map(toColumn)];
}

function toColumn({ name, type, format = "", description, priority = 0, jsonPath }: PrinterColumn): Column {
  const path = compileJsonPath(jsonPath);
  const text = description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return { name, type, format, priority, description: text, cell: (object, now) => cellOf(object, path, type, now) };
}

function cellOf(object: KubeObject, path: JsonPath | undefined, type: Column["type"], now: Date): CellValue {
  const [value] = path?.(object) ?? [];
  if (value === undefined || value === null) return null;
  return CELLS[type](value, now);
}

const CELLS: Readonly<Record<Column["type"], (value: unknown, now: Date) => CellValue>> = {
  string: (value) => (typeof value === "string" ? value : JSON.stringify(value)),
  integer: (value) => (typeof value === "number" ? Math.trunc(value) : null),
  number: (value) => (typeof value === "number" ? value : null),
  boolean: (value) => (typeof value === "boolean" ? value : null),
  date: (value, now) =>
    typeof value === "string" ? (Number.isNaN(Date.parse(value)) ? "<invalid>" : age(value, now)) : null,
};
