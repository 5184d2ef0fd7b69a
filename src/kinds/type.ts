/** Everything a kind's schema is written with, under one name: `import { Type } from "#kinds"`. */
export { exactlyOneOf, fieldImmutable, immutable, requiredOnceSet, rule, ruled } from "./rules.ts";
export {
  added,
  boolean,
  choice,
  deprecated,
  integer,
  list,
  listMap,
  map,
  object,
  optional,
  string,
  time,
  word,
} from "./schema.ts";
export {
  conditionMap,
  conditions,
  immutableObjectReference,
  labelSelector,
  localObjectReference,
  objectReference,
  quantity,
  secretReference,
} from "./shapes.ts";
