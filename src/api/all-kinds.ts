/** Every kind we define. A new kind is registered by one line in its group's index.ts and nowhere else. */
import type { DefinedKind } from "#kinds";
import * as boot from "./boot.ironcore.dev/v1alpha1/index.ts";
import * as metal from "./metal.ironcore.dev/v1alpha1/index.ts";

export const allKinds: readonly DefinedKind[] = [...Object.values(metal), ...Object.values(boot)];
