/** Splits label selector syntax into words and symbols. */

export interface SelectorToken {
  readonly kind: "word" | "symbol" | "end";
  readonly text: string;
}

const TOKEN = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>\0]+)|(\0|$))/y;

/** The tokens of a selector, always closed by one `end`; a NUL ends the text, as it does upstream. */
export function tokenizeSelector(text: string): SelectorToken[] {
  const tokens: SelectorToken[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const match = TOKEN.exec(text);
    if (match?.[1] !== undefined) tokens.push({ kind: "symbol", text: match[1] });
    else if (match?.[2] !== undefined) tokens.push({ kind: "word", text: match[2] });
    else return [...tokens, { kind: "end", text: "" }];
  }
}
