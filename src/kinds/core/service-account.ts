/** The core ServiceAccount. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface ServiceAccount extends KubeObject {
  automountServiceAccountToken?: boolean;
  imagePullSecrets?: { name?: string }[];
}

export const ServiceAccount: Kind<ServiceAccount> = {
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  plural: "serviceaccounts",
  scope: "Namespaced",
};
