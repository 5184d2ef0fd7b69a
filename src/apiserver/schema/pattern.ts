/** Regular expressions from outside, matched by RE2 in linear time: a hostile pattern costs at most its length times the text's. */
import { RE2JS } from "re2js";

/** A compiled pattern, or why it is none. */
export interface PatternMatcher {
  readonly source: string;
  readonly error: string | undefined;
  /** Whether the pattern occurs anywhere in the text. */
  test(text: string): boolean;
}

/** Compiles RE2 syntax; throws what is wrong in Go's words. */
export function compilePattern(source: string): RE2JS {
  return RE2JS.compile(source);
}

/** Why the pattern cannot be compiled, in Go's words, or undefined. */
export function patternError(source: string): string | undefined {
  return patternMatcher(source).error;
}

/** A matcher that compiles on first use; a broken pattern matches nothing and says why. */
export function patternMatcher(source: string): PatternMatcher {
  let compiled: RE2JS | undefined;
  let error: string | undefined;
  const compile = (): RE2JS | undefined => {
    if (compiled !== undefined || error !== undefined) return compiled;
    try {
      compiled = compilePattern(source);
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown);
    }
    return compiled;
  };
  return {
    source,
    get error() {
      compile();
      return error;
    },
    test: (text) => compile()?.test(text) ?? false,
  };
}
