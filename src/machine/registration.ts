/** What a discovered machine tells the registry about itself. Wire types only; no I/O. */

export interface NetworkInterfaceFact {
  readonly name: string;
  readonly ipAddresses: readonly string[];
  readonly macAddress: string;
  readonly carrierStatus: "up" | "down";
}

export interface LldpFact {
  readonly name: string;
  readonly neighbors: readonly {
    readonly chassisId?: string;
    readonly portId?: string;
    readonly portDescription?: string;
    readonly systemName?: string;
    readonly systemDescription?: string;
    readonly mgmtIp?: string;
    readonly capabilities?: readonly string[];
    readonly vlanId?: string;
  }[];
}

export interface StorageFact {
  readonly path: string;
  readonly name: string;
  readonly rotational: boolean;
  readonly removable: boolean;
  readonly readOnly: boolean;
  readonly vendor: string;
  readonly model: string;
  readonly serial: string;
  readonly wwid: string;
  readonly physicalBlockSize: number;
  readonly logicalBlockSize: number;
  readonly hWSectorSize: number;
  readonly sizeBytes: number;
  readonly numaNodeID: number;
}

/** The `data` of a registration: arrays are left out when empty. */
export interface MachineFacts {
  readonly timestamp?: string;
  readonly systemInfo: {
    readonly biosInformation: { readonly vendor: string; readonly version: string; readonly date: string };
    readonly systemInformation: {
      readonly manufacturer: string;
      readonly productName: string;
      readonly version: string;
      readonly serialNumber: string;
      readonly uuid: string;
      readonly skuNumber: string;
      readonly family: string;
    };
    readonly boardInformation: {
      readonly manufacturer: string;
      readonly product: string;
      readonly version: string;
      readonly serialNumber: string;
      readonly assetTag: string;
    };
  };
  readonly cpu?: readonly {
    readonly id: number;
    readonly totalCores: number;
    readonly totalHardwareThreads: number;
    readonly vendor: string;
    readonly model: string;
    readonly capabilities: readonly string[];
  }[];
  readonly networkInterfaces?: readonly NetworkInterfaceFact[];
  readonly lldp?: readonly LldpFact[];
  readonly storage?: readonly StorageFact[];
  readonly memory?: readonly {
    readonly size: number;
    readonly deviceSet: string;
    readonly deviceLocator: string;
    readonly bankLocator: string;
    readonly memoryType: string;
    readonly speed: string;
    readonly vendor: string;
    readonly serialNumber: string;
    readonly assetTag: string;
    readonly partNumber: string;
    readonly configuredMemorySpeed: string;
    readonly minimumVoltage: string;
    readonly maximumVoltage: string;
    readonly configuredVoltage: string;
  }[];
  readonly nics?: readonly {
    readonly name: string;
    readonly mac: string;
    readonly pciAddress: string;
    readonly speed: string;
    readonly linkModes: readonly string[];
    readonly supportedPorts: readonly string[];
    readonly firmwareVersion: string;
  }[];
}

/** Body of POST /register. */
export interface Registration {
  readonly systemUUID: string;
  readonly data: MachineFacts;
}

/** Body of POST /bootstate. */
export interface BootStateReport {
  readonly systemUUID: string;
  readonly booted: boolean;
}
