import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { formatFieldError } from "../field-error.ts";
import { definition } from "../testing/corpus.ts";
import type { CustomResourceDefinition } from "./crd.ts";
import { checkCustomResourceDefinition, definitionDecodeError } from "./crd-check.ts";

const folder = new URL("../../../deploy/crds/", import.meta.url);
const shipped = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

describe("the definitions that are shipped", () => {
  it.each(shipped)("%s is accepted", (name) => {
    const crd = parse(readFileSync(new URL(name, folder), "utf8")) as CustomResourceDefinition;
    expect(definitionDecodeError(crd)).toBeUndefined();
    expect(checkCustomResourceDefinition(crd).map(formatFieldError)).toEqual([]);
  });

  it("are all there", () => {
    expect(shipped.length).toBeGreaterThanOrEqual(19);
  });
});

describe("an update of a definition", () => {
  const old: CustomResourceDefinition = {
    ...definition("Probe", { type: "object" }),
    status: { storedVersions: ["v1"], conditions: [{ type: "Established", status: "True" }] },
  };

  const changed = (spec: Partial<NonNullable<CustomResourceDefinition["spec"]>>): string[] =>
    checkCustomResourceDefinition({ ...old, spec: { ...old.spec, ...spec } }, old).map(formatFieldError);

  it("may not change what objects are stored under", () => {
    expect(changed({})).toEqual([]);
    expect(changed({ scope: "Namespaced" })).toEqual(['spec.scope: Invalid value: "Namespaced": field is immutable']);
    expect(changed({ group: "other.dev" })).toEqual(['spec.group: Invalid value: "other.dev": field is immutable']);
  });

  it("may not drop a version that objects are stored in", () => {
    const [version] = old.spec?.versions ?? [];
    expect(changed({ versions: version === undefined ? [] : [{ ...version, name: "v2" }] })).toEqual([
      'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });
});
