/** What a machine was told to start from: the override, its mode and the persistent order. */

export interface BootOverride {
  readonly enabled: "Disabled" | "Once" | "Continuous";
  readonly target: string;
  readonly mode: "UEFI" | "Legacy";
  readonly httpUri: string | undefined;
}

export const noOverride: BootOverride = { enabled: "Disabled", target: "None", mode: "UEFI", httpUri: undefined };

export interface BootOption {
  readonly id: string;
  readonly name: string;
  readonly alias: "Hdd" | "Pxe" | "UefiHttp" | "Cd" | "UefiShell";
}

export const bootOptions: readonly BootOption[] = [
  { id: "Boot0001", name: "UEFI Hard Drive", alias: "Hdd" },
  { id: "Boot0002", name: "UEFI PXE IPv4 NIC 1", alias: "Pxe" },
  { id: "Boot0003", name: "UEFI HTTP IPv4 NIC 1", alias: "UefiHttp" },
  { id: "Boot0004", name: "UEFI Virtual CD", alias: "Cd" },
  { id: "Boot0005", name: "UEFI Shell", alias: "UefiShell" },
];

export const defaultOrder: readonly string[] = bootOptions.map(({ id }) => id);

/** The sources to try, first to last: what the override names, then the persistent order, as firmware goes on after a failure. */
export function sourcesToTry(override: BootOverride, order: readonly string[]): readonly string[] {
  const usual = order.flatMap((id) => bootOptions.find((option) => option.id === id)?.alias ?? []);
  if (override.enabled === "Disabled" || override.target === "None") return usual;
  const forced = override.target === "UefiHttp" && override.httpUri ? override.httpUri : override.target;
  return [forced, ...usual.filter((source) => source !== forced)];
}
