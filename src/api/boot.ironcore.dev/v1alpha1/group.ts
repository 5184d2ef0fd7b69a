/** What the kinds of this folder share: their group, their columns, their status. */
import { ageColumn, column, Type } from "#kinds";
import { BootState } from "../../names/states.ts";

export const boot = { group: "boot.ironcore.dev", version: "v1alpha1", scope: "Namespaced" } as const;

export const bootColumns = [column("State", ".status.state"), ageColumn];

export const bootStatus = Type.object("Whether the machine can be served.", {
  state: Type.optional(Type.word("Ready once everything the machine will fetch is there.", Object.values(BootState))),
  conditions: Type.optional(Type.conditions("What is prepared and what is missing.")),
});
