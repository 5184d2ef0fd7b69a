/** Ethernet interfaces of a system or a manager. */
import { readNumber, readRecords, readString, reported } from "../protocol/read.ts";
import type { Resource } from "../protocol/service.ts";
import { type Status, statusOf } from "./status.ts";

export interface NetworkInterface {
  readonly path: string;
  readonly id?: string;
  readonly name?: string;
  /** Lower case with colons. */
  readonly mac?: string;
  readonly permanentMac?: string;
  readonly speedMbps?: number;
  readonly linkStatus?: string;
  readonly hostName?: string;
  readonly fqdn?: string;
  readonly uefiDevicePath?: string;
  readonly addresses: readonly string[];
  readonly status: Status;
}

export function networkInterfaceOf({ path, body }: Resource): NetworkInterface {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      name: readString(body, "Name"),
      mac: macOf(readString(body, "MACAddress")),
      permanentMac: macOf(readString(body, "PermanentMACAddress")),
      speedMbps: readNumber(body, "SpeedMbps"),
      linkStatus: readString(body, "LinkStatus"),
      hostName: readString(body, "HostName"),
      fqdn: readString(body, "FQDN"),
      uefiDevicePath: readString(body, "UefiDevicePath"),
    }),
    addresses: [...addressesOf(body, "IPv4Addresses"), ...addressesOf(body, "IPv6Addresses")],
    status: statusOf(body),
  };
}

/** `AABBCCDDEEFF`, `aa-bb-…` and `AA:BB:…` are one spelling; anything else is not reported. */
export function macOf(text: string | undefined): string | undefined {
  const digits = text?.replace(/[:.-]/g, "").toLowerCase() ?? "";
  return /^[0-9a-f]{12}$/.test(digits) ? (digits.match(/../g) ?? []).join(":") : undefined;
}

function addressesOf(body: unknown, name: string): readonly string[] {
  return readRecords(body, name)
    .map((entry) => readString(entry, "Address"))
    .filter((address) => address !== undefined && address !== "0.0.0.0" && address !== "::")
    .filter((address) => address !== undefined);
}
