/** The counters of a set: one child per selected server or BMC. */
import { type Column, column, Type } from "#kinds";

const counter = (description: string) => Type.optional(Type.integer(description));

/** Counters of the children in each state; the names carry the child's kind, as the wire spells it. */
export function childCounters<const C extends string>(child: C) {
  const named = {
    [`available${child}`]: counter("Children that exist."),
    [`pending${child}`]: counter("Children that have not started."),
    [`inProgress${child}`]: counter("Children that are being worked on."),
    [`completed${child}`]: counter("Children that reached what their spec asks for."),
    [`failed${child}`]: counter("Children that failed and wait for a retry."),
  };
  return named as { [K in `${"available" | "pending" | "inProgress" | "completed" | "failed"}${C}`]: typeof one };
}

const one = counter("");

/** How many objects the selector selects. */
export const selectedServers = counter("Servers that the selector selects.");
export const selectedBMCs = counter("BMCs that the selector selects.");

/** The columns of those counters, in the order people know. */
export function childColumns(child: string, type: "string" | "integer"): readonly Column[] {
  return [
    column(`Available${child}`, `.status.available${child}`, { type }),
    column("Pending", `.status.pending${child}`, { type }),
    column("InProgress", `.status.inProgress${child}`, { type }),
    column("Completed", `.status.completed${child}`, { type }),
    column("Failed", `.status.failed${child}`, { type }),
  ];
}
