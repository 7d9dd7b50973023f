/** The facts of a type for the planner, the checks and the steps, from its row. */
import type { RepeatFacts, TypeFacts } from "#providers/provider.ts";
import { placeholdersIn } from "./requests/fill-path.ts";
import type { RestType } from "./rest-type.ts";

/** For a cloud that does not say how long it remembers a token: long enough for the retries of a step. */
const UNSAID_TOKEN_LIFE_MS = 60 * 60 * 1000;
const DEFAULT_LONGEST_REQUEST_MS = 60_000;

/** How a create of this type may be repeated. Without a row nothing may be. */
export function repeatFactsOf(row: RestType | undefined): RepeatFacts {
  const { method, guard, token, longestRequestMs, listLagMs } = row?.create ?? {};
  const tokenLifeMs = token === undefined ? 0 : (token.lifeMs ?? UNSAID_TOKEN_LIFE_MS);
  // Behind a guard, the object of the first attempt refuses a repetition, unless its mark shows whose it is.
  const marked = row?.find?.by === "tag" || row?.find?.by === "label";
  const makesOne = method === "PUT" && (guard === undefined || marked);
  return {
    longestRequestMs: longestRequestMs ?? DEFAULT_LONGEST_REQUEST_MS,
    repeatableMs: makesOne || row?.singleton !== undefined ? Number.POSITIVE_INFINITY : tokenLifeMs,
    findable: row?.find !== undefined,
    ...(listLagMs === undefined ? {} : { listLagMs }),
  };
}

/** Names of properties that label an object. */
const labels = ["name", "tags", "labels"];

function shownOf(row: RestType): string[] {
  const { name, region, find, path, paths, id } = row;
  const placed = [path, paths?.create, paths?.item, id?.known].flatMap((one) =>
    one === undefined ? [] : placeholdersIn(one),
  );
  const marked = find?.by === "tag" || find?.by === "label" ? find.property : undefined;
  const named = [name?.property, region?.property, marked];
  return [...new Set([...labels, ...placed, ...named.filter((one) => one !== undefined)])];
}

/** The facts of a row for the planner. */
export function factsOf(row: RestType): TypeFacts {
  const { name = {}, region = {}, compare = {} } = row;
  const isCreatedInParts = row.parts?.some(({ afterCreate }) => afterCreate === true) === true;
  return {
    immutable: immutableOf(row),
    writeOnly: row.writeOnly ?? [],
    required: [],
    deleteBeforeReplace: row.deleteFirst ?? false,
    shown: shownOf(row),
    ...row.takes,
    ...(isCreatedInParts && { createdInParts: true }),
    ...row.facts,
    ...known({
      description: row.description,
      defaults: row.defaults,
      readOnly: row.readOnly,
      secretOutputs: row.secretOutputs,
      refers: row.refers,
      onlyAtCreate: row.onlyAtCreate,
      regionProperty: region.property,
      regionElsewhere: region.elsewhere,
      moreRegions: region.more,
      nameProperty: name.property,
      nameRule: name.rule,
      uniqueName: name.unique === true ? name.property : name.unique,
      shownAt: compare.at,
      caseInsensitive: compare.caseInsensitive,
      sets: compare.sets,
      location: locationOf(row),
      outputs: row.outputs && outputNames(row, row.outputs),
    }),
  };
}

function known(facts: { [K in keyof TypeFacts]?: TypeFacts[K] | undefined }): Partial<TypeFacts> {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}

function locationOf({
  path,
  takes: { properties = {} } = {},
  name: own,
  location: named = [],
}: RestType): string[] | undefined {
  const placed = placeholdersIn(path).filter(
    (name) => name !== own?.property && Object.hasOwn(properties, name),
  );
  const location = [...placed, ...named];
  return location.length === 0 ? undefined : location;
}

function outputNames({ takes, read: reading }: RestType, outputs: readonly string[]): string[] {
  const read = (reading?.further ?? []).map(({ to }) => to.split(".")[0] ?? to);
  return [...new Set([...outputs, ...read, ...Object.keys(takes?.properties ?? {})])];
}

/** The paths whose change replaces the object. */
function immutableOf(row: RestType): string[] {
  const placed = [...placeholdersIn(row.path), ...(row.immutable ?? []), ...(row.createOnly ?? [])];
  if (row.update !== "none") return [...new Set(placed)];
  const kept = Object.keys(row.onlyAtCreate ?? {});
  const parted = row.parts !== undefined || kept.length > 0;
  const properties = row.takes?.properties;
  if (!parted || properties === undefined) return ["*"];
  const inPlace = new Set([
    ...(row.parts ?? []).flatMap((part) => part.properties.map(topOf)),
    ...kept,
  ]);
  const others = Object.keys(properties).filter((name) => !inPlace.has(name));
  return [...new Set([...placed, ...others])];
}

function topOf(path: string): string {
  return /^[^.[]+/.exec(path)?.[0] ?? path;
}
