import type { JsonMap } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { MockConfig } from "./config.ts";

/** The row at a mock target, whose config says what the cloud does with tokens and late requests. */
export function mockRowIn(row: RestType, config: JsonMap): RestType {
  const checked = MockConfig.safeParse(config);
  if (!checked.success) return row;
  const { tokens, longestRequestMs } = checked.data;
  const { idempotency, ...rest } = row;
  return {
    ...rest,
    ...(idempotency === undefined || tokens === "none"
      ? {}
      : { idempotency: tokens === undefined ? idempotency : { ...idempotency, ...tokens } }),
    ...(longestRequestMs === undefined ? {} : { longestRequestMs }),
  };
}
