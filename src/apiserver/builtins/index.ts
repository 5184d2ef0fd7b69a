/** Every kind the server has without a CRD. */
import type { Resource } from "../rest/resource.ts";
import { coreKinds } from "./core-kinds.ts";
import { otherKinds } from "./other-kinds.ts";

export const builtInResources: readonly Resource[] = [...coreKinds, ...otherKinds];
