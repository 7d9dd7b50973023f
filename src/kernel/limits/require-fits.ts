import { ApiError } from "#kernel/errors.ts";
import { jsonBytes, type JsonMap } from "#platform/json.ts";

/** As much as a deployment can take: it stores the variables in one row with the template's source and the plan. */
export const MAX_MAP_BYTES = 300_000;
/** Of the config of a target and the bindings of an instance, which lists show. */
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
