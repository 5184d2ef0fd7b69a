/** The wire facts of metal-operator v0.7.0 and boot-operator that clients depend on, written out once more on purpose. */
import { describe, expect, expectTypeOf, it } from "vitest";
import { apiVersionOf, crdOf, type DefinedKind, fieldsOf, type Intent, type SchemaNode } from "#kinds";
import {
  allKinds,
  type BIOSSettingsSet,
  BMC,
  BMCSecret,
  BMCSettings,
  BMCVersion,
  Endpoint,
  Server,
  ServerClaim,
  type ServerClaim as ServerClaimObject,
  ServerMaintenance,
  type Server as ServerObject,
} from "./index.ts";

const metal = "metal.ironcore.dev/v1alpha1";
const boot = "boot.ironcore.dev/v1alpha1";

describe("names", () => {
  it.each<[string, string, string, string, string]>([
    ["Endpoint", metal, "endpoints", "Cluster", "mep"],
    ["BMC", metal, "bmcs", "Cluster", ""],
    ["BMCSecret", metal, "bmcsecrets", "Cluster", "bmcsec"],
    ["BMCUser", metal, "bmcusers", "Cluster", "bmcu"],
    ["Server", metal, "servers", "Cluster", "srv"],
    ["ServerClaim", metal, "serverclaims", "Namespaced", "scl"],
    ["ServerBootConfiguration", metal, "serverbootconfigurations", "Namespaced", "sbc"],
    ["ServerReadinessRule", metal, "serverreadinessrules", "Cluster", ""],
    ["ServerMaintenance", metal, "servermaintenances", "Namespaced", "sm"],
    ["BIOSSettings", metal, "biossettings", "Cluster", "bioss"],
    ["BIOSSettingsSet", metal, "biossettingssets", "Cluster", "biosss"],
    ["BIOSVersion", metal, "biosversions", "Cluster", "biosv"],
    ["BIOSVersionSet", metal, "biosversionsets", "Cluster", "biosvs"],
    ["BMCSettings", metal, "bmcsettings", "Cluster", ""],
    ["BMCSettingsSet", metal, "bmcsettingssets", "Cluster", ""],
    ["BMCVersion", metal, "bmcversions", "Cluster", "bmcv"],
    ["BMCVersionSet", metal, "bmcversionsets", "Cluster", "bmcvs"],
    ["IPXEBootConfig", boot, "ipxebootconfigs", "Namespaced", ""],
    ["HTTPBootConfig", boot, "httpbootconfigs", "Namespaced", ""],
  ])("of %s", (name, ...[apiVersion, plural, scope, shortName]) => {
    const kind = find(name);
    expect([apiVersionOf(kind), kind.plural, kind.scope]).toEqual([apiVersion, plural, scope]);
    expect(kind.definition.shortNames ?? []).toEqual(shortName ? [shortName] : []);
    expect(crdOf(kind).spec.names).toMatchObject({ singular: name.toLowerCase(), listKind: `${name}List` });
  });

  it("are nineteen, each once", () => {
    expect(new Set(allKinds.map(({ kind }) => kind)).size).toBe(19);
    expect(allKinds.length).toBe(19);
  });
});

