/** The core Service. */
import type { IntOrString } from "../int-or-string.ts";
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface ServicePort {
  name?: string;
  protocol?: string;
  appProtocol?: string;
  port: number;
  targetPort?: IntOrString;
  nodePort?: number;
}

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    clusterIP?: string;
    clusterIPs?: string[];
    externalName?: string;
    publishNotReadyAddresses?: boolean;
  };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

export const Service: Kind<Service> = {
  group: "",
  version: "v1",
  kind: "Service",
  plural: "services",
  scope: "Namespaced",
};
