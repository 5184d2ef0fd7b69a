/** Taints keep claims off a server; tolerations let them on again. */
import { Type } from "#kinds";

const effects = ["NoBind", "Evict"] as const;

export function taint(description: string) {
  return Type.object(description, {
    key: Type.string("Name of the taint.", { minLength: 1 }),
    value: Type.optional(Type.string("Value of the taint; a toleration with operator Equal must name it.")),
    effect: Type.optional(
      Type.choice("What the taint does to claims that do not tolerate it.", effects, { default: "NoBind" }),
    ),
  });
}

export function toleration(description: string) {
  return Type.object(description, {
    key: Type.string("Name of the taint that is tolerated.", { minLength: 1 }),
    operator: Type.optional(Type.choice("Whether the value counts; absent means Equal.", ["Equal", "Exists"])),
    value: Type.optional(Type.string("Value the taint must have when the operator is Equal.")),
    effect: Type.optional(Type.choice("Effect that is tolerated; absent means every effect.", effects)),
  });
}
