/** A whole controller: every Namespace labelled `greeting=wanted` has a ConfigMap that greets it, and keeps it. */
import { ConfigMap, Namespace } from "#kinds";
import { act, apply, controller, controllerRef, owned, settled } from "#kube";

const GREETING = "greeting";

export const greeter = controller({
  name: "greeter",
  kind: Namespace,
  scope: { labelSelector: "greeting=wanted" },
  wakes: [owned(ConfigMap)],

  observe: ({ object: namespace, cache }) => {
    const name = `${namespace.metadata.name}`;
    return { namespace, name, greeting: cache(ConfigMap).get({ namespace: name, name: GREETING }) };
  },

  decide: ({ namespace, name, greeting }) => {
    if (namespace.metadata.deletionTimestamp) return settled("the namespace is going");
    const hello = `Hello, ${name}!`;
    if (greeting?.data?.hello === hello) return settled("the greeting hangs where it should");
    const metadata = { namespace: name, name: GREETING, ownerReferences: [controllerRef(Namespace, namespace)] };
    return act("the greeting is missing or says something else", apply(ConfigMap, { metadata, data: { hello } }));
  },
});
