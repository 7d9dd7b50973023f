import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { ProviderTypes, TypeFacts } from "#providers/provider.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { RestTypes } from "#providers/rest/rest-types.ts";
import { formatTypeName, isWellFormed, parseTypeName } from "#providers/type-name.ts";
import { accountRows } from "./account-rows.ts";
import { appRows } from "./app-rows.ts";
import {
  anyCase,
  armFacts,
  type ArmRow,
  type ArmRows,
  isChild,
  MARK_KEY,
  parentProperties,
  placeProperties,
  restRow,
} from "./arm-row.ts";
import { computeRows, REGISTRY_KEYS } from "./compute-rows.ts";
import { dataRows } from "./data-rows.ts";
import { networkRows } from "./network-rows.ts";
import { secretsByName } from "./secrets-by-name.ts";

interface Tables {
  rows: ArmRows;
  /** The spelling of the types with rows, by their names in lower case. */
  spellings: ReadonlyMap<string, string>;
}

let made: Tables | undefined;

function tables(): Tables {
  if (made !== undefined) return made;
  const rows: ArmRows = {
    ...accountRows(),
    ...networkRows(),
    ...computeRows(),
    ...dataRows(),
    ...appRows(),
  };
  const spellings = new Map(Object.keys(rows).map((name) => [name.toLowerCase(), name]));
  made = { rows, spellings };
  return made;
}

/** The spelling of a type with a row; undefined: none has it. */
export function spelledType(type: string): string | undefined {
  return tables().spellings.get(type.toLowerCase());
}

/** Any type of ARM. Only the cloud knows its body, so it has a mark only where the properties show that it takes tags. */
const anyRow: ArmRow = {
  version: "",
  about: "",
  location: "none",
  mark: "none",
  extension: true,
  state: {
    path: "properties.provisioningState",
    ready: ["Succeeded", "Ready", "Running", "Active", "Provisioned", "Enabled", "Online"],
    fail: ["Failed", "Canceled", "Cancelled"],
    absent: true,
  },
};

interface Known {
  name: string;
  row: ArmRow;
  version: string;
  /** It has no row of its own. */
  isOpen: boolean;
}

/**
 * The row of a type, at the version that it names. A type without a row needs its version. A spelling of a type that
 * differs from its row's in the letter case is none: it would be the same objects without what is known of them.
 */
function knownOf(type: string): Known | undefined {
  const parsed = parseTypeName(type);
  if (parsed?.provider !== "azure" || !isWellFormed(parsed)) return undefined;
  const { name, version } = parsed;
  const { rows } = tables();
  if (Object.hasOwn(rows, name)) {
    const row = rows[name];
    return row && { name, row, version: version ?? row.version, isOpen: false };
  }
  if (version === undefined || spelledType(name) !== undefined) return undefined;
  return { name, row: anyRow, version, isOpen: true };
}

const restRows = new Map<string, RestType>();
const MAX_KEPT = 500;

function kept<T>(map: Map<string, T>, type: string, make: (known: Known) => T): T | undefined {
  const before = map.get(type);
  if (before !== undefined) return before;
  const known = knownOf(type);
  if (known === undefined) return undefined;
  const made = make(known);
  if (map.size >= MAX_KEPT) map.clear();
  map.set(type, made);
  return made;
}

const verifiedFacts = new Map<string, TypeFacts>();

export const azureTypes: ProviderTypes = {
  name: "azure",
  openTypes: true,
  types: () =>
    Object.keys(tables().rows).map((name) => formatTypeName({ provider: "azure", name })),
  facts: (type) =>
    knownOf(type)?.isOpen === false
      ? kept(verifiedFacts, type, ({ name, row, version }) => armFacts(name, row, version))
      : undefined,
};

/** The types as calls are made: also those without a row of their own, which the catalogue may describe. */
export const callableTypes: RestTypes = {
  ...azureTypes,
  rowOf: (type) =>
    kept(restRows, type, ({ row, version, isOpen }) => {
      const made = restRow(row, version);
      // Types without a row show ids in forms of their own.
      return isOpen ? made : { ...made, id: { ...made.id, at: "id" } };
    }),
  facts: (type) => {
    const known = knownOf(type);
    return known?.isOpen === true ? openFacts(known.name) : azureTypes.facts(type);
  },
};

/** Whether the type has no row of its own. */
export function isOpenType(type: string): boolean {
  return knownOf(type)?.isOpen === true;
}

function openFacts(name: string): TypeFacts {
  return {
    immutable: [...placeProperties, "location"],
    caseInsensitive: [...anyCase],
    writeOnly: [],
    readOnly: ["id", "type", "etag", "systemData", "properties.provisioningState"],
    required: isChild(name) ? ["parent"] : [],
    deleteBeforeReplace: true,
    shown: [...placeProperties, "location", "tags"],
    location: parentProperties,
    secretOutputs: secretsByName,
    regionProperty: "location",
    moreRegions: [
      "properties.locations[*].locationName",
      "properties.additionalLocations[*].location",
      "properties.replication.location",
      "properties.publishingProfile.targetRegions[*].name",
    ],
    farCopies: {
      "properties.requestedBackupStorageRedundancy": ["geo", "geozone"],
      "properties.backup.geoRedundantBackup": ["enabled"],
      "properties.backupPolicy.periodicModeProperties.backupStorageRedundancy": ["geo"],
    },
    // A tracked resource is refused without one; any other is where its parent is, or in none.
    regionElsewhere: true,
  };
}

/**
 * The row of an object with these properties. One that is tracked takes tags, and so a mark. A registry has keys only
 * while its admin user is on.
 */
export function rowInUse(row: RestType, properties: JsonMap): RestType {
  const { properties: body } = properties;
  const isTracked = Object.hasOwn(properties, "location") || Object.hasOwn(properties, "tags");
  if (row.find?.by === "place" && isTracked)
    return { ...row, find: { by: "label", property: "tags", key: MARK_KEY } };
  const hasKeys = isJsonMap(body) && body["adminUserEnabled"] === true;
  const isRegistry = row.read?.further?.some(({ to }) => to === REGISTRY_KEYS) === true;
  return isRegistry && !hasKeys ? { ...row, read: { further: [] } } : row;
}
