/** Creates and replaces objects of our kinds on a real API server, refusing unknown fields. For tests only. */
import { allKinds } from "#api";
import { apiVersionOf, type DefinedKind, type KubeObject } from "#kinds";
import { type Answer, type ApiServer, collectionPath } from "./api-server.ts";

export interface Objects {
  /** Deletes a namesake first. */
  create(object: KubeObject): Promise<Answer>;
  /** A full update from whatever is stored now. */
  replace(object: KubeObject, subresource?: "status"): Promise<Answer>;
}

export function objectsOn(api: ApiServer): Objects {
  return {
    create: async (object) => {
      await api.call("DELETE", pathOf(object));
      return api.call("POST", `${collectionOf(object)}?fieldValidation=Strict`, object);
    },
    replace: async (object, subresource) => {
      const { body } = await api.call("GET", pathOf(object));
      const metadata = { ...object.metadata, resourceVersion: body.metadata.resourceVersion };
      const path = subresource ? `${pathOf(object)}/${subresource}` : pathOf(object);
      return api.call("PUT", `${path}?fieldValidation=Strict`, { ...object, metadata });
    },
  };
}

function pathOf(object: KubeObject): string {
  return `${collectionOf(object)}/${object.metadata.name}`;
}

function collectionOf(object: KubeObject): string {
  return collectionPath(kindOf(object), object.metadata.namespace);
}

function kindOf({ apiVersion, kind }: KubeObject): DefinedKind {
  const found = allKinds.find((known) => apiVersionOf(known) === apiVersion && known.kind === kind);
  if (!found) throw new Error(`${apiVersion} ${kind} is none of ours`);
  return found;
}
