/** The shape of validation rules, before anyone reads the expression in them. */
import { type FieldError, invalid, notSupported, required } from "../field-error.ts";
import { findField } from "./field-path.ts";
import type { ValidationRule } from "./json-schema.ts";
import type { SchemaNode } from "./schema-node.ts";

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];
const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

function textErrors(rule: ValidationRule, at: string): FieldError[] {
  const [text, message] = [(rule.rule ?? "").trim(), (rule.message ?? "").trim()];
  if (text === "") return [required(`${at}.rule`, "rule is not specified")];
  if (rule.message && message === "") return [invalid(`${at}.message`, rule.message, "must be non-empty if specified")];
  if (hasLineBreak(message)) return [invalid(`${at}.message`, rule.message, "must not contain line breaks")];
  if (hasLineBreak(text) && message === "")
    return [required(`${at}.message`, "message must be specified if rule contains line breaks")];
  return [];
}

function fieldPathErrors(rule: ValidationRule, node: SchemaNode, at: string): FieldError[] {
  const path = rule.fieldPath ?? "";
  if (path === "") return [];
  const errors: FieldError[] = [];
  if (path.trim() === "") errors.push(invalid(`${at}.fieldPath`, path, "must be non-empty if specified"));
  if (hasLineBreak(path)) errors.push(invalid(`${at}.fieldPath`, path, "must not contain line breaks"));
  if (typeof findField(path, node) === "string") errors.push(invalid(`${at}.fieldPath`, path, "must be a valid path"));
  return errors;
}

/** Everything wrong with the rules of one schema apart from their expressions. */
export function ruleShapeErrors(node: SchemaNode, path: string): FieldError[] {
  return node.rules.flatMap((rule, i) => {
    const at = `${path}.x-kubernetes-validations[${i}]`;
    const errors = textErrors(rule, at);
    if (rule.messageExpression && rule.messageExpression.trim() === "")
      errors.push(required(`${at}.messageExpression`, "messageExpression must be non-empty if specified"));
    if (rule.reason !== undefined && rule.reason !== null && !reasons.includes(rule.reason))
      errors.push(notSupported(`${at}.reason`, rule.reason, reasons));
    return [...errors, ...fieldPathErrors(rule, node, at)];
  });
}
