/** The query parameters that lists share. Each list declares the parameters that it takes; others are refused. */
import * as z from "zod";
import { LabelFilter } from "#http/labels.ts";
import { Instant, QueryList } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";

/** Filters of a list by text, label and time, by the name of the parameter. */
export const listFilters = {
  name: z
    .string()
    .max(200)
    .optional()
    .describe(prose("Only objects with exactly this name. Upper and lower case are different.")),
  q: z
    .string()
    .max(80)
    .optional()
    .describe(
      prose("Only objects whose name contains this text, in upper or lower case of any script."),
    ),
  label: LabelFilter,
  createdAfter: Instant.optional().describe(prose("Only objects created at this time or later.")),
  createdBefore: Instant.optional().describe(prose("Only objects created before this time.")),
};

/** The times alone, for lists of objects without a name. */
export const createdFilters = {
  createdAfter: listFilters.createdAfter,
  createdBefore: listFilters.createdBefore,
};

/** A filter by one or several values, separated by commas: an object matches if it has one of them. */
export function severalOf<const T extends string>(values: readonly T[], description: string) {
  return QueryList.transform((text, context): T[] => {
    const named = [...new Set(text.split(","))];
    const known = named.filter((value): value is T => values.includes(value as T));
    if (known.length < named.length)
      context.issues.push({ code: "invalid_value", values: [...values], input: text });
    return known.sort();
  })
    .optional()
    .meta({
      type: "array",
      items: { type: "string", enum: [...values] },
      minItems: 1,
      description: `${description} Several are separated by commas.`,
    });
}

/** The sort keys of lists. `createdAt` is the order of the ids, which contain the time. */
export type SortKey = "createdAt" | "updatedAt" | "name" | "title";

/** A sort order: `-` sorts in descending order. */
export type Sort = SortKey | `-${SortKey}`;

/** The order of a list; ties are in the order of the ids. */
export function sortBy(...keys: readonly SortKey[]) {
  return z
    .enum(keys.flatMap((key): Sort[] => [key, `-${key}`]) as [Sort, ...Sort[]])
    .default("-createdAt")
    .describe(
      prose("The order of the list. `-` sorts in descending order; ties are sorted by id."),
    );
}
