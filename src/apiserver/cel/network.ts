/** IP addresses, prefixes and URLs in rules. */
import { goQuote } from "../go-text.ts";
import { isRequestUri } from "../schema/formats.ts";
import { type IpBytes, parseIp, parsePrefix } from "../schema/ip-text.ts";
import { text } from "./string-functions.ts";
import { CelError, ListValue, MapValue, noSuchOverload, type Opaque, type Value } from "./values.ts";

const isMapped = (bytes: IpBytes): boolean =>
  bytes.length === 16 && bytes.slice(0, 10).every((b) => b === 0) && bytes[10] === 0xff && bytes[11] === 0xff;

/** The longest run of zero groups, which "::" stands for. */
function zeroRun(groups: readonly number[]): [number, number] {
  let best: [number, number] = [0, 0];
  for (let i = 0; i < 8; i++) {
    let j = i;
    while (j < 8 && groups[j] === 0) j++;
    if (j - i > best[1] - best[0]) best = [i, j];
    if (j > i) i = j;
  }
  return best[1] - best[0] >= 2 ? best : [0, 0];
}

function formatIp(bytes: IpBytes): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0));
  const hex = (part: readonly number[]): string => part.map((g) => g.toString(16)).join(":");
  const [from, to] = zeroRun(groups);
  return to === 0 ? hex(groups) : `${hex(groups.slice(0, from))}::${hex(groups.slice(to))}`;
}

export class Ip implements Opaque {
  readonly opaqueType = "net.IP";
  readonly bytes: IpBytes;

  constructor(bytes: IpBytes) {
    this.bytes = bytes;
  }

  get text(): string {
    return formatIp(this.bytes);
  }

  equals(other: Value): boolean {
    return other instanceof Ip && other.text === this.text;
  }
}

function masked(bytes: IpBytes, bits: number): IpBytes {
  return bytes.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - i * 8))) & 0xff);
}

export class Cidr implements Opaque {
  readonly opaqueType = "net.CIDR";
  readonly address: IpBytes;
  readonly bits: number;

  constructor(address: IpBytes, bits: number) {
    this.address = address;
    this.bits = bits;
  }

  get text(): string {
    return `${formatIp(this.address)}/${this.bits}`;
  }

  equals(other: Value): boolean {
    return other instanceof Cidr && other.text === this.text;
  }

  contains(bytes: IpBytes): boolean {
    if (bytes.length !== this.address.length) return false;
    const own = masked(this.address, this.bits);
    return masked(bytes, this.bits).every((byte, i) => byte === own[i]);
  }
}

function parseAddress(source: string): Ip {
  const bytes = parseIp(source);
  if (bytes === undefined)
    throw new CelError(
      `IP Address ${goQuote(source)} parse error during conversion from string: ParseAddr(${goQuote(source)}): unable to parse IP`,
    );
  if (isMapped(bytes)) throw new CelError(`IPv4-mapped IPv6 address ${goQuote(source)} is not allowed`);
  return new Ip(bytes);
}

function parseCidr(source: string): Cidr {
  const prefix = parsePrefix(source);
  if (prefix === undefined)
    throw new CelError(
      `network address parse error during conversion from string: netip.ParsePrefix(${goQuote(source)}): no '/'`,
    );
  if (isMapped(prefix.address)) throw new CelError(`IPv4-mapped IPv6 address ${goQuote(source)} is not allowed`);
  return new Cidr(prefix.address, prefix.bits);
}

function ip(value: Value | undefined): Ip {
  if (!(value instanceof Ip)) throw noSuchOverload();
  return value;
}

function cidr(value: Value | undefined): Cidr {
  if (!(value instanceof Cidr)) throw noSuchOverload();
  return value;
}

const accepts = (parse: (source: string) => unknown, source: string): boolean => {
  try {
    parse(source);
    return true;
  } catch {
    return false;
  }
};

const isV4 = (bytes: IpBytes): boolean => bytes.length === 4;
const first = (bytes: IpBytes, i = 0): number => bytes[i] ?? 0;
const isUnspecified = ({ bytes }: Ip): boolean => bytes.every((b) => b === 0);
const isLoopback = ({ bytes }: Ip): boolean => (isV4(bytes) ? first(bytes) === 127 : formatIp(bytes) === "::1");
const isMulticast = ({ bytes }: Ip): boolean => (isV4(bytes) ? first(bytes) >> 4 === 0xe : first(bytes) === 0xff);
const isLinkLocalMulticast = ({ bytes }: Ip): boolean =>
  isV4(bytes)
    ? first(bytes) === 224 && first(bytes, 1) === 0 && first(bytes, 2) === 0
    : first(bytes) === 0xff && (first(bytes, 1) & 0xf) === 2;
