/** Prints values the way Go's `%v`, `%#v` and `%T` do, for messages that must equal upstream's. */
import { isJsonObject, type Json } from "../json.ts";
import { goQuote } from "./go-quote.ts";

/** Go's `%v`: `map[a:1 b:[x y]]`. */
export function goPlain(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPlain).join(" ")}]`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.keys(value).sort();
  return `map[${entries.map((key) => `${key}:${goPlain(value[key] as Json)}`).join(" ")}]`;
}

/** Go's `%#v`: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: Json): string {
  if (value === null) return "interface {}(nil)";
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isJsonObject(value)) return String(value);
  const entries = Object.keys(value).sort();
  return `map[string]interface {}{${entries.map((key) => `${goQuote(key)}:${goSyntax(value[key] as Json)}`).join(", ")}}`;
}

/** Go's `%T` of a decoded JSON value. */
export function goTypeOf(value: Json): string {
  if (value === null) return "<nil>";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}
