/** CEL rules as sentences: what a CRD refuses beyond types and bounds. */
import type { Rule, Schema, SchemaNode } from "./schema.ts";

/** A rule with the message a person sees when it refuses. */
export function rule(expression: string, message?: string): Rule {
  return message === undefined ? { rule: expression } : { rule: expression, message };
}

/** The schema with more rules; those it already has stay in front. */
export function ruled<S extends Schema>(schema: S, ...rules: readonly Rule[]): S {
  const node: SchemaNode = schema;
  return { ...schema, "x-kubernetes-validations": [...(node["x-kubernetes-validations"] ?? []), ...rules] };
}

/** Once set the value stays; setting it later and removing it are changes of its owner and pass. */
export function immutable<S extends Schema>(schema: S, message?: string): S {
  return ruled(schema, rule("self == oldSelf", message));
}

/** For the object around an immutable field: the field may come later but never go. */
export function requiredOnceSet(field: string): Rule {
  return rule(`!has(oldSelf.${field}) || has(self.${field})`, `${field} is required once set`);
}

/** A field of the object keeps the value it has; absent, it may still be set. */
export function fieldImmutable(field: string, message: string): Rule {
  return rule(`!has(oldSelf.${field}) || self.${field} == oldSelf.${field}`, message);
}

/** Exactly one of the fields is present. */
export function exactlyOneOf(fields: readonly string[], message: string): Rule {
  const present = fields.map((field) => `has(self.${field})`);
  const expression =
    present.length === 2 ? present.join(" != ") : `[${present.join(", ")}].filter(isSet, isSet).size() == 1`;
  return rule(expression, message);
}
