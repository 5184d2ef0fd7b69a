/** Warns about finalizers that another writer could claim by accident. */
import type { KubeObject } from "#kinds";

const STANDARD: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

export function finalizerWarnings({ metadata }: KubeObject, old: KubeObject | undefined): string[] {
  const known = new Set(old?.metadata.finalizers);
  return (metadata.finalizers ?? [])
    .filter((f) => !known.has(f) && !f.includes("/") && !STANDARD.has(f))
    .map((f) => `metadata.finalizers: ${JSON.stringify(f)}: ${f.includes(".") ? PATH : DOMAIN}`);
}

const DOMAIN = "prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers";
const PATH =
  "prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers";
