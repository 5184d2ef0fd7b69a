/** The least one needs to ask a real API server something: requests with the token of a kubeconfig. For tests only. */
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { parse } from "yaml";
import { apiVersionOf, type Kind, type KubeObject } from "#kinds";

export interface Answer {
  readonly status: number;
  /** The texts of the Warning headers. */
  readonly warnings: readonly string[];
  readonly body: KubeObject & { readonly message?: string } & Record<string, unknown>;
}

export interface ApiServer {
  call(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<Answer>;
}

interface Kubeconfig {
  readonly clusters: readonly { cluster: { server: string; "certificate-authority-data": string } }[];
  readonly users: readonly { user: { token: string } }[];
}

/** The API server of `KUBECONFIG`, as `npm run kube` writes it: authority and token inside the file. */
export function apiServerFromEnvironment(): ApiServer {
  const file = process.env.KUBECONFIG;
  if (!file) throw new Error("KUBECONFIG is not set: run this suite with `npm run test:kube`");
  const config = parse(readFileSync(file, "utf8")) as Kubeconfig;
  const cluster = config.clusters[0]?.cluster;
  const user = config.users[0]?.user;
  if (!cluster || !user) throw new Error(`${file} names no cluster or no user`);
  const ca = Buffer.from(cluster["certificate-authority-data"], "base64");
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    authorization: `Bearer ${user.token}`,
  };
  return {
    call: (method, path, body) =>
      new Promise((resolve, reject) => {
        const signal = AbortSignal.timeout(30_000);
        const sent = request(new URL(path, cluster.server), { ca, method, headers, signal }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              warnings: warningsOf(response.headers.warning),
              body: bodyOf(Buffer.concat(chunks).toString()),
            }),
          );
        });
        sent.on("error", reject);
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      }),
  };
}

/** Some refusals are plain text. */
function bodyOf(text: string): Answer["body"] {
  const json = text.startsWith("{") ? (JSON.parse(text) as unknown) : { message: text };
  return json as Answer["body"];
}

/** `299 - "text", 299 - "text"` without the wrapping. */
function warningsOf(header: string | undefined): readonly string[] {
  return [...(header ?? "").matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
    text.replace(/\\(.)/g, "$1"),
  );
}

/** Where objects of a kind live; `namespace` is ignored for cluster-scoped kinds. */
export function collectionPath(kind: Kind, namespace = "default"): string {
  const prefix = kind.group === "" ? "/api" : "/apis";
  const scope = kind.scope === "Namespaced" ? `/namespaces/${namespace}` : "";
  return `${prefix}/${apiVersionOf(kind)}${scope}/${kind.plural}`;
}
