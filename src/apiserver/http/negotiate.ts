/** Reads `Accept`: which encoding the client wants, and whether it asks for objects, tables or metadata only. */
import { notAcceptable } from "./status-error.ts";

export type Form = "object" | "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";

export interface Accepted {
  readonly encoding: "json" | "yaml";
  readonly form: Form;
  /** Parameters of the chosen media type, for those who understand more (aggregated discovery). */
  readonly parameters: Readonly<Record<string, string>>;
}

const SUPPORTED = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const ENCODINGS: Readonly<Record<string, Accepted["encoding"]>> = {
  "application/json": "json",
  "application/*": "json",
  "*/*": "json",
  "application/yaml": "yaml",
};
const FORMS: ReadonlySet<string> = new Set(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);

/** The first acceptable clause whose form `allows`; without any, upstream's 406. */
export function negotiate(accept: string | undefined, allows: (clause: Accepted) => boolean = anyForm): Accepted {
  if (!accept) return { encoding: "json", form: "object", parameters: {} };
  for (const clause of accept.split(",")) {
    const accepted = readClause(clause);
    if (accepted && allows(accepted)) return accepted;
  }
  throw notAcceptable(SUPPORTED);
}

function anyForm({ parameters }: Accepted): boolean {
  return parameters.as === undefined || (FORMS.has(parameters.as) && parameters.g === "meta.k8s.io");
}

function readClause(clause: string): Accepted | undefined {
  const [type = "", ...rest] = clause.split(";").map((part) => part.trim());
  const encoding = ENCODINGS[type];
  if (!encoding) return undefined;
  const parameters: Record<string, string> = {};
  for (const pair of rest) {
    const at = pair.indexOf("=");
    if (at > 0) parameters[pair.slice(0, at)] = pair.slice(at + 1);
  }
  const form = parameters.as !== undefined && FORMS.has(parameters.as) ? (parameters.as as Form) : "object";
  return { encoding, form, parameters };
}
