export { applyJsonPatch } from "./json-patch.ts";
export { decodeJsonPatch, type JsonPatchOperation } from "./json-patch-operations.ts";
export { applyMergePatch } from "./merge-patch.ts";
export { PatchError } from "./patch-error.ts";
export { applyStrategicMergePatch, unsupportedStrategicMerge } from "./strategic-merge-patch.ts";
