/** Azure's types as rows. All of ARM works alike, so a row has the differences. */
import type { JsonMap } from "#platform/json.ts";
import type { NameRule, PropertyFacts, TypeFacts } from "#providers/provider.ts";
import { filledBody } from "#providers/rest/changes/parts.ts";
import type { RequestSpec } from "#providers/rest/definition.ts";
import { factsOf } from "#providers/rest/rest-facts.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

/** The tag that carries the mark of a create. */
export const MARK_KEY = "control-created-by";

/** The differences of a type. Each member has a default that fits most types. */
export interface ArmRow extends Pick<
  RestType,
  | "readOnly"
  | "writeOnly"
  | "secretOutputs"
  | "singleton"
  | "delete"
  | "timing"
  | "deleteFirst"
  | "onlyAtCreate"
  | "region"
  | "facts"
> {
  guard?: NonNullable<RestType["create"]>["guard"];
  /** The version of the API. */
  version: string;
  about: string;
  /** The members of the body besides `properties`, `location` and `tags`, separated by spaces. */
  top?: string;
  /** Its body has no `location`, or one that is no region (`global`). */
  location?: "none" | "global";
  /** Its mark stands in this map of texts; `none`: it has no such map. Default: `tags`. */
  mark?: string;
  /** The time of its creation, where it has no mark. Default: `systemData.createdAt`. */
  createdAt?: string;
  required?: readonly string[];
  /** Besides the object's place. */
  immutable?: readonly string[];
  nameRule?: NameRule;
  /** A state other than `properties.provisioningState`; `none`: it has no state. */
  state?: RestType["state"] | "none";
  /** POSTs below the object whose answers become outputs: [path, where in the answer, output]. */
  lists?: readonly (readonly [path: string, from: string | undefined, to: string])[];
  /** It stands on any object: `scope`. */
  extension?: true;
  undelete?: ArmType["undelete"];
}

export interface ArmType extends RestType {
  /**
   * A deleted object keeps its name for a time: the PUT that brings it back. `"{size}"` in its body is a property, as in
   * parts.
   */
  undelete?: { path: string; body: JsonMap };
}

/** The request that brings back a deleted object. */
export function undelete({ undelete: put }: ArmType, properties: JsonMap): RequestSpec | undefined {
  if (put === undefined) return undefined;
  return { method: "PUT", path: put.path, body: filledBody(put.body, {}, properties) ?? {} };
}

/** By the names of the types. */
export type ArmRows = Readonly<Record<string, ArmRow>>;

/** Set by Azure on everything. */
const alwaysReadOnly = ["id", "type", "etag", "systemData", "properties.provisioningState"];

/** Places whose delete takes this object along. A group with objects in it is not deleted. */
export const parentProperties = ["parent", "scope"] as const;

/** The properties that say where an object stands; they are in no body. */
export const placeProperties = ["name", "resourceGroup", "parent", "scope"] as const;

/** Azure decides whether two spellings in letter case are one name. */
export const anyCase = ["id", "resourceGroup", ...parentProperties] as const;

const placeFacts: Readonly<Record<string, string>> = {
  name: "The name, the last part of the id.",
  resourceGroup: "The name of its resource group. Default: the target's.",
  parent: "The id of the object that it is part of.",
  scope: "The id of what it applies to. Default: the resource group.",
};

/** Whether objects of the type stand in others: `Microsoft.Sql/servers/databases`. */
export function isChild(name: string): boolean {
  return name.split("/").length > 2;
}

function placesOf(name: string, { extension }: ArmRow): string[] {
  if (name === "Microsoft.Resources/resourceGroups") return ["name"];
  if (isChild(name)) return ["name", "parent"];
  return extension ? ["name", "resourceGroup", "scope"] : ["name", "resourceGroup"];
}

