/** The way to the real control plane that KUBECONFIG names, for *.kube.test.ts: a client, and a namespace that goes away again. */
import { randomBytes } from "node:crypto";
import { systemClock as clock, systemRandom as random } from "#clock";
import { Namespace } from "#kinds";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { loadConfig } from "../config/load-config.ts";
import { connect } from "../transport/connect.ts";
import type { Fence } from "../transport/fence.ts";

export interface RealApi {
  readonly client: Client;
  readonly namespace: string;
  /** A client behind a fence, on the same connections. */
  fencedBy(fence: Fence): Client;
  close(): Promise<void>;
}

export async function realApi(labels: Record<string, string> = {}): Promise<RealApi> {
  const transport = connect(await loadConfig({ env: process.env }), { clock, random });
  const userAgent = "metalwright-test";
  const client = createClient(transport, { clock, random, userAgent });
  const namespace = `test-${randomBytes(4).toString("hex")}`;
  await client.create(Namespace, { metadata: { name: namespace, labels } });
  return {
    client,
    namespace,
    fencedBy: (fence) => createClient(transport, { clock, random, userAgent, fence }),
    close: async () => {
      await client.delete(Namespace, namespace).catch(() => {});
      await transport.close();
    },
  };
}
