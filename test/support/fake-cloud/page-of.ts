import type { JsonMap } from "#platform/json.ts";

const DEFAULT_SIZE = 20;
const CURSOR = "next__";

/** The page of the items that the URL asks for, with the link to the next one and the total. */
export function pageOf<T>(items: readonly T[], url: URL): { items: T[]; beside: JsonMap } {
  const size = Number(url.searchParams.get("per_page") ?? DEFAULT_SIZE);
  const page = Number(url.searchParams.get("page") ?? 1);
  const linkTo = (number: number): string => {
    const link = new URL(url);
    link.searchParams.set("page", String(number));
    return link.href;
  };
  const total = items.length;
  const pages = { next: linkTo(page + 1), last: linkTo(Math.ceil(total / size)) };
  return {
    items: items.slice((page - 1) * size, page * size),
    beside: { links: page * size < total ? { pages } : {}, meta: { total } },
  };
}

/** The page by a cursor, which only the cloud can read. */
export function cursorPageOf<T>(items: readonly T[], url: URL): { items: T[]; beside: JsonMap } {
  const size = Number(url.searchParams.get("per_page") ?? DEFAULT_SIZE);
  const from = Number(atob(url.searchParams.get("cursor") ?? "").slice(CURSOR.length));
  const cursorOf = (at: number): string => btoa(`${CURSOR}${at}`);
  const isLast = from + size >= items.length;
  const next = isLast ? "" : cursorOf(from + size);
  const prev = from === 0 ? "" : cursorOf(from - size);
  return {
    items: items.slice(from, from + size),
    beside: { meta: { total: items.length, links: { next, prev } } },
  };
}
