export {
  checkSupportedFields,
  type FieldSelector,
  fieldsMatch,
  parseFieldSelector,
} from "./field-selector.ts";

export {
  everything,
  type LabelSelector,
  labelsMatch,
  parseLabelSelector,
} from "./label-selector.ts";
export { labelKeyProblems, labelValueProblems, subdomainProblems } from "./label-syntax.ts";
export { compileObjectSelector, type ObjectLabelSelector } from "./object-selector.ts";
export { SelectorError } from "./selector-error.ts";
