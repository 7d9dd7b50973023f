/** The objects of a list, page by page. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Failed, RequestSpec } from "#providers/rest/definition.ts";
import { askDialect } from "#providers/rest/dialect.ts";
import type { Paging } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import type { Answer } from "#providers/transport.ts";
import { type Attempt, failure } from "./attempt.ts";
import { isSegment } from "./fill-path.ts";
import { sendRequest } from "./request.ts";
import { usableId } from "./usable-id.ts";

/** Maximum pages. A longer list is a failure, because an object on a later page would be missed. */
const MAX_PAGES = 20;

/** An object of a list. */
export interface Listed {
  /** Absent: it shows none that can be used. */
  id?: string;
  /** Absent: the list shows ids alone. */
  object?: JsonMap;
}

/** `skewMs`: how far the cloud's clock is ahead of ours, by the page. */
type Page =
  | { ok: true; items: Listed[]; count: number; next?: NextPage; skewMs?: number }
  | { ok: false; failed: Failed };
/** Which page it is, and how many items were before it. */
interface PageAt {
  page: number;
  before: number;
}
type NextPage = { request: RequestSpec } | { dialect: Json };

/**
 * Calls `visit` for each object of the list, until it returns true. `query` restricts the list. `skewMs`: how far the
 * cloud's clock is ahead of this service's, if its answer says so. Returns the failure that left a part of the list
 * unread.
 */
export async function eachListed(
  attempt: Attempt,
  query: Readonly<Record<string, string>>,
  visit: (one: Listed, skewMs?: number) => boolean,
): Promise<Failed | undefined> {
  const listing: Attempt = { ...attempt, verb: "list" };
  const { definition, row } = listing;
  const paging = row.paging ?? definition.paging;
  const request: RequestSpec = { method: "GET", path: row.paths?.list ?? row.path, query };
  let next: NextPage | undefined;
  let before = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read =
      definition.dialect === undefined
        ? await restPage(listing, paging, request, { page, before }, next)
        : await dialectPage(listing, next);
    if (!read.ok) return read.failed;
    const { items, skewMs } = read;
    if (items.some((one) => visit(one, skewMs)) || read.next === undefined) return undefined;
    next = read.next;
    before += read.count;
  }
  const message = `${definition.types.name} has too many objects of ${attempt.type} to search all of them.`;
  return failure("look_up_incomplete", message, { unknownOutcome: true });
}

async function dialectPage(attempt: Attempt, next: NextPage | undefined): Promise<Page> {
  const page = next !== undefined && "dialect" in next ? { page: next.dialect } : {};
  const asked = await askDialect(attempt, "list", page);
  if (!asked.ok) return asked;
  if (asked.said.kind !== "list") return { ok: false, failed: noList(attempt) };
  const { items, next: more } = asked.said;
  return {
    ok: true,
    count: items.length,
    items: items.map(({ id: shown, object }): Listed => {
      const id = usableId(shown);
      return { ...(id !== undefined && { id }), ...(object !== undefined && { object }) };
    }),
    ...(more === undefined ? {} : { next: { dialect: more } }),
  };
}

async function restPage(
  attempt: Attempt,
  paging: Paging | undefined,
  first: RequestSpec,
  at: PageAt,
  next: NextPage | undefined,
): Promise<Page> {
  const { row } = attempt;
  const request =
    next !== undefined && "request" in next ? next.request : pageRequest(first, paging, at);
  const result = await sendRequest(attempt, request);
  if (!result.ok) return result;
  const { answer } = result;
  const shown =
    attempt.definition.listed === undefined
      ? valueAt(answer.json, row.envelope?.list)
      : attempt.definition.listed(answer.json, row);
  if (!Array.isArray(shown)) return { ok: false, failed: noList(attempt) };
  const items = shown.flatMap((object) => {
    if (!isJsonMap(object)) return [];
    const id = idOf(attempt, object);
    return [{ object, ...(id !== undefined && { id }) }];
  });
  // What is no object may stand for one that is looked for.
  if (items.length < shown.length) return { ok: false, failed: noList(attempt) };
  const following = followingPage(attempt, paging, first, answer, at, shown.length);
  if (following !== undefined && "failed" in following) return { ok: false, ...following };
  const skewMs = skewOf(answer.headers, attempt.context.now());
  return {
    ok: true,
    items,
    count: shown.length,
    ...(following === undefined ? {} : { next: following }),
    ...(skewMs === undefined ? {} : { skewMs }),
  };
}

/** How far the cloud's clock is ahead of ours, by an answer's `Date`; undefined: it has none. */
export function skewOf(headers: Headers, nowMs: number): number | undefined {
  const cloudMs = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(cloudMs) ? undefined : cloudMs - nowMs;
}

