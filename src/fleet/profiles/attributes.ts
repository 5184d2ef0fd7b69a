/** BIOS attributes that every vendor has in some spelling. */
import type { BiosAttribute } from "./profile.ts";

export type Spelling = Readonly<
  Record<
    | "bootMode"
    | "hyperthreading"
    | "profile"
    | "turbo"
    | "usb"
    | "cores"
    | "phone"
    | "virtualization"
    | "secureBoot"
    | "httpBoot",
    string
  >
>;

/** Names as the vendor spells them; meaning, values and what they need are the same. */
export function usualAttributes(names: Spelling): readonly BiosAttribute[] {
  const onOff = { Enabled: "Enabled", Disabled: "Disabled" };
  return [
    { name: names.bootMode, type: "Enumeration", value: "Uefi", choices: { Uefi: "UEFI", Bios: "BIOS" }, reset: true },
    { name: names.hyperthreading, type: "Enumeration", value: "Enabled", choices: onOff, reset: true },
    {
      name: names.profile,
      type: "Enumeration",
      value: "MaxPerf",
      choices: { MaxPerf: "Maximum performance", Efficiency: "Power efficiency", Custom: "Custom" },
      reset: true,
    },
    {
      name: names.turbo,
      type: "Enumeration",
      value: "Enabled",
      choices: onOff,
      reset: true,
      lockedWhile: { attribute: names.profile, is: "MaxPerf" },
    },
    {
      name: names.usb,
      type: "Enumeration",
      value: "AllOn",
      choices: { AllOn: "All ports on", AllOff: "All ports off" },
      reset: true,
    },
    { name: names.cores, type: "Integer", value: 0, bounds: [0, 128], reset: true },
    { name: names.phone, type: "String", value: "", maxLength: 64, reset: false },
    { name: names.virtualization, type: "Enumeration", value: "Enabled", choices: onOff, reset: true },
    { name: names.secureBoot, type: "Enumeration", value: "Disabled", choices: onOff, reset: true },
    { name: names.httpBoot, type: "Enumeration", value: "Disabled", choices: onOff },
    { name: "SystemModelName", type: "String", value: "Simulated server", readOnly: true, reset: false },
    { name: "InternalDebugLevel", type: "Integer", value: 0, bounds: [0, 9], hidden: true, reset: true },
  ];
}
