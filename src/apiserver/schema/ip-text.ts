/** IP addresses and prefixes as text, by Go's rules. Pure; knows nothing of schemas or CEL. */

/** The 4 or 16 bytes of an address; `zone` is never accepted. */
export type IpBytes = readonly number[];

export interface IpRules {
  /** Accept octets with leading zeros, as Go did before 1.17. */
  readonly leadingZeros?: boolean;
}

function parseOctet(part: string, rules: IpRules): number | undefined {
  if (!/^\d{1,3}$/.test(part)) {
    if (!(rules.leadingZeros && /^0*\d{1,3}$/.test(part))) return undefined;
  }
  if (!rules.leadingZeros && part.length > 1 && part.startsWith("0")) return undefined;
  const value = Number(part);
  return value <= 255 ? value : undefined;
}

/** Dotted decimal, or undefined. */
export function parseIpv4(text: string, rules: IpRules = {}): IpBytes | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  const bytes: number[] = [];
  for (const part of parts) {
    const octet = parseOctet(part, rules);
    if (octet === undefined) return undefined;
    bytes.push(octet);
  }
  return bytes;
}

function parseGroups(text: string, rules: IpRules): number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const bytes: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes(".")) {
      const tail = parseIpv4(part, rules);
      if (tail === undefined) return undefined;
      bytes.push(...tail);
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined;
      const group = Number.parseInt(part, 16);
      bytes.push(group >> 8, group & 0xff);
    }
  }
  return bytes;
}

/** Colon hexadecimal with at most one "::", or undefined. */
export function parseIpv6(text: string, rules: IpRules = {}): IpBytes | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? "", rules);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  if ((halves[0] ?? "").includes(".")) return undefined;
  const tail = parseGroups(halves[1] ?? "", rules);
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

/** Either family. */
export function parseIp(text: string, rules: IpRules = {}): IpBytes | undefined {
  return text.includes(":") ? parseIpv6(text, rules) : parseIpv4(text, rules);
}

export interface Prefix {
  readonly address: IpBytes;
  readonly bits: number;
}

/** "address/bits", or undefined. */
export function parsePrefix(text: string, rules: IpRules = {}): Prefix | undefined {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash), rules);
  const length = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,3}$/.test(length)) return undefined;
  if (length.length > 1 && length.startsWith("0") && !rules.leadingZeros) return undefined;
  const bits = Number(length);
  return bits <= address.length * 8 ? { address, bits } : undefined;
}
