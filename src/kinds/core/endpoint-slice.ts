/** The EndpointSlice of `discovery.k8s.io`: the addresses behind a Service. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";
import type { CoreObjectReference } from "./object-reference.ts";

export interface SliceEndpoint {
  addresses: string[];
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  nodeName?: string;
  zone?: string;
  targetRef?: CoreObjectReference;
}

export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints: SliceEndpoint[];
  ports?: { name?: string; protocol?: string; port?: number; appProtocol?: string }[];
}

export const EndpointSlice: Kind<EndpointSlice> = {
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
  scope: "Namespaced",
};