const passed = [
  "writeOnly",
  "secretOutputs",
  "singleton",
  "delete",
  "deleteFirst",
  "onlyAtCreate",
  "region",
  "facts",
] as const satisfies readonly (keyof ArmRow)[];

function passedOn(row: ArmRow): Pick<RestType, (typeof passed)[number]> {
  return Object.fromEntries(
    passed.flatMap((key) => (row[key] === undefined ? [] : [[key, row[key]]])),
  );
}

/** The row that the shared implementation works with. `{+place}` is made of the place properties. */
export function restRow(row: ArmRow, version: string): ArmType {
  const at = `?api-version=${version}`;
  const { mark = "tags", state, lists } = row;
  return {
    ...passedOn(row),
    ...(row.undelete && { undelete: row.undelete }),
    path: `/{+place}${at}`,
    paths: { item: `/{+id}${at}` },
    id: { known: "/{+place}" },
    update: "PUT",
    create: {
      longestRequestMs: 120_000,
      ...(row.singleton === undefined && { method: "PUT", guard: row.guard ?? "read" }),
    },
    ...(row.singleton === undefined && {
      find:
        mark === "none"
          ? { by: "place", createdAt: row.createdAt ?? "systemData.createdAt" }
          : { by: "label", property: mark, key: MARK_KEY },
    }),
    ...(lists && {
      read: {
        further: lists.map(([path, from, to]) => ({
          method: "POST",
          path: `/{+id}/${path}${at}`,
          to,
          ...(from === undefined ? {} : { from }),
        })),
      },
    }),
    ...(state === "none"
      ? {}
      : {
          state: state ?? {
            path: "properties.provisioningState",
            ready: ["Succeeded"],
            fail: ["Failed", "Canceled"],
            absent: true,
          },
        }),
    readOnly: [...alwaysReadOnly, ...(row.readOnly ?? [])],
    immutable: row.immutable ?? [],
    compare: { caseInsensitive: anyCase },
    // The engine chooses another name for each object, so a replacement is created before the old object goes.
    name: { unique: "name", ...(row.nameRule && { rule: row.nameRule }) },
    timing: {
      pollMs: 5_000,
      createMinutes: 60,
      updateMinutes: 60,
      deleteMinutes: 60,
      ...row.timing,
    },
  };
}

/** The facts of a type with a row, for the planner and the checks. */
export function armFacts(name: string, row: ArmRow, version: string): TypeFacts {
  const { top = "", location, mark = "tags" } = row;
  const places = placesOf(name, row);
  const hasLocation = location !== "none";
  const members = [
    ...places,
    ...(hasLocation ? ["location"] : []),
    ...(mark === "tags" ? ["tags"] : []),
    "properties",
    ...top.split(" ").filter((member) => member !== ""),
  ];
  const isRegion = location === undefined;
  const facts = factsOf(restRow(row, version));
  return {
    ...facts,
    description: row.about,
    version,
    properties: Object.fromEntries(members.map((member) => [member, propertyFacts(member)])),
    immutable: [...places, ...(hasLocation ? ["location"] : []), ...(row.immutable ?? [])],
    required: [
      ...(isChild(name) ? ["parent"] : []),
      ...(location === "global" ? ["location"] : []),
      ...(row.required ?? []),
    ],
    location: parentProperties.filter((place) => places.includes(place)),
    shown: [...placeProperties, "location", "tags"],
    ...(isRegion && {
      regionProperty: "location",
      defaults: { location: { region: true } as const },
    }),
  };
}

function propertyFacts(member: string): PropertyFacts {
  const place = placeFacts[member];
  if (place !== undefined) return { description: place, type: "string" };
  switch (member) {
    case "location":
      return { description: "The region, as in `westeurope`.", type: "string" };
    case "kind":
    case "managedBy":
      return { description: "As Azure's API takes it.", type: "string" };
    case "zones":
      return { description: "Availability zones.", type: "array" };
    default:
      return { description: "As Azure's API takes it.", type: "object" };
  }
}
