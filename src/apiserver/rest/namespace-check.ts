/** Objects live only in namespaces that exist and are not on their way out. */
import { forbidden, notFound } from "../http/status-error.ts";
import type { Call, Environment } from "./call.ts";

const NAMESPACES = { group: "", plural: "namespaces" };

export function checkNamespace({ info, resource }: Call, { store }: Environment, name: string): void {
  if (resource.scope === "Cluster") return;
  const namespace = store.head(`core/namespaces/${info.namespace}`)?.object;
  if (!namespace) throw notFound(NAMESPACES, info.namespace);
  if (!namespace.metadata.deletionTimestamp) return;
  const message = `namespace ${info.namespace} is being terminated`;
  throw forbidden(
    resource,
    name,
    `unable to create new content in namespace ${info.namespace} because it is being terminated`,
    [{ reason: "NamespaceTerminating", message, field: "metadata.namespace" }],
  );
}
