/** The type models of built-in kinds, by which applies are merged and field owners recorded. */
import type { ModelOf } from "../managed-fields/index.ts";

export function builtInModel(_group: string, _kind: string): ModelOf {
  return () => undefined;
}
