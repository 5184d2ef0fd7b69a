/** One column of `kubectl get`: how it is described and what stands in it. */
import type { KubeObject } from "#kinds";

export type CellValue = string | number | boolean | null;

export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format: string;
  readonly description: string;
  /** Above zero: only in wide output. */
  readonly priority: number;
  readonly cell: (object: KubeObject, now: Date) => CellValue;
}
