import { ResolveError } from "./resolve-error.ts";
import type { Place } from "./template.ts";

/** Maximum size of a template's values as JSON after references are resolved: 1 MiB. */
export const MAX_EXPANDED = 1_048_576;

export function tooLarge(place: Place): ResolveError {
  return new ResolveError(
    "value_too_large",
    `The template's values exceed ${MAX_EXPANDED} bytes in total.`,
    place,
    "Store large content in a bucket or an image and refer to it.",
  );
}
