/** Everything that looks random in a tree is drawn from the seed and a place, so nothing has to be stored. */

/** A number in [0, 2^32) that depends on all parts and on nothing else. */
export function draw(...parts: readonly (number | string)[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    const text = typeof part === "number" ? `#${part}` : part;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 0x2f, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** One of `choices`, the same one every time. */
export function pick<Choices extends readonly [unknown, ...unknown[]]>(
  choices: Choices,
  ...parts: readonly (number | string)[]
): Choices[number] {
  return choices[draw(...parts) % choices.length] ?? choices[0];
}

/** A version-4-shaped UUID in lower case. */
export function drawUuid(...parts: readonly (number | string)[]): string {
  const words = [0, 1, 2, 3]
    .map((word) =>
      draw("uuid", word, ...parts)
        .toString(16)
        .padStart(8, "0"),
    )
    .join("");
  const variant = "89ab"[draw("variant", ...parts) % 4];
  return `${words.slice(0, 8)}-${words.slice(8, 12)}-4${words.slice(13, 16)}-${variant}${words.slice(17, 20)}-${words.slice(20)}`;
}

const serialLetters = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const LETTERS_PER_DRAW = 5;

/** A serial number of `length` letters and digits, without the look-alikes I and O. */
export function drawSerial(length: number, ...parts: readonly (number | string)[]): string {
  let serial = "";
  for (let left = 0, at = 0; at < length; at++) {
    if (at % LETTERS_PER_DRAW === 0) left = draw("serial", at, ...parts);
    serial += serialLetters[left % serialLetters.length];
    left = Math.floor(left / serialLetters.length);
  }
  return serial;
}

/** A MAC below `prefix` (three bytes, "aa:bb:cc") that no other `number` of the same prefix shares (up to 2^24). */
export function macOf(prefix: string, number: number): string {
  const low = (number & 0xffffff).toString(16).padStart(6, "0");
  return `${prefix}:${low.slice(0, 2)}:${low.slice(2, 4)}:${low.slice(4)}`;
}
