/** The YAML 1.1 scalars as kubectl and the API server read them: `yes` is true, `017` is 15, dates stay text. */
import type { ScalarTag } from "yaml";

const TRUE = /^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const FALSE = /^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const NULL = /^(?:~|null|Null|NULL)?$/;
const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7][0-7_]*|0|[1-9][0-9_]*)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?$/;
const NOT_A_NUMBER = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

function parseInteger(text: string): number {
  const negative = text.startsWith("-");
  const digits = text.replace(/^[-+]/, "").replaceAll("_", "");
  const octal = /^0[oO]?([0-7]+)$/.exec(digits);
  const magnitude = BigInt(octal === null ? digits.toLowerCase() : `0o${octal[1]}`);
  return Number(negative ? -magnitude : magnitude);
}

const scalar = (name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag => ({
  tag: `tag:yaml.org,2002:${name}`,
  default: true,
  test,
  resolve,
});

/** Tried in this order on every plain scalar; what matches none is a string. */
export const yamlScalars: ScalarTag[] = [
  scalar("null", NULL, () => null),
  scalar("bool", TRUE, () => true),
  scalar("bool", FALSE, () => false),
  scalar("int", INTEGER, parseInteger),
  scalar("float", FLOAT, (text) => Number(text.replaceAll("_", ""))),
  scalar("float", NOT_A_NUMBER, (text) =>
    /nan/i.test(text) ? Number.NaN : text.startsWith("-") ? -Infinity : Infinity,
  ),
];
