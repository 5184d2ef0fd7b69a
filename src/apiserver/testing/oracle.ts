/** A thin client of the real kube-apiserver named by KUBECONFIG, for tests that compare our answers with its own. */
import { readFileSync } from "node:fs";
import { Agent, request } from "undici";
import { parse } from "yaml";
import type { StatusCause } from "../field-error.ts";

interface Kubeconfig {
  readonly clusters: readonly {
    cluster: { server: string; "certificate-authority-data"?: string; "certificate-authority"?: string };
  }[];
  readonly users: readonly {
    user: Partial<
      Record<"client-certificate-data" | "client-key-data" | "client-certificate" | "client-key" | "token", string>
    >;
  }[];
}

export interface OracleAnswer {
  readonly code: number;
  readonly body: {
    readonly message?: string;
    readonly reason?: string;
    readonly details?: { readonly causes?: readonly StatusCause[] };
    readonly [key: string]: unknown;
  };
  readonly warnings: readonly string[];
}

export interface Oracle {
  send(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<OracleAnswer>;
  close(): Promise<void>;
}

const pem = (data: string | undefined, file: string | undefined): string | undefined => {
  if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
  return file === undefined ? undefined : readFileSync(file, "utf8");
};

/** Connects to the control plane; throws when KUBECONFIG names none. */
export function connectOracle(): Oracle {
  const file = process.env.KUBECONFIG;
  if (file === undefined) throw new Error("KUBECONFIG is not set: start a control plane with `npm run kube`");
  const config = parse(readFileSync(file, "utf8")) as Kubeconfig;
  const cluster = config.clusters[0]?.cluster;
  const user = config.users[0]?.user;
  if (cluster === undefined || user === undefined) throw new Error(`${file} names no cluster and user`);
  const agent = new Agent({
    connect: {
      ca: pem(cluster["certificate-authority-data"], cluster["certificate-authority"]),
      cert: pem(user["client-certificate-data"], user["client-certificate"]),
      key: pem(user["client-key-data"], user["client-key"]),
    },
  });
  return {
    async send(method, path, body) {
      const headers: Record<string, string> = { "content-type": "application/json" };
      if (user.token !== undefined) headers.authorization = `Bearer ${user.token}`;
      const answer = await request(new URL(path, cluster.server), {
        method,
        headers,
        dispatcher: agent,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      const warnings = [answer.headers.warning ?? []].flat();
      const text = await answer.body.text();
      const parsed = text.startsWith("{") ? (JSON.parse(text) as OracleAnswer["body"]) : { message: text };
      return { code: answer.statusCode, body: parsed, warnings };
    },
    close: () => agent.close(),
  };
}
