/** Maps the resource types of the source to ours, with the rules for their properties. */
import type { ImportFormatName } from "#importers/format-names.ts";
import type {
  BesideMapping,
  MappingTable,
  PartMapping,
  PropertyMapping,
  TypeMapping,
} from "#importers/mappings/type-mapping.ts";
import type { SourceResource } from "#importers/source-module.ts";
import type { Json } from "#platform/json.ts";
import { appliedType } from "./applied-types.ts";
import type { Naming } from "./name-of-property.ts";
import type { VendorTypes } from "./vendor-types.ts";

export interface MappedType {
  type: string;
  naming: Naming;
  /** Whether a name without a rule is kept where the properties of our type are unknown. */
  isMadeFromVendor: boolean;
  /** Arguments that our type cannot express. */
  unless: readonly string[];
  /** Values by which the source says that an argument is not set, by its path. */
  unset: Readonly<Record<string, number | string>>;
  /** The argument by which the source's own tool refuses to delete the object. */
  protectedBy?: string | undefined;
  under: string | undefined;
  rules: ReadonlyMap<string, PropertyMapping>;
  set: TypeMapping["set"];
  defaults: TypeMapping["defaults"];
  /** Null: our type has no such output. */
  outputs: ReadonlyMap<string, string | null>;
  /** Exported attributes with the same value for all objects. */
  constants: ReadonlyMap<string, Json>;
  id: NonNullable<TypeMapping["id"]>;
  beside: readonly BesideMapping[];
  /** The mapping of a part: its properties belong to another object, of `type`. */
  part?: PartMapping;
  /** The argument with the whole body: azapi's `body`, which may be a JSON text. */
  body?: string;
  /** Whether the source shows the members of `under` at the top of its attributes. */
  showsUnder?: boolean;
}

/** The mapped type of each resource. Resources without one are missing. */
export type MappedTypes = ReadonlyMap<SourceResource, MappedType>;

export type MappingTables = ReadonlyMap<string, MappingTable>;

/** The Terraform providers with mapping tables. */
export const providersWithTables = [
  "aws",
  "azurerm",
  "digitalocean",
  "google",
  "oci",
  "supabase",
  "vercel",
  "vultr",
] as const;

/** Undefined: our catalogue has no type for it. */
export function mappedTypeOf(
  { type, settings }: SourceResource,
  format: ImportFormatName,
  { tables, vendorTypes }: TypeSources,
): MappedType | undefined {
  switch (format) {
    case "cloudformation":
      return /^(?:AWS|Alexa)::(?!Serverless::)/.test(type) ? oneToOne(`aws:${type}`) : undefined;
    case "arm":
      // A type of another extension of ARM, such as Microsoft Graph.
      return type.includes(":") ? undefined : oneToOne(`azure:${type}`);
    case "pulumi":
      return pulumiType(type, vendorTypes);
    case "terraform":
      return terraformType(type, settings, { tables, vendorTypes });
    case "kubernetes": {
      const applied = appliedType(type);
      return applied === undefined ? undefined : oneToOne(applied);
    }
    case "terraform-state":
    case "terraform-plan":
    case "compose":
      return undefined;
  }
}

/** Whether an argument decides the mapping of a type. */
export function isByArgument(type: string, tables: MappingTables): boolean {
  const table = tables.get(type.split("_", 1)[0] ?? "");
  return type === "azapi_resource" || named(table?.variants, type) !== undefined;
}

export interface TypeSources {
  tables: MappingTables;
  vendorTypes: VendorTypes;
}

/** A type whose settings have the names of our properties. */
export function oneToOne(type: string, naming: Naming = "same"): MappedType {
  return {
    type,
    naming,
    isMadeFromVendor: true,
    unless: [],
    unset: {},
    under: undefined,
    rules: new Map(),
    set: undefined,
    defaults: undefined,
    outputs: new Map(),
    constants: new Map(),
    id: "whole",
    beside: [],
  };
}

function terraformType(
  type: string,
  settings: SourceResource["settings"],
  { tables, vendorTypes }: TypeSources,
): MappedType | undefined {
  const [provider = "", ...words] = type.split("_");
  const table = tables.get(provider);
  const found = table && inTable(type, settings, table);
  if (found !== undefined) return found;
  if (provider === "awscc") {
    const own = vendorTypes.find("aws", words.join(""));
    return own === undefined
      ? undefined
      : { ...oneToOne(own, "pascal"), rules: new Map([["id", null]]) };
  }
  if (type === "azapi_resource") return azapiType(settings);
  if (provider === "google") return googleType(words, table);
  return undefined;
}

