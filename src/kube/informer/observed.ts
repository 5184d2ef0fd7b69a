/** A fact with its age. Absence is a fact only when a live read said so. */

export type Observed<T> =
  | {
      readonly known: true;
      readonly present: true;
      readonly value: T;
      readonly at: Date;
      readonly source: "cache" | "live";
    }
  /** Only ever from a live read. */
  | { readonly known: true; readonly present: false; readonly at: Date; readonly source: "live" }
  | { readonly known: false; readonly reason: string };
