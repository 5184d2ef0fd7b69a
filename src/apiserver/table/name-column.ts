/** The first column of nearly every table. */
import type { Column } from "./column.ts";

export const nameColumn: Column = {
  name: "Name",
  type: "string",
  format: "name",
  description: "Name of the object; unique among its kind in a namespace.",
  priority: 0,
  cell: (object) => object.metadata.name ?? "",
};
