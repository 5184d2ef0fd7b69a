export type {
  BootStateReport,
  LldpFact,
  MachineFacts,
  NetworkInterfaceFact,
  Registration,
  StorageFact,
} from "./registration.ts";
export type { DiskEvidence, WipeReport } from "./wipe-report.ts";
