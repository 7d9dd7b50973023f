import type { RestType } from "#providers/rest/rest-type.ts";

/** Every answer wraps its object under the type's name, and lists under its plural. */
export function envelope(one: string, many = `${one}s`): Pick<RestType, "envelope"> {
  return { envelope: { create: one, read: one, update: one, list: many } };
}

/** Lists that come as a whole. */
export const unpaged = {
  paging: { by: "link", at: "links.pages.next" },
} as const satisfies Pick<RestType, "paging">;
