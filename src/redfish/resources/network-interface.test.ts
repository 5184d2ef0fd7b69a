import { describe, expect, it } from "vitest";
import { resource } from "../testing/tree-bmc.ts";
import { macOf, networkInterfaceOf } from "./network-interface.ts";

describe("MAC addresses", () => {
  it.each([
    ["AA:BB:CC:DD:EE:FF", "aa:bb:cc:dd:ee:ff"],
    ["aabb.ccdd.eeff", "aa:bb:cc:dd:ee:ff"],
    ["AA-BB-CC-DD-EE-FF", "aa:bb:cc:dd:ee:ff"],
    ["N/A", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%s is %s", (text, mac) => expect(macOf(text)).toBe(mac));

  it("addresses that mean nothing are not reported", () => {
    const body = {
      IPv4Addresses: [{ Address: "0.0.0.0" }, { Address: "10.0.0.7" }, {}, 5],
      IPv6Addresses: [{ Address: "::" }],
    };
    expect(networkInterfaceOf(resource("/n", body)).addresses).toEqual(["10.0.0.7"]);
  });
});
