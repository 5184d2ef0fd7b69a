/** The kubeconfig that lets kubectl in as the administrator. */
import { stringify } from "yaml";
import type { Certificates } from "./credentials.ts";

const NAME = "metalwright";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

export function adminKubeconfig(url: string, { authority, admin }: Certificates): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: NAME, cluster: { server: url, "certificate-authority-data": base64(authority.cert) } }],
    users: [
      { name: NAME, user: { "client-certificate-data": base64(admin.cert), "client-key-data": base64(admin.key) } },
    ],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
    "current-context": NAME,
  });
}
