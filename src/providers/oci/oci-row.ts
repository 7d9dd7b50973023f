/**
 * Rows of Oracle's types, from their differences. An object's id is its OCID, which has the type and no compartment.
 * Lists are of one compartment. An update is a PUT that changes only the properties in it.
 */
import type { PropertyFacts } from "#providers/provider.ts";
import type { RestPart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";

export const DAY_MS = 24 * 60 * 60_000;

/** The key of the tag that finds the object of a lost create. */
const MARK_KEY = "control-step";

export interface OciRow extends Omit<
  Partial<RestType>,
  "takes" | "createOnly" | "create" | "state"
> {
  about: string;
  /** The collection: `/20160918/vcns`. */
  at: string;
  /** The names of its properties besides compartment and tags, with spaces between them. */
  takes: string;
  required?: readonly string[];
  /** The properties that an update takes, besides tags. All others without a part are sent by the create alone. */
  changes?: string;
  /** Members that only a create takes, of properties in `changes`, with spaces between them. */
  fixed?: Readonly<Record<string, string>>;
  /** Values of `lifecycleState`: usable, failed for good, deleted. */
  state?: { ready: readonly string[]; fail?: readonly string[]; gone?: readonly string[] };
  /** A create takes no token, and a deleted object is not shown any more. */
  plain?: true;
  /** The end of the path that changes the compartment, after the object's; absent: a change replaces the object. */
  moves?: string;
}

const facts: Readonly<Record<string, PropertyFacts>> = {
  compartmentId: {
    description: "The OCID of the compartment, if it is not the target's.",
    type: "string",
  },
  displayName: { description: "The name.", type: "string" },
  name: { description: "The name.", type: "string" },
  freeformTags: { description: "Tags, texts by keys of your own.", type: "object" },
  definedTags: { description: "Tags of your tenancy's namespaces.", type: "object" },
};

const always = ["compartmentId", "freeformTags", "definedTags"];
const changeable = ["freeformTags", "definedTags"];

function names(text: string): string[] {
  return text.split(" ").filter((name) => name !== "");
}

export function ociRow(host: string, given: OciRow): RestType {
  const {
    about,
    at,
    takes,
    required,
    changes = "",
    fixed = {},
    state,
    plain,
    moves,
    parts = [],
    fallback,
    ...more
  } = given;
  const all = [...always, ...names(takes)];
  const moving: RestPart[] =
    moves === undefined
      ? []
      : [{ properties: ["compartmentId"], method: "POST", path: `${at}/{id}${moves}` }];
  const inPlace = new Set([
    ...changeable,
    ...names(changes),
    ...[...moving, ...parts].flatMap(({ properties }) => properties),
    ...Object.keys(more.onlyAtCreate ?? {}),
  ]);
  return {
    description: about,
    takes: {
      properties: Object.fromEntries(
        all.map((name) => [name, facts[name] ?? { description: "As in Oracle's API." }]),
      ),
      ...(required && { required }),
    },
    host,
    path: at,
    update: "PUT",
    fallback: { freeformTags: {}, ...fallback },
    find: { by: "label", property: "freeformTags", key: MARK_KEY },
    defaults: { compartmentId: { config: "compartmentId" } },
    ...(plain === true
      ? {}
      : { state: { path: "lifecycleState", gone: ["TERMINATED", "DELETED"], ...state } }),
    create: {
      longestRequestMs: 120_000,
      ...(plain !== true && {
        token: { header: "opc-retry-token", lifeMs: DAY_MS, format: "uuid" },
      }),
    },
    ...more,
    timing: { pollMs: 3_000, ...more.timing },
    name: { ...(all.includes("displayName") && { property: "displayName" }), ...more.name },
    paths: { list: `${at}?compartmentId={compartmentId}&limit=100`, ...more.paths },
    ...(moving.length + parts.length === 0 ? {} : { parts: [...moving, ...parts] }),
    createOnly: [
      ...all.filter((name) => !inPlace.has(name)),
      ...Object.entries(fixed).flatMap(([name, members]) =>
        names(members).map((member) => `${name}.${member}`),
      ),
    ],
    refers: { compartmentId: "any", ...more.refers },
  };
}

/** Of what is deleted by a date, days later. */
export const SCHEDULED = ["SCHEDULING_DELETION", "PENDING_DELETION", "DELETED"] as const;

/** Of a service whose lists are `{items}`. */
export const ITEMS = { list: "items" } as const;
