import { ApiError } from "#kernel/errors.ts";
import { jsonBytes, type JsonMap } from "#platform/json.ts";

/** The most that a deployment can take: it stores the variables in one row with the template's source and the plan. */
export const MAX_MAP_BYTES = 300_000;
/** The limit of a target's config and an instance's bindings, which lists show. */
export const MAX_LISTED_MAP_BYTES = 16_384;

/**
 * Throws `payload_too_large` if a map that grows with every merge is too large to store. `what`: its name, as the
 * subject of a sentence.
 */
export function requireFits(map: JsonMap, what: string, maxBytes = MAX_MAP_BYTES): void {
  const bytes = jsonBytes(map);
  if (bytes > maxBytes)
    throw new ApiError(
      "payload_too_large",
      `${what} would have ${bytes} bytes, with the members from before; the maximum is ${maxBytes}. Remove members that are not needed: null removes one.`,
    );
}
