/** The core Namespace. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string };
}

export const Namespace: Kind<Namespace> = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
};
