/** Quotes text the way Go's `%q` does, because refusals are compared with upstream's letter by letter. */

const NAMED: ReadonlyMap<number, string> = new Map([
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
  [34, '\\"'],
  [92, "\\\\"],
]);

const UNPRINTABLE = /[\p{C}\p{Z}]/u;

function quoteCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const named = NAMED.get(code);
  if (named !== undefined) return named;
  if (code === 0x20 || !UNPRINTABLE.test(character)) return character;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, "0")}`;
  return `\\U${code.toString(16).padStart(8, "0")}`;
}

/** `text` in double quotes with Go's escapes. */
export function goQuote(text: string): string {
  let quoted = "";
  for (const character of text) quoted += quoteCharacter(character);
  return `"${quoted}"`;
}
