/** The core Secret: small values that must not be logged. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface Secret extends KubeObject {
  type?: string;
  /** Base64. */
  data?: Record<string, string>;
  /** Write-only: the API server folds it into `data`. */
  stringData?: Record<string, string>;
  immutable?: boolean;
}

export const Secret: Kind<Secret> = {
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  scope: "Namespaced",
};