const isLinkLocalUnicast = ({ bytes }: Ip): boolean =>
  isV4(bytes)
    ? first(bytes) === 169 && first(bytes, 1) === 254
    : first(bytes) === 0xfe && (first(bytes, 1) & 0xc0) === 0x80;
const isBroadcast = ({ bytes }: Ip): boolean => isV4(bytes) && bytes.every((b) => b === 255);
const isGlobalUnicast = (address: Ip): boolean =>
  !isUnspecified(address) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address) &&
  !isBroadcast(address);

function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.contains(inner.address) && outer.bits <= inner.bits;
}

export class Url implements Opaque {
  readonly opaqueType = "kubernetes.URL";
  readonly source: string;
  readonly parts: { readonly scheme: string; readonly host: string; readonly path: string; readonly query: string };

  constructor(source: string) {
    this.source = source;
    const match = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s.exec(source);
    const [, scheme = "", authority = "", path = "", query = ""] = match ?? [];
    this.parts = { scheme: scheme.toLowerCase(), host: authority.slice(authority.lastIndexOf("@") + 1), path, query };
  }

  equals(other: Value): boolean {
    return other instanceof Url && other.source === this.source;
  }

  get port(): string {
    return /:(\d*)$/.exec(this.parts.host)?.[1] ?? "";
  }

  get hostname(): string {
    return this.parts.host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1");
  }
}

function parseUrl(source: string): Url {
  if (!isRequestUri(source))
    throw new CelError(
      `URL parse error during conversion from string: parse ${goQuote(source)}: invalid URI for request`,
    );
  return new Url(source);
}

function url(value: Value | undefined): Url {
  if (!(value instanceof Url)) throw noSuchOverload();
  return value;
}

function queryOf(parsed: Url): MapValue {
  const found = new MapValue();
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(parsed.parts.query))
    values.set(key, [...(values.get(key) ?? []), value]);
  for (const [key, list] of values) found.set(key, new ListValue(list));
  return found;
}

type Fn = (args: readonly Value[]) => Value;
const onIp =
  (fn: (value: Ip) => Value): Fn =>
  ([value]) =>
    fn(ip(value));
const onUrl =
  (fn: (value: Url) => Value): Fn =>
  ([value]) =>
    fn(url(value));

export const networkFunctions: Readonly<Record<string, Fn>> = {
  ip: ([value]) => (value instanceof Cidr ? new Ip(value.address) : parseAddress(text(value))),
  isIP: ([value]) => accepts(parseAddress, text(value)),
  "ip.isCanonical": ([value]) => parseAddress(text(value)).text === text(value),
  family: onIp(({ bytes }) => (isV4(bytes) ? 4n : 6n)),
  isUnspecified: onIp(isUnspecified),
  isLoopback: onIp(isLoopback),
  isLinkLocalMulticast: onIp(isLinkLocalMulticast),
  isLinkLocalUnicast: onIp(isLinkLocalUnicast),
  isGlobalUnicast: onIp(isGlobalUnicast),
  cidr: ([value]) => parseCidr(text(value)),
  isCIDR: ([value]) => accepts(parseCidr, text(value)),
  containsIP: ([net, other]) => cidr(net).contains((typeof other === "string" ? parseAddress(other) : ip(other)).bytes),
  containsCIDR: ([net, other]) => containsCidr(cidr(net), typeof other === "string" ? parseCidr(other) : cidr(other)),
  prefixLength: ([net]) => BigInt(cidr(net).bits),
  masked: ([net]) => new Cidr(masked(cidr(net).address, cidr(net).bits), cidr(net).bits),
  url: ([value]) => parseUrl(text(value)),
  isURL: ([value]) => accepts(parseUrl, text(value)),
  getScheme: onUrl((u) => u.parts.scheme),
  getHost: onUrl((u) => u.parts.host),
  getHostname: onUrl((u) => u.hostname),
  getPort: onUrl((u) => u.port),
  getEscapedPath: onUrl((u) => u.parts.path),
  getQuery: onUrl(queryOf),
};