describe("columns", () => {
  it.each<[string, string]>([
    ["Endpoint", "MACAddress IP Age"],
    ["BMC", "MACAddress IP Model SKU/100 SerialNumber/100 FirmwareVersion/100 State PowerState Age"],
    ["BMCSecret", "Age"],
    ["BMCUser", "ID UserName RoleID LastRotation PasswordExpiration Age"],
    [
      "Server",
      "SystemUUID Manufacturer Model Memory SKU/100 SerialNumber/100 PowerState IndicatorLED/100 State Unclaimable/100 Age",
    ],
    ["ServerClaim", "Server Ignition Image Phase Age"],
    ["ServerBootConfiguration", "ServerRef Image IgnitionRef State Age"],
    ["ServerReadinessRule", ""],
    ["ServerMaintenance", "Server Policy BootConfiguration Reason State Priority Age Type/1"],
    ["BIOSSettings", "BIOSVersion ServerRef ServerMaintenanceRef State AppliedOn Age"],
    ["BIOSSettingsSet", "BIOSVersion TotalServers AvailableBIOSSettings Pending InProgress Completed Failed Age"],
    [
      "BIOSVersion",
      "BIOSVersion UpdatePolicy ServerRef ServerMaintenanceRef TaskState TaskStatus TaskProgress State Age",
    ],
    ["BIOSVersionSet", "BIOSVersion selectedServers AvailableBIOSVersion Pending InProgress Completed Failed Age"],
    ["BMCSettings", "BMCVersion State BMCRef"],
    ["BMCSettingsSet", "BMCVersion TotalBMCs AvailableBMCSettings Pending InProgress Completed Failed Age"],
    ["BMCVersion", "BMCVersion UpdatePolicy BMCRef TaskProgress TaskState TaskStatus State Age"],
    ["BMCVersionSet", "BMCVersion selectedBMCs AvailableBMCVersion Pending InProgress Completed Failed Age"],
    ["IPXEBootConfig", "State Age"],
    ["HTTPBootConfig", "State Age"],
  ])("of %s", (name, columns) => {
    const shown = (find(name).definition.columns ?? []).map((c) => (c.priority ? `${c.name}/${c.priority}` : c.name));
    expect(shown.join(" ")).toBe(columns);
  });

  it.each(allKinds)("of $kind show fields that exist", (kind) => {
    const known = new Set(fieldsOf(kind).map(({ path }) => `.${path}`));
    const paths = (kind.definition.columns ?? [])
      .map(({ path }) => path)
      .filter((path) => !path.startsWith(".metadata"));
    expect(paths.filter((path) => !known.has(path))).toEqual([]);
  });
});

describe("selectable fields", () => {
  it.each(allKinds)("of $kind exist", (kind) => {
    const known = new Set(fieldsOf(kind).map(({ path }) => `.${path}`));
    expect((kind.definition.selectableFields ?? []).filter((path) => !known.has(path))).toEqual([]);
  });
});

describe("deprecation", () => {
  it("warns for Endpoint in its own words, for ten more in the usual ones, for the rest not at all", () => {
    const warnings = Object.fromEntries(allKinds.map(({ kind, definition }) => [kind, definition.deprecationWarning]));
    const usual = ["BMCUser", "ServerMaintenance", "BIOSSettings", "BIOSSettingsSet", "BIOSVersion", "BIOSVersionSet"];
    const sets = ["BMCSettings", "BMCSettingsSet", "BMCVersion", "BMCVersionSet"];
    for (const kind of [...usual, ...sets]) expect(warnings[kind]).toBe(`${metal} ${kind} is deprecated`);
    expect(warnings.Endpoint).toContain("specify the network access inline via BMC.spec.access");
    expect(Object.values(warnings).filter(Boolean).length).toBe(11);
  });
});

