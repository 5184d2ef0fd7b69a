/** A CRD as YAML that people can read and diff. */
import { stringify } from "yaml";
import type { CustomResourceDefinition } from "#kinds";

const header = "# Generated from src/api by `npm run generate`. Change the kind, not this file.\n";

export function crdYaml(crd: CustomResourceDefinition): string {
  // YAML 1.1 quotes what older readers take for a boolean (On, Off, yes); aliases would hide repeated shapes.
  const options = { version: "1.1", aliasDuplicateObjects: false, lineWidth: 120 } as const;
  return header + stringify(crd, options);
}
