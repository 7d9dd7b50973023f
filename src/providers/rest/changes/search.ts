/** Tells the object of a create from others. Pure. */
import { jsonAt } from "#platform/at-path.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { CreateCall, LookUpCall } from "#providers/provider.ts";
import { placeholdersIn } from "#providers/rest/requests/fill-path.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { markOf, marksOn } from "./mark.ts";
import { isShown, shownAt, unshown } from "./shown.ts";

/** How far a cloud's clock may be from ours where its answers do not say what it shows. */
const UNKNOWN_SKEW_MS = 60_000;
/** Clouds say times in whole seconds, and an answer takes a while. */
const CLOCK_STEP_MS = 2_000;

type Judged = "ours" | "maybe" | "other";

/** The search of a look-up. */
export interface Search {
  query?: Readonly<Record<string, string>>;
  /** Whose object this is, by all that it shows. `skewMs`: how far the cloud's clock is ahead of ours. */
  judge: (object: JsonMap, skewMs?: number) => Judged;
  /** The object, as a list shows it, lacks something that was sent and that a read may show. */
  isSparse?: (object: JsonMap) => boolean;
}

/** A parameter's value by the row's `query`: `parameter`, or `parameter=text` with `{value}`. */
function queryOf(query: string | undefined, value: string): Pick<Search, "query"> {
  if (query === undefined) return {};
  const [parameter = "", ...pattern] = query.split("=");
  const text = pattern.length === 0 ? value : pattern.join("=").replaceAll("{value}", () => value);
  return { query: { [parameter]: text } };
}

/** Epoch milliseconds of a time as clouds show it: as text, in seconds or in milliseconds. */
export function timeOf(value: Json | undefined): number | undefined {
  if (typeof value === "number") return value < 100_000_000_000 ? value * 1000 : value;
  if (typeof value !== "string") return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Whether a create sent at `sentMs`, by our clock, may have made an object of `createdMs`, by the cloud's. */
export function judgedByTime(
  createdMs: number | undefined,
  sentMs: number,
  skewMs: number | undefined,
): Judged {
  if (createdMs === undefined) return "maybe";
  if (skewMs !== undefined) return createdMs < sentMs + skewMs - CLOCK_STEP_MS ? "other" : "ours";
  if (createdMs >= sentMs - CLOCK_STEP_MS) return "ours";
  return createdMs < sentMs - UNKNOWN_SKEW_MS ? "other" : "maybe";
}

/** Properties that the cloud never shows or that stand in paths alone, by names at the top. */
function hiddenIn({ writeOnly = [], path }: RestType): Set<string | undefined> {
  return new Set([...writeOnly.map((one) => one.split(/[.[]/, 1)[0]), ...placeholdersIn(path)]);
}

/** Whether the object shows another value of something that was sent: a stranger's may be alike in the rest. */
function showsOther(row: RestType, object: JsonMap, sent: JsonMap): boolean {
  const hidden = hiddenIn(row);
  return unshown(row, object, sent).some(
    (key) => !hidden.has(key) && shownAt(row, object, key) !== undefined,
  );
}

/** Whether the object lacks something that was sent: lists show less than reads. */
function lacksSent(row: RestType, object: JsonMap, sent: JsonMap): boolean {
  const hidden = hiddenIn(row);
  const moved = Object.keys(row.compare?.at ?? {});
  return Object.keys(sent).some((key) => {
    const paths = moved.filter((path) => path.startsWith(`${key}.`));
    const isShownSomewhere = [key, ...paths].some(
      (path) => shownAt(row, object, path) !== undefined,
    );
    return !hidden.has(key) && sent[key] !== null && !isShownSomewhere;
  });
}

/** The row by which an object is found that has no mark yet. */
function unmarkedYet({ find, ...row }: RestType): RestType {
  const createdAt = find?.by === "label" ? find.createdAt : undefined;
  const properties = [row.name?.property ?? "name"];
  return createdAt === undefined
    ? row
    : { ...row, find: { by: "properties", properties, createdAt } };
}

/**
 * The search for the object of a create; `undefined`: the row or the properties give nothing to look for.
 * `comparesFound`: as in `RestHooks`.
 */
export function searchOf(
  row: RestType,
  properties: JsonMap,
  call: CreateCall & Pick<LookUpCall, "sentMs">,
  comparesFound = false,
): Search | undefined {
  const { find } = row;
  switch (find?.by) {
    case undefined:
      return undefined;
    case "name": {
      const property = row.name?.property ?? "name";
      const wanted = properties[property];
      if (typeof wanted !== "string") return undefined;
      return {
        ...queryOf(find.query, wanted),
        judge: (object) => {
          if (valueAt(object, property) !== wanted) return "other";
          if (wanted !== call.name) return "maybe";
          const isOther = find.whole === true && unshown(row, object, properties).length > 0;
          return isOther ? "maybe" : "ours";
        },
      };
    }
    case "tag":
    case "label": {
      const mark = markOf(row, call.token) ?? "";
      const unmarked = searchOf(unmarkedYet(row), properties, call, comparesFound);
      return {
        ...queryOf(find.query, mark),
        judge: (object, skewMs) => {
          const marks = marksOn(row, object);
          if (marks.includes(mark)) return "ours";
          return marks.length === 0 ? (unmarked?.judge(object, skewMs) ?? "other") : "other";
        },
      };
    }
    case "place": {
      const { sentMs } = call;
      if (sentMs === undefined) return undefined;
      return {
        judge: (object, skewMs) =>
          judgedByTime(timeOf(jsonAt(object, find.createdAt)), sentMs, skewMs),
      };
    }
    case "properties": {
      const { sentMs } = call;
      const sent = find.properties.filter((path) => jsonAt(properties, path) !== undefined);
      if (sentMs === undefined || sent.length === 0) return undefined;
      return {
        judge: (object, skewMs) => {
          const created = judgedByTime(timeOf(jsonAt(object, find.createdAt)), sentMs, skewMs);
          if (created === "other") return "other";
          const hidden = sent.filter((path) => shownAt(row, object, path) === undefined);
          const same = (path: string): boolean =>
            hidden.includes(path) || isShown(row, object, path, jsonAt(properties, path));
          if (!sent.every(same)) return "other";
          const differs = !comparesFound && showsOther(row, object, properties);
          return hidden.length > 0 || differs ? "maybe" : created;
        },
        ...(row.read?.fromList === true || comparesFound
          ? {}
          : { isSparse: (object) => lacksSent(row, object, properties) }),
      };
    }
  }
}
