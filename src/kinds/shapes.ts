/** Schemas that Kubernetes APIs share: references, selectors, conditions, quantities. Knows no kind of ours. */
import type { Condition } from "./condition.ts";
import type { LabelSelector } from "./label-selector.ts";
import { immutable } from "./rules.ts";
import { added, choice, integer, list, listMap, map, object, optional, type Schema, string, time } from "./schema.ts";

const atomic = { "x-kubernetes-map-type": "atomic" } as const;

/** Always has its name when read: the API server fills in the empty one, which means nothing. */
export interface LocalObjectReference {
  name: string;
}

/** A name in the same namespace, or of a cluster-scoped object. */
export function localObjectReference(description: string): Schema<LocalObjectReference> {
  const name = optional(string("Name of the object referred to.", { default: "" }));
  return object(description, { name }, atomic) as Schema<LocalObjectReference>;
}

/** A namespace and a name. */
export function objectReference(description: string) {
  return object(description, {
    namespace: string("Namespace of the object referred to."),
    name: string("Name of the object referred to."),
  });
}

/**
 * A reference that is set or removed whole: none of its strings changes in place. The UID may be missing, because another
 * writer does not know the field, and may be filled in later.
 */
export function immutableObjectReference(description: string) {
  return object(description, {
    namespace: immutable(string("Namespace of the object referred to.", { maxLength: 63 })),
    name: immutable(string("Name of the object referred to.", { maxLength: 253 })),
    uid: added(
      immutable(
        string("UID of the object referred to, so that a namesake created later is not mistaken for it.", {
          maxLength: 128,
        }),
      ),
    ),
  });
}

/** A core Secret anywhere in the cluster. */
export function secretReference(description: string) {
  return object(
    description,
    {
      name: optional(string("Name of the Secret.")),
      namespace: optional(string("Namespace of the Secret.")),
    },
    atomic,
  );
}

const requirement = object("One requirement; all requirements must hold.", {
  key: string("Label key the requirement is about."),
  operator: string("How key and values relate: In, NotIn, Exists or DoesNotExist."),
  values: optional(
    list("Values for In and NotIn; empty for Exists and DoesNotExist.", string("A label value."), {
      "x-kubernetes-list-type": "atomic",
    }),
  ),
});

/** `metav1.LabelSelector`. Present and empty it selects everything. */
export function labelSelector(description: string): Schema<LabelSelector> {
  return object(
    description,
    {
      matchLabels: optional(map("Labels that must be present with exactly these values.", string("A label value."))),
      matchExpressions: optional(
        list("Requirements beyond equality; all must hold.", requirement, { "x-kubernetes-list-type": "atomic" }),
      ),
    },
    atomic,
  );
}

const condition: Schema<Condition> = object("One observation about the object.", {
  type: string("What the observation is about, in CamelCase, optionally with a domain in front.", {
    maxLength: 316,
    pattern:
      "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
  }),
  status: choice("Whether it holds.", ["True", "False", "Unknown"]) as Schema<Condition["status"]>,
  reason: string("One word for why, made for programs.", {
    minLength: 1,
    maxLength: 1024,
    pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
  }),
  message: string("A sentence for people; may be empty.", { maxLength: 32768 }),
  lastTransitionTime: time("When the status last changed; a new reason or message alone does not move it."),
  observedGeneration: optional(
    integer("The generation of the object that was looked at.", { format: "int64", minimum: 0 }),
  ),
});

/** Conditions as a plain list: a writer replaces all of them. */
export function conditions(description: string): Schema<Condition[]> {
  return list(description, condition);
}

/** Conditions that several writers own by type. */
export function conditionMap(description: string): Schema<Condition[]> {
  return listMap(description, condition, ["type"]);
}

/** `resource.Quantity`: a number or a string such as `512Gi`. */
export function quantity(description: string): Schema<string | number> {
  const node = {
    description,
    anyOf: [{ type: "integer" }, { type: "string" }],
    pattern:
      "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
    "x-kubernetes-int-or-string": true,
  };
  return node as unknown as Schema<string | number>;
}
