/** The group all kinds of this folder belong to. */

export const metal = { group: "metal.ironcore.dev", version: "v1alpha1" } as const;

/** The Warning header of a kind that is served but no longer developed. */
export function deprecationOf(kind: string): string {
  return `${metal.group}/${metal.version} ${kind} is deprecated`;
}
