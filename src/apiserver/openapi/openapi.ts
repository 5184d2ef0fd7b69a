/** OpenAPI v3, one document per group and version, made from the schemas of what is served. Cached until that changes. */
import { createHash } from "node:crypto";
import { schemas as builtInSchemas } from "../builtins/schemas.ts";
import type { Registry } from "../rest/registry.ts";
import type { Resource } from "../rest/resource.ts";
import { pathsOf } from "./paths.ts";

export interface Document {
  readonly json: string;
  readonly hash: string;
}

/** Where the schema of a custom resource comes from. */
export type SchemaSource = (resource: Resource) => object | undefined;

export class OpenApi {
  readonly #registry: Registry;
  readonly #schemaOf: SchemaSource;
  #generation = -1;
  #documents = new Map<string, Document>();

  constructor(registry: Registry, schemaOf: SchemaSource) {
    this.#registry = registry;
    this.#schemaOf = schemaOf;
  }

  /** GET /openapi/v3 */
  index(): unknown {
    const paths: Record<string, unknown> = {};
    for (const path of this.#paths()) {
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${this.document(path)?.hash ?? ""}` };
    }
    return { paths };
  }

  /** GET /openapi/v3/api/v1 and its like; undefined for what is not served. */
  document(path: string): Document | undefined {
    if (this.#generation !== this.#registry.generation) {
      this.#documents.clear();
      this.#generation = this.#registry.generation;
    }
    const known = this.#documents.get(path);
    if (known) return known;
    const resources = this.#registry.all().filter((r) => documentPath(r) === path);
    if (resources.length === 0) return undefined;
    const json = JSON.stringify(this.#build(resources));
    const document = { json, hash: createHash("sha512").update(json).digest("hex").toUpperCase() };
    this.#documents.set(path, document);
    return document;
  }

  #paths(): string[] {
    return [...new Set(this.#registry.all().map(documentPath))].sort();
  }

  #build(resources: readonly Resource[]): unknown {
    const schemas: Record<string, unknown> = {};
    for (const name of SHARED) addDefinition(name, schemas);
    for (const resource of resources) {
      const name = definitionName(resource);
      if (resource.builtIn) addDefinition(name, schemas);
      else schemas[name] = customDefinition(resource, this.#schemaOf(resource));
      schemas[`${name}List`] = listDefinition(resource, name);
    }
    return {
      openapi: "3.0.0",
      info: { title: "Kubernetes", version: "v1.36.3" },
      paths: Object.assign({}, ...resources.map((r) => pathsOf(r, definitionName(r)))),
      components: { schemas },
    };
  }
}

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";
const SHARED = [`${META}.ObjectMeta`, `${META}.ListMeta`, `${META}.Status`, `${META}.DeleteOptions`, `${META}.Patch`];
const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

function documentPath({ group, version }: Resource): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/** Adds a built-in definition and everything it refers to. */
function addDefinition(name: string, schemas: Record<string, unknown>): void {
  const definition = builtInSchemas[name];
  if (!definition || name in schemas) return;
  schemas[name] = definition;
  for (const [, reference = ""] of JSON.stringify(definition).matchAll(REFERENCE)) addDefinition(reference, schemas);
}

const BUILT_IN_PACKAGES: Readonly<Record<string, string>> = {
  "": "io.k8s.api.core",
  "rbac.authorization.k8s.io": "io.k8s.api.rbac",
  "apiextensions.k8s.io": "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
};

function definitionName({ group, version, kind, builtIn }: Resource): string {
  if (!builtIn) return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
  return `${BUILT_IN_PACKAGES[group] ?? `io.k8s.api.${group.split(".")[0]}`}.${version}.${kind}`;
}

function describedBy(definition: string, field: string): string {
  return builtInSchemas[definition]?.properties?.[field]?.description ?? "";
}

const text = (field: "apiVersion" | "kind"): unknown => ({
  description: describedBy("io.k8s.api.core.v1.ConfigMap", field),
  type: "string",
});

function customDefinition({ group, version, kind }: Resource, schema: object = { type: "object" }): unknown {
  const { properties = {}, ...rest } = schema as { properties?: object };
  return {
    ...rest,
    properties: {
      apiVersion: text("apiVersion"),
      kind: text("kind"),
      metadata: {
        description: describedBy("io.k8s.api.core.v1.ConfigMap", "metadata"),
        allOf: [{ $ref: `#/components/schemas/${META}.ObjectMeta` }],
      },
      ...Object.fromEntries(Object.entries(properties).filter(([key]) => !OWN_FIELDS.has(key))),
    },
    "x-kubernetes-group-version-kind": [{ group, kind, version }],
  };
}

const OWN_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function listDefinition({ group, version, kind, listKind, plural }: Resource, item: string): unknown {
  return {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: text("apiVersion"),
      items: {
        description: `List of ${plural}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md`,
        type: "array",
        items: { $ref: `#/components/schemas/${item}` },
      },
      kind: text("kind"),
      metadata: { allOf: [{ $ref: `#/components/schemas/${META}.ListMeta` }] },
    },
    "x-kubernetes-group-version-kind": [{ group, kind: listKind, version }],
  };
}
