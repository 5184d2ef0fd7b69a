/** `intstr.IntOrString`: a count, or a percentage of a total. */

export type IntOrString = number | string;

/** The count meant: a number as it is, `"25%"` of the total rounded as asked. Undefined when the text is neither. */
export function resolveIntOrPercent(
  value: IntOrString,
  total: number,
  round: "up" | "down" = "down",
): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  const percent = /^(\d{1,9})%$/.exec(value)?.[1];
  if (percent === undefined) return undefined;
  const share = (Number(percent) * total) / 100;
  return round === "up" ? Math.ceil(share) : Math.floor(share);
}
