/** What one look at the world leads to: a value that says what to change, what to wait for, and why. */
import type { ConditionStatement, Kind, KubeObject } from "#kinds";
import type { DeleteOptions, Draft, ObjectName, Patch } from "../client/client.ts";

/** One change to a Kubernetes object. A write without a precondition must be harmless when repeated. */
export type Write<T extends KubeObject = KubeObject> =
  | { readonly verb: "create"; readonly kind: Kind<T>; readonly object: Draft<T> }
  /** Sends the difference, carrying `before`'s resourceVersion. */
  | {
      readonly verb: "change";
      readonly kind: Kind<T>;
      readonly before: T;
      readonly after: T;
      readonly subresource?: "status";
    }
  | {
      readonly verb: "apply";
      readonly kind: Kind<T>;
      readonly object: unknown;
      readonly force?: boolean;
      readonly subresource?: "status";
    }
  | {
      readonly verb: "patch";
      readonly kind: Kind<T>;
      readonly name: ObjectName;
      readonly patch: Patch;
      readonly subresource?: "status";
    }
  | {
      readonly verb: "delete";
      readonly kind: Kind<T>;
      readonly name: ObjectName;
      readonly preconditions?: DeleteOptions["preconditions"];
    };

/** What a pass waits for, as it appears in `status.waitingFor`. */
export interface Waiting {
  readonly what: string;
  readonly since: Date;
  readonly deadline?: Date;
  readonly message: string;
  readonly attempts?: number;
  readonly lastError?: string;
}

/** An event a person will see on the object. */
export interface Announcement {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** `A` is what a room's hardware understands; this room never looks inside. */
export interface Decision<A = never> {
  readonly writes: readonly Write[];
  readonly hardware: readonly A[];
  readonly conditions: readonly ConditionStatement[];
  readonly announcements?: readonly Announcement[];
  readonly waitingFor?: Waiting;
  /** Look again at this time even if nothing changed. */
  readonly wakeAt?: Date;
  /** One sentence a person can read. */
  readonly reason: string;
}
