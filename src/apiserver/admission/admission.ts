/** What may change or refuse a write after it was read and before it is stored. */
import type { KubeObject } from "#kinds";
import type { Call } from "../rest/call.ts";

export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

export interface Attributes {
  readonly call: Call;
  readonly operation: Operation;
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
  readonly dryRun: boolean;
}

export interface Admission {
  /** The object to go on with: the given one when nothing changed it. Throws a refusal. */
  mutate(attributes: Attributes & { readonly object: KubeObject }): Promise<KubeObject>;
  /** Throws a refusal. */
  validate(attributes: Attributes): Promise<void>;
}
