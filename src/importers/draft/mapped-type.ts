/** Which of our types a resource of the source becomes, and by which rules. */
import type { ImportFormatName } from "#importers/format-names.ts";
import type {
  MappingTable,
  PropertyMapping,
  TypeMapping,
} from "#importers/mappings/type-mapping.ts";
import type { SourceResource } from "#importers/source-module.ts";
import type { Naming } from "./name-of-property.ts";
import type { VendorTypes } from "./vendor-types.ts";

export interface MappedType {
  type: string;
  naming: Naming;
  /** A name without a rule is taken where nothing is known of what our type has. */
  isMadeFromVendor: boolean;
  /** Arguments with which it cannot be said. */
  unless: readonly string[];
  under: string | undefined;
  rules: ReadonlyMap<string, PropertyMapping>;
  set: TypeMapping["set"];
  defaults: TypeMapping["defaults"];
  /** Null: ours does not show the attribute. */
  outputs: ReadonlyMap<string, string | null>;
  id: NonNullable<TypeMapping["id"]>;
  /** Arguments that hold the whole body: azapi's `body`, which may be a text of JSON. */
  body?: string;
}

/** What each resource becomes; those that we have no type for are not in it. */
export type MappedTypes = ReadonlyMap<SourceResource, MappedType>;

export type MappingTables = ReadonlyMap<string, MappingTable>;

/** The Terraform providers whose tables a draft may need. */
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

/** Undefined: we have no type for it. */
export function mappedTypeOf(
  { type, settings }: SourceResource,
  format: ImportFormatName,
  { tables, vendorTypes }: TypeSources,
): MappedType | undefined {
  switch (format) {
    case "cloudformation":
      return /^(?:AWS|Alexa)::(?!Serverless::)/.test(type) ? oneToOne(`aws:${type}`) : undefined;
    case "arm":
      return oneToOne(`azure:${type}`);
    case "pulumi":
      return pulumiType(type, vendorTypes);
    case "terraform":
      return terraformType(type, settings, { tables, vendorTypes });
    case "terraform-state":
    case "terraform-plan":
    case "kubernetes":
    case "compose":
      return undefined;
  }
}

export interface TypeSources {
  tables: MappingTables;
  vendorTypes: VendorTypes;
}

function oneToOne(type: string, naming: Naming = "same"): MappedType {
  return {
    type,
    naming,
    isMadeFromVendor: true,
    unless: [],
    under: undefined,
    rules: new Map(),
    set: undefined,
    defaults: undefined,
    outputs: new Map(),
    id: "whole",
  };
}

function terraformType(
  type: string,
  settings: SourceResource["settings"],
  { tables, vendorTypes }: TypeSources,
): MappedType | undefined {
  const [provider = "", ...words] = type.split("_");
  const table = tables.get(provider);
  if (table !== undefined && Object.hasOwn(table.types, type)) {
    const mapping = table.types[type];
    if (mapping !== undefined) return byTable(mapping, table);
  }
  if (provider === "awscc") {
    const found = vendorTypes.find("aws", words.join(""));
    return found === undefined
      ? undefined
      : { ...oneToOne(found, "pascal"), rules: new Map([["id", null]]) };
  }
  if (type === "azapi_resource") return azapiType(settings);
  if (provider === "google") return googleType(words, table);
  return undefined;
}

function byTable(mapping: TypeMapping, table: MappingTable): MappedType {
  return {
    type: mapping.type,
    naming: table.naming,
    isMadeFromVendor: table.madeFromVendor === true,
    unless: mapping.unless ?? [],
    under: mapping.under,
    rules: new Map([
      ...Object.entries(table.common ?? {}),
      ...Object.entries(mapping.properties ?? {}),
    ]),
    set: mapping.set,
    defaults: mapping.defaults,
    outputs: new Map(Object.entries(mapping.outputs ?? {})),
    id: mapping.id ?? "whole",
  };
}

/** Of `google_compute_network`: `gcp:compute/Network`. A table has the exceptions. */
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
      ["parent_id", isChild ? "parent" : { to: "resourceGroup", reads: "name" }],
    ]),
  };
}

/** A template of ours is in Pulumi's language, too: what is no native provider of Pulumi stays as it is. */
function pulumiType(type: string, vendorTypes: VendorTypes): MappedType | undefined {
  const [provider = "", module = "", name] = type.split(":");
  if (name === undefined || type.includes("::")) return oneToOne(type);
  const found =
    provider === "aws-native"
      ? vendorTypes.find("aws", module + name)
      : provider === "azure-native"
        ? vendorTypes.find("azure", module + name)
        : undefined;
  return found === undefined ? undefined : oneToOne(found, "pascal");
}