function inTable(
  type: string,
  settings: SourceResource["settings"],
  { types, variants, parts, ...table }: MappingTable,
): MappedType | undefined {
  const own = named(types, type);
  if (own !== undefined) return byTable(own, table);
  const part = named(parts, type);
  if (part !== undefined) return partByTable(part, table);
  const variant = named(variants, type);
  const choice = settings.members.find(({ name }) => name === variant?.by)?.value;
  const chosen = choice?.kind === "literal" ? named(variant?.of, String(choice.value)) : undefined;
  return chosen && byTable(chosen, table);
}

function named<T>(of: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
}

type TableWords = Omit<MappingTable, "types" | "variants" | "parts">;

function partByTable(
  part: PartMapping,
  { naming, madeFromVendor, common }: TableWords,
): MappedType {
  return {
    ...oneToOne(part.type, naming),
    isMadeFromVendor: madeFromVendor === true,
    unless: part.unless ?? [],
    unset: {},
    rules: new Map([
      ...Object.entries(common ?? {}),
      ...Object.entries(part.properties ?? {}),
      [part.partOf, null],
    ]),
    part,
  };
}

function byTable(mapping: TypeMapping, table: TableWords): MappedType {
  const beside = mapping.beside ?? [];
  return {
    type: mapping.type,
    naming: table.naming,
    isMadeFromVendor: table.madeFromVendor === true,
    unless: mapping.unless ?? [],
    unset: mapping.unset ?? {},
    protectedBy: mapping.protectedBy,
    under: mapping.under,
    rules: new Map([
      ...Object.entries(table.common ?? {}),
      ...Object.entries(mapping.properties ?? {}),
      ...beside.map(({ each }) => [each, null] as const),
      ...(mapping.protectedBy === undefined ? [] : [[mapping.protectedBy, null] as const]),
    ]),
    set: mapping.set,
    defaults: mapping.defaults,
    outputs: new Map(Object.entries(mapping.outputs ?? {})),
    constants: new Map(Object.entries(mapping.constants ?? {})),
    id: mapping.id ?? "whole",
    beside,
  };
}

/**
 * The type of a Google resource: `google_compute_network` becomes `gcp:compute/Network`. The table has the exceptions.
 */
function googleType(
  [service, ...words]: readonly string[],
  table: MappingTable | undefined,
): MappedType | undefined {
  if (service === undefined || words.length === 0) return undefined;
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return {
    ...oneToOne(`gcp:${service}/${name}`, "camel"),
    isMadeFromVendor: table?.madeFromVendor === true,
    rules: new Map(Object.entries(table?.common ?? {})),
    outputs: new Map([["self_link", "selfLink"]]),
  };
}

function azapiType(settings: SourceResource["settings"]): MappedType | undefined {
  const named = settings.members.find(({ name }) => name === "type")?.value;
  if (named?.kind !== "literal" || typeof named.value !== "string") return undefined;
  const isChild = (named.value.split("@")[0] ?? "").split("/").length > 2;
  return {
    ...oneToOne(`azure:${named.value}`),
    body: "body",
    rules: new Map<string, PropertyMapping>([
      ["type", null],
      ["schema_validation_enabled", null],
      ["response_export_values", null],
      ["ignore_casing", null],
      ["ignore_missing_property", null],
      ["timeouts", null],
      ["identity", { to: "identity", members: { identity_ids: "userAssignedIdentities" } }],
      ["parent_id", isChild ? "parent" : { to: "resourceGroup", reads: "name" }],
    ]),
  };
}

/** Our templates use Pulumi's language too. A type without a native Pulumi provider stays. */
function pulumiType(type: string, vendorTypes: VendorTypes): MappedType | undefined {
  const [provider = "", module = "", name] = type.split(":");
  if (name === undefined || type.includes("::")) return oneToOne(type);
  // `network/v20240501` includes an API version. Our type has a version of its own.
  const key = module.replace(/\/v\d{8}\w*$/, "") + name;
  if (provider === "aws-native") {
    const found = vendorTypes.find("aws", key);
    return found === undefined ? undefined : oneToOne(found, "pascal");
  }
  const found = provider === "azure-native" ? vendorTypes.find("azure", key) : undefined;
  if (found === undefined) return undefined;
  return { ...oneToOne(found, "camel"), under: "properties", showsUnder: true };
}
