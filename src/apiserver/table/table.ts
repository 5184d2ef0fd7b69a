/** Objects as `meta.k8s.io/v1` Tables, the form in which kubectl prints them. */
import type { KubeObject } from "#kinds";
import type { Column } from "./column.ts";

export type IncludeObject = "None" | "Metadata" | "Object";

export interface TableOptions {
  readonly columns: readonly Column[];
  readonly include: IncludeObject;
  readonly now: Date;
}

export function tableHead(columns: readonly Column[]): unknown[] {
  return columns.map(({ cell: _, ...definition }) => definition);
}

export function tableRow(object: KubeObject, { columns, include, now }: TableOptions): unknown {
  return { cells: columns.map((column) => column.cell(object, now)), object: rowObject(object, include) };
}

function rowObject(object: KubeObject, include: IncludeObject): unknown {
  if (include === "None") return null;
  return include === "Object" ? object : partialMetadata(object);
}

export function table(metadata: unknown, columns: readonly Column[] | undefined, rows: readonly unknown[]): unknown {
  const head = columns ? { columnDefinitions: tableHead(columns) } : { columnDefinitions: null };
  return { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata, ...head, rows };
}

/** Only the metadata of an object, as clients ask for that care for nothing else. */
export function partialMetadata({ metadata }: KubeObject): unknown {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}