describe("fields", () => {
  it.each(allKinds)("of $kind each have a sentence", (kind) => {
    const silent = fieldsOf(kind).filter(({ schema }) => !/^[A-Z0-9].*\.$/.test(schema.description ?? ""));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it.each(allKinds)("that we add to $kind are optional", (kind) => {
    const marked = fieldsOf(kind).filter(({ schema }) => schema["~added"]);
    expect(marked.filter(({ required }) => required)).toEqual([]);
  });

  it("are enforced as choices exactly where v0.7.0 does, and in what we add", () => {
    const enforced = allKinds.flatMap((kind) =>
      fieldsOf(kind)
        .filter(({ schema, added, path }) => schema.enum && !added && !/conditions\[\]\.status$/.test(path))
        .map(({ path }) => `${kind.kind}.${path}`),
    );
    expect(enforced).toEqual([
      "BMC.spec.consoleProtocol.name",
      "Server.spec.reclaimPolicy",
      "Server.spec.taints[].effect",
      "ServerClaim.spec.tolerations[].operator",
      "ServerClaim.spec.tolerations[].effect",
      "ServerReadinessRule.spec.conditions[].requiredStatus",
      "ServerReadinessRule.spec.enforcementMode",
      "ServerReadinessRule.spec.taint.effect",
    ]);
  });

  it("are required exactly where v0.7.0 does", () => {
    const required = (kind: DefinedKind) =>
      fieldsOf(kind)
        .filter((field) => field.required && /^spec\.[^.[]+$/.test(field.path))
        .map(({ path }) => path.slice(5));
    expect(Object.fromEntries(allKinds.map((kind) => [kind.kind, required(kind).sort().join(" ")]))).toEqual({
      Endpoint: "",
      BMC: "bmcSecretRef protocol",
      BMCSecret: "",
      BMCUser: "roleID userName",
      Server: "systemUUID",
      ServerClaim: "image power",
      ServerBootConfiguration: "serverRef",
      ServerReadinessRule: "conditions enforcementMode serverSelector taint",
      ServerMaintenance: "serverRef",
      BIOSSettings: "version",
      BIOSSettingsSet: "serverSelector",
      BIOSVersion: "image version",
      BIOSVersionSet: "serverSelector",
      BMCSettings: "BMCRef version",
      BMCSettingsSet: "bmcSelector bmcSettingsTemplate",
      BMCVersion: "image version",
      BMCVersionSet: "bmcSelector",
      IPXEBootConfig: "initrdURL kernelURL",
      HTTPBootConfig: "",
    });
  });

  it("have the defaults of v0.7.0", () => {
    const defaults = allKinds.flatMap((kind) =>
      fieldsOf(kind)
        .filter(({ schema }) => schema.default !== undefined && schema.default !== "")
        .map(({ path, schema }) => `${kind.kind}.${path}=${schema.default}`),
    );
    expect(defaults).toEqual([
      "BMC.status.state=Pending",
      "Server.spec.reclaimPolicy=Recycle",
      "Server.spec.taints[].effect=NoBind",
      "Server.spec.unclaimable=false",
      "ServerMaintenance.spec.priority=0",
      "ServerReadinessRule.spec.taint.effect=NoBind",
    ]);
  });

  it("spell the keys as the wire does", () => {
    expect(schemaAt(BMCSettings, "spec.BMCRef.name")).toBeDefined();
    expect(schemaAt(BMCSettings, "spec.serverMaintenanceRefs[].serverMaintenanceRef.name")).toBeDefined();
    expect(schemaAt(BMCVersion, "spec.bmcRef.name")).toBeDefined();
    expect(schemaAt(BMCVersion, "spec.serverMaintenanceRefs[].name")).toBeDefined();
    expect(schemaAt(BMCVersion, "spec.image.URI")).toBeDefined();
    expect(schemaAt(BMCVersion, "status.upgradeTask.percentageComplete")).toBeDefined();
  });

  it("merge by key only where v0.7.0 does, and in what we add", () => {
    const merged = allKinds.flatMap((kind) =>
      fieldsOf(kind)
        .filter(({ schema, added }) => schema["x-kubernetes-list-type"] === "map" && !added)
        .map(({ path }) => `${kind.kind}.${path}`),
    );
    expect(merged).toEqual(["ServerReadinessRule.spec.conditions", "ServerReadinessRule.status.conditions"]);
  });
});

describe("rules", () => {
  it.each<[DefinedKind, string, readonly string[]]>([
    [BMC, "spec", ["exactly one of access or endpointRef needs to be set"]],
    [ServerClaim, "spec", ["serverRef is required once set", "serverSelector is required once set"]],
  ])("of $kind", (kind, path, messages) => {
    const rules = schemaAt(kind, path)?.["x-kubernetes-validations"] ?? [];
    expect(rules.map(({ message }) => message)).toEqual(messages);
  });
});

describe("types", () => {
  it("follow from the schemas", () => {
    expectTypeOf<ServerObject["spec"]["systemUUID"]>().toEqualTypeOf<string>();
    expectTypeOf<ServerObject["spec"]["serverClaimRef"]>().toEqualTypeOf<
      { namespace: string; name: string; uid?: string } | undefined
    >();
    expectTypeOf<NonNullable<ServerObject["status"]>["intent"]>().toEqualTypeOf<Intent | undefined>();
    expectTypeOf<ServerClaimObject["spec"]["serverRef"]>().toEqualTypeOf<{ name: string } | undefined>();
    expectTypeOf<NonNullable<BIOSSettingsSet["status"]>["failedBIOSSettings"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<"Cleanup">().toExtend<NonNullable<ServerObject["status"]>["state"]>();
  });

  it("have no spec where the kind has none", () => {
    expectTypeOf<NonNullable<(typeof BMCSecret)["objectType"]>>().not.toHaveProperty("spec");
    expect(Object.keys(BMCSecret.definition)).not.toContain("spec");
    expect([Endpoint, Server, ServerMaintenance].every(({ definition }) => definition.spec !== undefined)).toBe(true);
  });
});

function find(name: string): DefinedKind {
  const kind = allKinds.find((candidate) => candidate.kind === name);
  if (!kind) throw new Error(`${name} is none of ours`);
  return kind;
}

function schemaAt(kind: DefinedKind, path: string): SchemaNode | undefined {
  return fieldsOf(kind).find((field) => field.path === path)?.schema;
}
