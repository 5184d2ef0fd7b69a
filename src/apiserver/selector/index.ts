export {
  checkSupportedFields,
  type FieldRequirement,
  type FieldSelector,
  fieldsMatch,
  formatFieldSelector,
  parseFieldSelector,
  requiredFieldValue,
} from "./field-selector.ts";
export type { LabelOperator, LabelRequirement, Labels } from "./label-requirement.ts";
export {
  everything,
  formatLabelSelector,
  type LabelSelector,
  labelsMatch,
  parseLabelSelector,
} from "./label-selector.ts";
export { labelKeyProblems, labelValueProblems, subdomainProblems } from "./label-syntax.ts";
export { compileObjectSelector, type ObjectLabelSelector } from "./object-selector.ts";
export { SelectorError } from "./selector-error.ts";
