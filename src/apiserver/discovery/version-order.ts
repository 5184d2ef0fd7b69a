/** Orders API versions as Kubernetes prefers them: GA before beta before alpha, newer first, anything else last. */

const SHAPE = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

function rank(version: string): readonly number[] {
  const match = SHAPE.exec(version);
  if (!match) return [-1, 0, 0];
  return [match[2] === undefined ? 2 : (STAGES[match[2]] ?? 0), Number(match[1]), Number(match[3] ?? 0)];
}

/** Negative when `a` is preferred over `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [rank(a), rank(b)];
  for (let i = 0; i < left.length; i++) {
    const difference = (right[i] ?? 0) - (left[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
