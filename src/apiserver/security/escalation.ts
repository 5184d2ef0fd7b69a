/** Nobody hands out rights they do not have: checked whenever a role or a binding is written. */
import type { KubeObject } from "#kinds";
import type { Admission, Attributes } from "../admission/admission.ts";
import type { UserInfo } from "../http/message.ts";
import { forbidden } from "../http/status-error.ts";
import type { Store } from "../store/index.ts";
import { type AccessQuestion, allows, type PolicyRule, type RbacAuthorizer } from "./rbac.ts";

const GROUP = "rbac.authorization.k8s.io";
const ROLES: ReadonlySet<string> = new Set(["roles", "clusterroles"]);
const BINDINGS: ReadonlySet<string> = new Set(["rolebindings", "clusterrolebindings"]);

interface Role extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null;
}
interface Binding extends KubeObject {
  readonly roleRef?: { readonly kind: string; readonly name: string };
}

/** Admission that refuses to grant what the writer does not hold, after `next` had no objection. */
export function withEscalationCheck(next: Admission, authorizer: RbacAuthorizer, store: Store): Admission {
  return {
    mutate: (attributes) => next.mutate(attributes),
    validate: async (attributes) => {
      refuseEscalation(attributes, authorizer, store);
      await next.validate(attributes);
    },
  };
}

function refuseEscalation({ call, object }: Attributes, authorizer: RbacAuthorizer, store: Store): void {
  const { resource, info, user } = call;
  if (resource.group !== GROUP || !object) return;
  if (ROLES.has(resource.plural)) {
    if (
      may(authorizer, user, {
        verb: "escalate",
        resource: resource.plural,
        namespace: info.namespace,
        name: object.metadata.name,
      })
    )
      return;
    refuseMissing(call, object, (object as Role).rules ?? [], authorizer);
  } else if (BINDINGS.has(resource.plural)) {
    const { roleRef } = object as Binding;
    const plural = roleRef?.kind === "ClusterRole" ? "clusterroles" : "roles";
    if (may(authorizer, user, { verb: "bind", resource: plural, namespace: info.namespace, name: roleRef?.name }))
      return;
    const at = plural === "clusterroles" ? "" : `${info.namespace}/`;
    const role = store.get(`${GROUP}/${plural}/${at}${roleRef?.name}`)?.object as Role | undefined;
    refuseMissing(call, object, role?.rules ?? [], authorizer);
  }
}

interface Right {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string | undefined;
}

function may(authorizer: RbacAuthorizer, user: UserInfo, { verb, resource, namespace, name = "" }: Right): boolean {
  return authorizer.decide(user, { isResource: true, group: GROUP, subresource: "", verb, resource, namespace, name })
    .allowed;
}

function refuseMissing(
  { resource, info, user }: Attributes["call"],
  object: KubeObject,
  granted: readonly PolicyRule[],
  authorizer: RbacAuthorizer,
): void {
  if (user.groups.includes("system:masters")) return;
  const held = [...authorizer.rulesFor(user, info.namespace)].map(({ rule }) => rule);
  const missing = granted.flatMap(single).filter((rule) => !held.some((own) => covers(own, rule)));
  if (missing.length === 0) return;
  const groups = user.groups.map((g) => JSON.stringify(g)).join(" ");
  const why = `user ${JSON.stringify(user.username)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${missing.map(describe).join("\n")}`;
  throw forbidden(resource, object.metadata.name ?? "", why);
}

/** One right per rule: each combination of verb, group, resource and name. */
function single(rule: PolicyRule): PolicyRule[] {
  return rule.verbs.flatMap((verb) => {
    const paths = (rule.nonResourceURLs ?? []).map((url) => ({ verbs: [verb], nonResourceURLs: [url] }));
    const names = rule.resourceNames?.length ? rule.resourceNames.map((n) => [n]) : [undefined];
    const resources = (rule.apiGroups ?? []).flatMap((group) =>
      (rule.resources ?? []).flatMap((resource) =>
        names.map((name) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          ...(name && { resourceNames: name }),
        })),
      ),
    );
    return [...paths, ...resources];
  });
}

function covers(own: PolicyRule, wanted: PolicyRule): boolean {
  const [verb = ""] = wanted.verbs;
  const [path] = wanted.nonResourceURLs ?? [];
  if (path !== undefined) return allows(own, { isResource: false, verb, path });
  const [resource = "", subresource = ""] = (wanted.resources?.[0] ?? "").split("/");
  const question: AccessQuestion = {
    isResource: true,
    verb,
    group: wanted.apiGroups?.[0] ?? "",
    resource,
    subresource,
    namespace: "",
    name: wanted.resourceNames?.[0] ?? "",
  };
  return allows(own, question);
}

function describe({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["ResourceNames", resourceNames],
    ["NonResourceURLs", nonResourceURLs],
    ["Verbs", verbs],
  ];
  const shown = parts
    .filter(([, list]) => list?.length)
    .map(([name, list]) => `${name}:[${list?.map((i) => JSON.stringify(i)).join(" ")}]`);
  return `{${shown.join(", ")}}`;
}
