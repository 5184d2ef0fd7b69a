/** What BIOS and BMC settings share: batches of attributes, values from elsewhere, the status. */
import { Type } from "#kinds";
import { SettingsState } from "../names/states.ts";

const settingsMap = (description: string) =>
  Type.map(description, Type.string("The value, always written as a string."));

/** Batches of BIOS settings, applied in the order of their priority. */
export const settingsFlow = Type.optional(
  Type.list(
    "Batches of settings, applied one after the other.",
    Type.object("Settings that are applied together.", {
      name: Type.string("Name of the batch; unique in the list.", { minLength: 1, maxLength: 1000 }),
      priority: Type.integer("Batches run from the lowest priority to the highest.", {
        minimum: 1,
        maximum: 2147483645,
      }),
      settings: Type.optional(settingsMap("BIOS attributes and the values they shall have.")),
    }),
  ),
);

/** A flat map of BMC settings. */
export const bmcSettings = Type.optional(
  settingsMap("BMC attributes and the values they shall have; $(key) is replaced by a variable."),
);

const bounded = (description: string, maxLength: number) => Type.string(description, { minLength: 1, maxLength });

const keyReference = (what: string) =>
  Type.object(`One key of a ${what}.`, {
    name: bounded(`Name of the ${what}; may use earlier variables.`, 253),
    namespace: bounded(`Namespace of the ${what}; may use earlier variables.`, 63),
    key: bounded(`Key in the ${what}'s data; may use earlier variables.`, 253),
  });

const valueFrom = Type.ruled(
  Type.object("Where the value comes from; exactly one source.", {
    fieldRef: Type.optional(
      Type.object("A field of the BMCSettings object itself.", {
        fieldPath: bounded("Dotted path to a string, for example metadata.name.", 256),
      }),
    ),
    objectFieldRef: Type.optional(
      Type.object("A field of another object.", {
        kind: bounded("Kind of the object; only BMC is supported.", 63),
        name: bounded("Name of the object; may use earlier variables.", 253),
        fieldPath: bounded("Dotted path to a string, for example status.serialNumber.", 256),
      }),
    ),
    configMapKeyRef: Type.optional(keyReference("ConfigMap")),
    secretKeyRef: Type.optional(keyReference("Secret")),
  }),
  Type.exactlyOneOf(
    ["fieldRef", "objectFieldRef", "configMapKeyRef", "secretKeyRef"],
    "exactly one of fieldRef, objectFieldRef, configMapKeyRef, or secretKeyRef must be set",
  ),
  Type.rule("!has(self.objectFieldRef) || self.objectFieldRef.kind == 'BMC'", "objectFieldRef.kind must be BMC"),
);

/** Values from elsewhere, used as `$(key)` in BMC settings. */
export const variables = Type.optional(
  Type.list(
    "Values from elsewhere, resolved in this order.",
    Type.object("One value and where it comes from.", {
      key: bounded("Name by which settings and later variables use it: $(key).", 63),
      valueFrom,
    }),
    { maxItems: 64 },
  ),
);

/** For the object around {@link variables}. */
export const uniqueVariableKeys = Type.rule(
  "!has(self.variables) || self.variables.all(v, self.variables.exists_one(w, w.key == v.key))",
  "variable keys must be unique",
);

/** The part of the status that BIOS and BMC settings share. */
export const settingsProgress = {
  state: Type.optional(Type.word("Where applying stands; empty before the first look.", Object.values(SettingsState))),
  failedAttempts: Type.optional(Type.integer("Automatic retries used up since the last change of the spec.")),
  observedGeneration: Type.optional(Type.integer("Generation of the spec this status is about.", { format: "int64" })),
  conditions: Type.optional(Type.conditions("The steps of applying: maintenance, reset, issue, verification.")),
};
