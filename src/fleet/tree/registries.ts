/** Registries: the messages we send and the attributes that may be set. */

import { baseMessages } from "../http/messages.ts";
import { collection, head, type Place, type Resource, uri } from "../http/place.ts";
import type { JsonObject } from "../json.ts";
import { type BiosAttribute, type Profile, versionOf } from "../profiles/profile.ts";

interface Registry {
  readonly id: string;
  readonly body: (at: Place) => JsonObject;
}

export const registryResources: readonly Resource[] = [
  collection(
    "/Registries",
    { type: "MessageRegistryFileCollection", name: "Registry File Collection" },
    ({ profile }) => registriesOf(profile).map(({ id }) => id),
  ),
  { path: "/Registries/{registry}", read: fileBody },
  { path: "/Registries/{registry}/{file}", read: contentBody },
];

function registriesOf(profile: Profile): readonly Registry[] {
  const { bios, managerAttributes, messages } = profile;
  const base = `${messages.registry}.${messages.version}`;
  return [
    { id: base, body: (at) => messageRegistry(at, base) },
    ...(bios
      ? [
          {
            id: bios.registry,
            body: (at: Place) => attributeRegistry(at, bios.registry, bios.attributes, bios.statesReset),
          },
        ]
      : []),
    ...(managerAttributes
      ? [
          {
            id: "ManagerAttributeRegistry.v1_0_0",
            body: (at: Place) => attributeRegistry(at, "ManagerAttributeRegistry.v1_0_0", managerAttributes, true),
          },
        ]
      : []),
  ];
}

function registryAt(at: Place): Registry | undefined {
  return registriesOf(at.profile).find(({ id }) => id === at.params.registry);
}

function fileBody(at: Place): JsonObject | undefined {
  const registry = registryAt(at);
  if (!registry) return undefined;
  return {
    ...head(at, "MessageRegistryFile", registry.id, `${registry.id} Registry File`),
    Registry: registry.id,
    Languages: ["en"],
    Location: [{ Language: "en", Uri: uri(at, "Registries", registry.id, `${registry.id}.json`) }],
  };
}

function contentBody(at: Place): JsonObject | undefined {
  const registry = registryAt(at);
  return registry && at.params.file === `${registry.id}.json` ? registry.body(at) : undefined;
}

function messageRegistry(at: Place, id: string): JsonObject {
  const { registry, version } = at.profile.messages;
  const messages = Object.entries(baseMessages).map(([key, { text, severity, resolution }]) => {
    const count = Math.max(0, ...[...text.matchAll(/%(\d)/g)].map(([, n]) => Number(n)));
    const types = Array.from({ length: count }, () => "string");
    return [
      key,
      {
        Description: text,
        Message: text,
        MessageSeverity: severity,
        NumberOfArgs: count,
        ParamTypes: types,
        Resolution: resolution,
      },
    ];
  });
  return {
    "@odata.type": `#MessageRegistry.${versionOf(at.profile, "MessageRegistry")}.MessageRegistry`,
    Id: id,
    Name: `${registry} Message Registry`,
    Language: "en",
    RegistryPrefix: registry,
    RegistryVersion: version.split(".").length === 3 ? version : `${version}.0`,
    OwningEntity: at.profile.vendor,
    Messages: Object.fromEntries(messages),
  };
}

function attributeRegistry(
  at: Place,
  id: string,
  attributes: readonly BiosAttribute[],
  statesReset: boolean,
): JsonObject {
  return {
    "@odata.type": `#AttributeRegistry.${versionOf(at.profile, "AttributeRegistry")}.AttributeRegistry`,
    Id: id,
    Name: "Attribute Registry",
    Language: "en",
    OwningEntity: at.profile.vendor,
    RegistryVersion: "1.0.0",
    RegistryEntries: {
      Attributes: attributes.map((attribute) => registryEntry(at.profile, attribute, statesReset)),
      Dependencies: attributes.flatMap(dependency),
    },
  };
}

function registryEntry(profile: Profile, attribute: BiosAttribute, statesReset: boolean): JsonObject {
  const readOnlyKey = profile.managerAttributes?.includes(attribute) ? "Readonly" : "ReadOnly";
  const [low, high] = attribute.bounds ?? [];
  return {
    AttributeName: attribute.name,
    Type: attribute.type,
    DisplayName: attribute.name,
    DefaultValue: attribute.value,
    [readOnlyKey]: attribute.readOnly === true,
    Hidden: attribute.hidden === true,
    Immutable: false,
    ResetRequired: statesReset ? attribute.reset : undefined,
    LowerBound: low,
    UpperBound: high,
    MaxLength: attribute.maxLength,
    Value:
      attribute.choices &&
      Object.entries(attribute.choices).map(([ValueName, ValueDisplayName]) => ({ ValueName, ValueDisplayName })),
  };
}

function dependency({ name, lockedWhile }: BiosAttribute): JsonObject[] {
  if (!lockedWhile) return [];
  const condition = {
    MapFromAttribute: lockedWhile.attribute,
    MapFromCondition: "EQU",
    MapFromProperty: "CurrentValue",
    MapFromValue: lockedWhile.is,
  };
  return [
    {
      DependencyFor: name,
      Type: "Map",
      Dependency: { MapFrom: [condition], MapToAttribute: name, MapToProperty: "ReadOnly", MapToValue: true },
    },
  ];
}
