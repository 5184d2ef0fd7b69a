/** The core Node, as far as draining and matching machines needs it. */
import type { Kind } from "../kind.ts";
import type { KubeObject } from "../object.ts";

export interface NodeTaint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface NodeCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastHeartbeatTime?: string;
  lastTransitionTime?: string;
}

export interface Node extends KubeObject {
  spec?: { providerID?: string; unschedulable?: boolean; taints?: NodeTaint[]; podCIDR?: string };
  status?: {
    addresses?: { type: string; address: string }[];
    conditions?: NodeCondition[];
    nodeInfo?: { systemUUID?: string; machineID?: string; bootID?: string; kubeletVersion?: string };
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
  };
}

export const Node: Kind<Node> = {
  group: "",
  version: "v1",
  kind: "Node",
  plural: "nodes",
  scope: "Cluster",
};
