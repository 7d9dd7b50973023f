import { expect, it } from "vitest";
import * as z from "zod";
import { Instant } from "./schemas.ts";

it.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "It is missing."],
  [z.enum(["a", "b"]), undefined, "It is missing."],
  [z.string(), ["a", "b"], "It must be one text, not a list."],
  [z.object({}), null, "It must be an object, not null."],
  [z.record(z.string(), z.string()), "x", "It must be an object, not a text."],
  [z.array(z.string()), {}, "It must be a list, not an object."],
  [z.int(), "7", "It must be a number, not a text."],
  [z.int(), 7.5, "It must be a whole number."],
  [z.boolean(), 1, "It must be true or false, not a number."],
  [z.string().min(1), "", "It must have at least 1 character."],
  [z.string().max(3), "four", "It must have at most 3 characters."],
  [z.array(z.string()).max(2), ["a", "b", "c"], "It must have at most 2 items."],
  [z.number().max(20), 21, "It must be at most 20."],
  [z.enum(["a", "b"]), "c", "It must be one of: a, b."],
  [z.literal("a"), "c", "It must be a."],
  [z.url(), "nonsense", "It must be a URL, like https://example.com/path."],
  [Instant, "yesterday", expect.stringMatching(/^It must be a time in ISO 8601/)],
  [Instant, "9999-12-31T23:59:59-01:00", "It must be no later than the year 9999, UTC."],
  [z.string().regex(/^a$/, "An a."), "b", "An a."],
  [z.string().min(2, "Longer."), "b", "Longer."],
])("gives a message for case %#", (schema, value, words) => {
  expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([words]);
});
