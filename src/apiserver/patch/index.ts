export { applyJsonPatch } from "./json-patch.ts";
export { decodeJsonPatch } from "./json-patch-operations.ts";
export { applyMergePatch, decodeMergePatch } from "./merge-patch.ts";
export { PatchError } from "./patch-error.ts";
export { applyStrategicMergePatch, unsupportedStrategicMerge } from "./strategic-merge-patch.ts";
