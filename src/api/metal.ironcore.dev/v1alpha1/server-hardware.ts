/** What is known about the parts of a Server, from its BMC and from the machine itself. */
import { Type } from "#kinds";

const text = (description: string) => Type.optional(Type.string(description));
const count = (description: string) => Type.optional(Type.integer(description));

export const processor = Type.object("One processor or accelerator.", {
  id: Type.string("Identifier on the BMC."),
  type: text("Redfish processor type, for example CPU or FPGA."),
  architecture: text("Architecture, for example x86."),
  instructionSet: text("Instruction set, for example x86-64."),
  manufacturer: text("Manufacturer of the processor."),
  model: text("Model of the processor."),
  maxSpeedMHz: count("Highest clock in MHz."),
  totalCores: count("Number of cores."),
  totalThreads: count("Number of threads."),
});

const state = Type.optional(Type.word("State as the BMC reports it.", ["Enabled", "Disabled", "Absent"]));

const volume = Type.object("A volume made of drives.", {
  name: text("Name of the volume."),
  capacity: Type.optional(Type.quantity("Size of the volume.")),
  state,
  raidType: text("RAID level of the volume."),
  volumeUsage: text("What the volume is used for."),
});

const drive = Type.object("A drive.", {
  name: text("Name of the drive."),
  mediaType: text("Media, for example SSD or HDD."),
  type: text("Form factor of the drive."),
  capacity: Type.optional(Type.quantity("Size of the drive.")),
  vendor: text("Manufacturer of the drive."),
  model: text("Model of the drive."),
  state,
});

export const storage = Type.object("A storage controller and what hangs on it.", {
  name: text("Name of the controller."),
  state,
  volumes: Type.optional(Type.list("Volumes behind the controller.", volume)),
  drives: Type.optional(Type.list("Drives behind the controller.", drive)),
});

const neighbor = Type.object("A switch port heard by LLDP.", {
  macAddress: text("Chassis identifier of the neighbour."),
  portID: text("Port identifier on the neighbour."),
  portDescription: text("Description of the port on the neighbour."),
  systemName: text("Name of the neighbour."),
  systemDescription: text("Description of the neighbour."),
});

export const networkInterface = Type.object("A network interface of the machine.", {
  name: Type.string("Name of the interface, as the machine's own system gives it."),
  macAddress: Type.string("MAC address of the interface."),
  ip: Type.optional(Type.deprecated(Type.string("A single address; never written."), "ips")),
  ips: Type.optional(Type.list("Addresses the interface had when it was looked at.", Type.string("An IP address."))),
  carrierStatus: text("Whether the link is up or down."),
  neighbors: Type.optional(Type.list("Switch ports on the other end of the cable.", neighbor)),
});

const healthValue = (description: string) => Type.word(description, ["OK", "Warning", "Critical", "Unknown"]);

export const health = Type.object("How well the hardware is, as it says itself.", {
  rollup: Type.optional(healthValue("Worst of all components.")),
  observedTime: Type.optional(Type.time("When health was last read.")),
  components: Type.optional(
    Type.listMap(
      "Health per component.",
      Type.object("Health of one component.", {
        name: Type.string("Name of the component, for example PSU1 or DIMM.A4."),
        kind: text("What it is: Processor, Memory, Drive, Fan, PowerSupply, Temperature, NetworkAdapter."),
        health: healthValue("Health of this component."),
        state: text("State as the BMC reports it, for example Enabled or StandbyOffline."),
        message: text("What the BMC says about it."),
        since: Type.optional(Type.time("Since when it has this health.")),
      }),
      ["name"],
    ),
  ),
});

export const inventory = Type.listMap(
  "Where the hardware facts come from and how old they are.",
  Type.object("One source of hardware facts.", {
    source: Type.word("Who reported.", ["Redfish", "Agent"]),
    observedTime: Type.optional(Type.time("When this source was last read in full.")),
    changedTime: Type.optional(Type.time("When what it reports last changed.")),
    digest: text("Digest of what it reported, to see a change without comparing everything."),
    counts: Type.optional(Type.map("How many parts of each sort it reported.", Type.integer("Number of parts."))),
    error: text("Why the last reading failed; absent after a good one."),
  }),
  ["source"],
);
