import { ResolveError } from "./resolve-error.ts";
import type { Place } from "./template.ts";

/** The most that a template's values may take as JSON, all references followed: 1 MiB. */
export const MAX_EXPANDED = 1_048_576;

export function tooLarge(place: Place): ResolveError {
  return new ResolveError(
    "value_too_large",
    `The template's values take more than ${MAX_EXPANDED} bytes together.`,
    place,
    "Keep large content in a bucket or an image, and refer to it.",
  );
}
