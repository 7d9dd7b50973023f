import type { JsonMap } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { MockConfig } from "./config.ts";

/** A mark proves whose an object is; a name does not. */
const byMark = { by: "tag", property: "tags" } as const;

/**
 * The row at a mock target, whose config says what the cloud does with tokens and late requests. Where tokens do not
 * last, creates carry a mark by which look-ups find them.
 */
export function mockRowIn(row: RestType, config: JsonMap): RestType {
  const checked = MockConfig.safeParse(config);
  if (!checked.success) return row;
  const { tokens, longestRequestMs, listLagMs } = checked.data;
  const { create: { token } = {}, find, ...rest } = row;
  return {
    ...rest,
    ...(find === undefined ? {} : { find: tokens === undefined ? find : byMark }),
    create: {
      ...(token === undefined || tokens === "none"
        ? {}
        : { token: tokens === undefined ? token : { ...token, ...tokens } }),
      ...(longestRequestMs === undefined ? {} : { longestRequestMs }),
      ...(listLagMs === 0 ? {} : { listLagMs }),
    },
  };
}
