/** The common parts of rows. */
import type { RestType } from "#providers/rest/rest-type.ts";

export interface AwsType extends RestType {
  /**
   * The only identifier that an object can have, with placeholders for texts of its properties, those without a letter
   * case in lower case.
   */
  identifier?: string;
  /** What is never returned is not known in full: a patch adds whatever the object does not show. */
  hidesUnknown?: true;
}

const HOUR_MS = 60 * 60_000;
/** The key of the tag that finds the object of a lost create. */
const MARK = "control:create";

export type AwsRows = Readonly<Record<string, AwsType>>;

function controlledRow(): AwsType {
  return {
    path: "/",
    update: "DIALECT",
    create: { token: { dialect: true, lifeMs: 36 * HOUR_MS }, listLagMs: 60_000 },
  };
}

/** Types of Cloud Control. */
export function controlled(rows: Readonly<Record<string, Partial<AwsType>>>): AwsRows {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, { ...controlledRow(), ...row }]),
  );
}

/** Tags in a list of keys and values. `identifier`: the only one that the object can have. */
export function marked(property = "Tags", identifier?: string) {
  return {
    find: { by: "label", property, key: MARK, as: "entry" },
    ...(identifier === undefined ? {} : { identifier }),
  } as const satisfies Partial<AwsType>;
}

/** Tags of a group, each of which says whether the group's instances have it too. */
export function markedGroup(identifier: string) {
  const { find, ...rest } = marked("Tags", identifier);
  return {
    find: { ...find, beside: { PropagateAtLaunch: false } },
    ...rest,
  } as const satisfies Partial<AwsType>;
}

/** Tags as a map. */
export function markedByMap(property = "Tags", identifier?: string) {
  return {
    find: { by: "label", property, key: MARK },
    ...(identifier === undefined ? {} : { identifier }),
  } as const satisfies Partial<AwsType>;
}

/** AWS shows no tags of these objects, and others in the account can choose their names. */
export function namedAlone(identifier?: string) {
  return {
    find: { by: "name", whole: true },
    ...(identifier === undefined ? {} : { identifier }),
  } as const satisfies Partial<AwsType>;
}

/** A type without a row: the catalogue describes it, and AWS decides. */
export function described(): AwsType {
  return { ...controlledRow(), hidesUnknown: true };
}
