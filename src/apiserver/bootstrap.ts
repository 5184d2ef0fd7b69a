/** What every cluster has before anyone asks: its first namespaces, default roles and bindings. Never overwrites. */
import { type KubeObject, wireTime } from "#kinds";
import type { Environment } from "./rest/call.ts";
import { generateUid } from "./rest/names.ts";
import { keyOf } from "./rest/resource.ts";
import { defaultClusterRoleBindings, defaultClusterRoles } from "./security/default-roles.ts";

const NAMESPACES = ["default", "kube-system", "kube-public", "kube-node-lease"];

export async function bootstrap(environment: Environment): Promise<void> {
  const { clock } = environment;
  const namespaces = NAMESPACES.map((name) => namespace(name));
  const wanted = [...namespaces, ...defaultClusterRoles, ...defaultClusterRoleBindings] as KubeObject[];
  const missing = wanted.filter((object) => !environment.store.get(keyFor(environment, object)));
  await Promise.all(
    missing.map((object) => {
      const metadata = {
        ...object.metadata,
        uid: generateUid(environment.random),
        creationTimestamp: wireTime(clock.now()),
      };
      return environment.store.put(keyFor(environment, object), undefined, { ...object, metadata });
    }),
  );
}

function keyFor({ registry }: Environment, object: KubeObject): string {
  const [group = "", version] = object.apiVersion.includes("/")
    ? object.apiVersion.split("/")
    : ["", object.apiVersion];
  const resource = registry.findKind(group, object.kind, version);
  if (!resource) throw new Error(`no resource for ${object.apiVersion} ${object.kind}`);
  return keyOf(resource, object.metadata.namespace ?? "", object.metadata.name ?? "");
}

function namespace(name: string): object {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}
