/** BIOS attributes of one machine: what is in effect, what waits for a reset. Only what differs from the default is kept. */
import type { Json, JsonObject } from "../json.ts";
import type { BiosAttribute } from "../profiles/profile.ts";

export class FirmwareSettings {
  readonly #attributes: readonly BiosAttribute[];
  readonly #current = new Map<string, Json>();
  readonly #pending = new Map<string, Json>();

  constructor(attributes: readonly BiosAttribute[]) {
    this.#attributes = attributes;
  }

  current(): JsonObject {
    const values: Record<string, Json> = {};
    for (const { name, value } of this.#attributes) values[name] = this.#current.get(name) ?? value;
    return values;
  }

  pending(): JsonObject {
    return Object.fromEntries(this.#pending);
  }

  /** Every problem with these values; empty when all may be written. */
  problems(values: JsonObject): readonly { readonly name: string; readonly key: string; readonly args: string[] }[] {
    return Object.entries(values).flatMap(([name, value]) => {
      const attribute = this.#attributes.find((known) => known.name === name);
      if (!attribute) return [{ name, key: "PropertyUnknown", args: [name] }];
      const locked =
        attribute.lockedWhile && this.current()[attribute.lockedWhile.attribute] === attribute.lockedWhile.is;
      if (attribute.readOnly || locked) return [{ name, key: "PropertyNotWritable", args: [name] }];
      const key = refusal(attribute, value);
      return key ? [{ name, key, args: [String(value), name] }] : [];
    });
  }

  /** Takes values that have no problems: what needs no reset is in effect at once. Returns whether anything waits. */
  write(values: JsonObject): boolean {
    for (const [name, value] of Object.entries(values)) {
      const attribute = this.#attributes.find((known) => known.name === name);
      if (attribute?.reset === false) this.#current.set(name, value ?? null);
      else this.#pending.set(name, value ?? null);
    }
    return this.#pending.size > 0;
  }

  dropPending(): void {
    this.#pending.clear();
  }

  /** At the next reset everything goes back to its default. */
  resetToDefaults(): void {
    for (const { name, value, readOnly } of this.#attributes) if (!readOnly) this.#pending.set(name, value);
  }

  /** A reset happened. */
  apply(): void {
    for (const [name, value] of this.#pending) this.#current.set(name, value);
    this.#pending.clear();
  }
}

function refusal(attribute: BiosAttribute, value: Json | undefined): string | undefined {
  const types = { Integer: "number", Boolean: "boolean", Enumeration: "string", String: "string", Password: "string" };
  if (typeof value !== types[attribute.type]) return "PropertyValueTypeError";
  if (attribute.choices && !(String(value) in attribute.choices)) return "PropertyValueNotInList";
  const [low, high] = attribute.bounds ?? [-Infinity, Infinity];
  if (typeof value === "number" && (!Number.isInteger(value) || value < low || value > high))
    return "PropertyValueOutOfRange";
  if (typeof value === "string" && value.length > (attribute.maxLength ?? Infinity)) return "PropertyValueFormatError";
  return undefined;
}
