/**
 * Rows of Google's types, from their differences: the place of an object and its changes. Every object's id is its
 * relative resource name (`projects/p/zones/z/disks/d`), known before the call; `name` in a template is its last segment.
 */
import type { ObjectShape, PropertyFacts } from "#providers/provider.ts";
import type { RestPart, WholePart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

/** The key of the label that finds the object of a lost create. */
export const MARK_KEY = "control-step";

/** A row with the members that Google's changes need. */
export interface GcpType extends RestType {
  /** The key of a create's body that wraps the properties. */
  bodyKey?: string;
  /** Members of a create's body beside `bodyKey`, by the property that each has: `{ accountId: "name" }`. */
  besideBody?: Readonly<Record<string, string>>;
  /** The place of a merge patch's mask: the query, or the body beside the properties, which then have a key. */
  mask?: "query" | { beside: string };
  /** Fields that an update sends back as the cloud last showed them (`fingerprint`). */
  carried?: readonly string[];
  /** The same in query parameters, by their names: a condition such as `ifMetagenerationMatch`. */
  carriedQuery?: Readonly<Record<string, string>>;
  /** The path of a delete has this field of the object, as the cloud last showed it, in braces. */
  deletedBy?: string;
}

export interface GcpRow extends Omit<Partial<GcpType>, "takes" | "find"> {
  about: string;
  /** The collection: `projects/{project}/zones/{zone}/disks`, or `{+instance}/databases` in another object. */
  at: string;
  /** Of the object in the collection; default `{name}`. */
  segment?: string;
  /** The names of its properties, with spaces between them; those that the place has are added. */
  takes: string;
  required?: readonly string[];
  shape?: ObjectShape;
  /** The property with labels that take the mark. */
  marks?: string;
  find?: RestType["find"];
}

/** The names of a place's properties. */
const placeFacts: Readonly<Record<string, string>> = {
  name: "The name.",
  project: "The id of the project, if it is not the target's.",
  region: "The region, as in `europe-west1`.",
  zone: "The zone, as in `europe-west1-b`.",
  location: "The region, as in `europe-west1`, or what else the service has as a location.",
};

function factsOf(name: string): PropertyFacts {
  const place = placeFacts[name];
  return place === undefined
    ? { description: "As in Google's API." }
    : { description: place, type: "string" };
}

/** Google's parser also takes `service_account` for `serviceAccount`. */
const freeKeys = [
  "annotations",
  "attributes",
  "cleanupPolicies",
  "environmentVariables",
  "labels",
  "matchLabels",
  "metadata",
  "nodeSelector",
  "resourceLabels",
  "resourceManagerTags",
  "sysctls",
  "userLabels",
  "versionAliases",
];

const regions = {
  region: { region: { property: "region" }, defaults: { region: { region: true } } },
  location: { region: { property: "location" }, defaults: { location: { region: true } } },
  zone: {
    region: { property: "zone" },
    facts: { regionShape: "zone" },
    defaults: { zone: { config: "zone" } },
  },
} as const satisfies Readonly<Record<string, Partial<RestType>>>;

/** `base`: the beginning of paths before an id, such as `/compute/v1/`. */
export function gcpRow(host: string, base: string, given: GcpRow): GcpType {
  const { about, at, segment = "{name}", takes, required, shape, marks, find, ...more } = given;
  const placed = [...at.matchAll(/\{\+?(\w+)\}/g)].map((match) => match[1] ?? "");
  const placing = placed.find((name) => Object.hasOwn(regions, name));
  const place: Partial<RestType> =
    placing === undefined ? {} : regions[placing as keyof typeof regions];
  const names = [...new Set([...placed, ...takes.split(" ")])];
  const isNamed = names.includes("name") && segment === "{name}";
  const mark =
    marks === undefined
      ? undefined
      : ({ by: "label", property: marks, key: MARK_KEY, as: "uuid" } as const);
  const found = find ?? mark;
  return {
    description: about,
    takes: {
      properties: Object.fromEntries(names.map((name) => [name, factsOf(name)])),
      ...(required && { required }),
      ...(shape && { shape }),
    },
    host,
    path: `${base}${at}`,
    id: { known: `${at}/${segment}` },
    ...(isNamed ? {} : { deleteFirst: true }),
    ...(found === undefined ? {} : { find: found }),
    ...place,
    update: "none",
    ...more,
    facts: { freeKeys, ...place.facts, ...more.facts },
    timing: { pollMs: 3_000, ...more.timing },
    create: { longestRequestMs: 120_000, ...more.create },
    name: { ...(isNamed && { property: "name", unique: true }), ...more.name },
    paths: { item: `${base}{+id}`, ...more.paths },
    ...(more.region === undefined ? {} : { region: { ...place.region, ...more.region } }),
    immutable: [...(names.includes("name") ? ["name"] : []), ...(more.immutable ?? [])],
    refers: { ...(placed.includes("project") ? { project: "any" } : {}), ...more.refers },
  };
}

/** A part that sends one property to a method of its own. */
export function methodPart(
  base: string,
  method: string,
  property: string,
  more: Partial<WholePart> = {},
): RestPart {
  const at = method.startsWith(":") ? method : `/${method}`;
  return { properties: [property], method: "POST", path: `${base}{+id}${at}`, ...more };
}
