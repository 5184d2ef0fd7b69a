import { expect, it } from "vitest";
import { Survey } from "../protocol/survey.ts";
import { collection, link, withTree } from "../testing/tree-bmc.ts";
import { readLogs } from "./logs.ts";

const entry = (Id: string, Created: string, Severity?: string) => ({ Id, Created, ...(Severity ? { Severity } : {}) });
const tree = {
  "/l": collection("/l/sel", "/l/off", "/l/lc"),
  "/l/sel": { ServiceEnabled: true, Entries: link("/l/sel/e") },
  "/l/sel/e": collection("/e/1", "/e/2"),
  "/l/off": { ServiceEnabled: false, Entries: link("/nowhere") },
  "/l/lc": { Entries: link("/l/lc/e") },
  "/l/lc/e": collection("/e/3", "/e/4"),
  "/e/1": entry("1", "2026-01-01T00:00:00Z", "OK"),
  "/e/2": entry("2", "2026-01-04T00:00:00Z", "Critical"),
  "/e/3": entry("3", "2026-01-03T00:00:00Z", "Warning"),
  "/e/4": entry("4", "2026-01-02T00:00:00Z"),
};

it.each([
  ["everything, newest first", {}, ["2", "3", "4", "1"]],
  ["from a severity upwards", { from: "Warning" }, ["2", "3"]],
  ["the newest of them only", { from: "Warning", most: 1 }, ["2"]],
] as const)("logs give %s", (_, which, ids) =>
  withTree({ tree }, async ({ service }) => {
    const survey = new Survey(service);
    expect((await readLogs(survey, "/l", which)).map(({ id }) => id)).toEqual(ids);
    expect(survey.problems).toEqual([]);
  }),
);
