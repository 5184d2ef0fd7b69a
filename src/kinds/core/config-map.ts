/** The core ConfigMap: small values anyone may read. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  /** Base64. */
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

export const ConfigMap: Kind<ConfigMap> = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
};
