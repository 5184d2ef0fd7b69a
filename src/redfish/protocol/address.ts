/** Where a BMC is, in one canonical spelling, so that two objects that name it share one lane. */

export interface BmcAddress {
  readonly scheme: "http" | "https";
  /** Lower case; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** `scheme://host:port`, with IPv6 in brackets. */
export function originOf({ scheme, host, port }: BmcAddress): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The canonical form of what people write; throws a sentence when it is not an address. */
export function bmcAddress(scheme: string, host: string, port?: number): BmcAddress {
  const lower = scheme.toLowerCase();
  if (lower !== "http" && lower !== "https") throw new TypeError(`BMC scheme "${scheme}" is neither http nor https`);
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  const number = port ?? (lower === "https" ? 443 : 80);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    throw new TypeError(`BMC port ${number} is not between 1 and 65535`);
  return { scheme: lower, host: canonicalHost(bare), port: number };
}

/** The URL parser folds the spellings of an IP address (`::0001`, `127.1`) and of a name into one. */
function canonicalHost(host: string): string {
  const zone = host.indexOf("%");
  const plain = zone < 0 ? host : host.slice(0, zone);
  try {
    const { hostname } = new URL(`http://${plain.includes(":") ? `[${plain}]` : plain}/`);
    return hostname.replace(/^\[(.*)\]$/, "$1") + (zone < 0 ? "" : host.slice(zone));
  } catch {
    throw new TypeError(`BMC host "${host}" is neither an IP address nor a host name`);
  }
}