function noList({ definition, type }: Attempt): Failed {
  const message = `${definition.types.name} answered a search of ${type} with something that is not a list.`;
  return failure("invalid_answer", message, { retryable: true });
}

/** The id that the object shows. */
export function shownId(attempt: Attempt, object: JsonMap): string | undefined {
  const { definition, row, context } = attempt;
  return usableId(definition.idIn?.(object, row, context) ?? valueAt(object, row.id?.at ?? "id"));
}

/** The object's id; undefined: it shows none, or one that no call could name. */
export function idOf(attempt: Attempt, object: JsonMap): string | undefined {
  const id = shownId(attempt, object);
  return id === undefined || isSegment(id) || takesSlashes(attempt) ? id : undefined;
}

/** No call has the id as one segment of its path. */
function takesSlashes({ definition, row }: Attempt): boolean {
  const path = row.paths?.read ?? row.paths?.item ?? "{id}";
  const isRead = definition.dialect === undefined && row.read?.fromList !== true;
  return !isRead || !(path.split("?")[0] ?? "").includes("{id}");
}

/** The request of a counted page, or of the first one, with the size that pages are to have. */
function pageRequest(
  first: RequestSpec,
  paging: Paging | undefined,
  { page, before }: PageAt,
): RequestSpec {
  if (paging === undefined || paging.by === "header" || paging.by === "cursor") return first;
  const { size } = paging;
  if (size === undefined) return first;
  const counted = {
    ...(paging.by === "page" && { [paging.query]: String(paging.first + page) }),
    ...(paging.by === "offset" && { [paging.query]: String(before) }),
    [size.query]: String(size.count),
  };
  return { ...first, query: { ...first.query, ...counted } };
}

function followingPage(
  attempt: Attempt,
  paging: Paging | undefined,
  first: RequestSpec,
  answer: Answer,
  { page, before }: PageAt,
  count: number,
): { request: RequestSpec } | { failed: Failed } | undefined {
  if (paging === undefined) return undefined;
  if (paging.by === "page") {
    const total = paging.total === undefined ? undefined : valueAt(answer.json, paging.total);
    const isLast = typeof total === "number" && before + count >= total;
    return count === 0 || isLast
      ? undefined
      : { request: pageRequest(first, paging, { page: page + 1, before }) };
  }
  if (paging.by === "offset") {
    const total = valueAt(answer.json, paging.total);
    const seen = before + count;
    // A cloud may give fewer than it was asked for.
    const isLast = typeof total === "number" ? seen >= total : count < paging.size.count;
    return count === 0 || isLast
      ? undefined
      : { request: pageRequest(first, paging, { page: page + 1, before: seen }) };
  }
  if (paging.by === "item" && count < paging.size.count) return undefined;
  const told =
    paging.by === "item"
      ? (lastOf(valueAt(answer.json, attempt.row.envelope?.list), paging.at) ?? true)
      : toldNext(paging, answer);
  if (told === undefined || told === null || told === "") return undefined;
  const isCursor = paging.by === "cursor" || paging.by === "item";
  if (isCursor && (typeof told === "string" || typeof told === "number")) {
    const { query } = pageRequest(first, paging, { page, before });
    return { request: { ...first, query: { ...query, [paging.query]: String(told) } } };
  }
  if (!isCursor && typeof told === "string" && /^(\/|https?:\/\/)/i.test(told))
    return { request: { method: "GET", path: told, filled: true } };
  const message = `${attempt.definition.types.name} answered a search of ${attempt.type} with a next page that is not one.`;
  return { failed: failure("invalid_answer", message, { retryable: true }) };
}

function lastOf(list: Json | undefined, path: string): Json | undefined {
  return Array.isArray(list) ? valueAt(list.at(-1), path) : undefined;
}

function toldNext(
  paging: Exclude<Paging, { by: "page" | "offset" | "item" }>,
  answer: Answer,
): Json | undefined {
  if (paging.by === "header") return nextLink(answer.headers);
  return "header" in paging
    ? (answer.headers.get(paging.header) ?? undefined)
    : valueAt(answer.json, paging.at);
}

/** The target of the `Link` header with `rel="next"` (RFC 8288). */
function nextLink(headers: Headers): string | undefined {
  for (const link of (headers.get("link") ?? "").split(/,\s*(?=<)/)) {
    const end = link.indexOf(">");
    const rel = /;\s*rel\s*=\s*"?([^";]*)/i.exec(link.slice(end + 1))?.[1] ?? "";
    const isNext = rel.toLowerCase().split(/\s+/).includes("next");
    if (link.startsWith("<") && end > 0 && isNext) return link.slice(1, end);
  }
  return undefined;
}
