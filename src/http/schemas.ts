/** Shapes that many endpoints share. */
import * as z from "zod";
import { prose } from "#platform/prose.ts";
import { isOneLine, isPlainText } from "#platform/text/visible-text.ts";
import { timestamp } from "#platform/timestamp.ts";
// Sets zod's error messages; every contract imports this file.
import "./fault-words.ts";

const ONE_LINE = "It must be one line of visible text.";

/** The pattern of the API reference, unchanged. */
const tenantIdPattern =
  /^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/;

export const TenantIdField = z
  .string()
  .regex(tenantIdPattern, "It must be a UUID.")
  .toLowerCase()
  .optional()
  .meta({
    format: "uuid",
    description:
      "The tenant that owns the new object. Default: the caller's tenant; for operators, the platform. A member of several tenants must name one.",
  });

/** The filter of lists that hold objects of several tenants. */
export const TenantFilter = TenantIdField.describe(
  prose("Only objects of this tenant. Default: everything the caller can read."),
);

/** A path identifier. The API reference gives it no format, so any text is accepted; an unknown one is answered 404. */
export const PathId = z.string().min(1).max(200);
export const IdParams = z.object({ id: PathId.describe(prose("The object's id.")) });
export const TenantParams = z.object({ tenantId: PathId.describe(prose("The tenant's id.")) });

/** Fields of most answers. */
export const Id = z.uuid().describe(prose("The object's id."));
export const TenantId = z.uuid().describe(prose("The tenant's id."));
export const OwnerId = z
  .uuid()
  .nullable()
  .describe(prose("The id of the tenant that owns the object. Null: the platform owns it."));

/** A text on one line, such as a name: trimmed, without invisible characters. */
export function oneLine(min: number, max?: number) {
  const text = z.string().trim().min(min);
  return (max === undefined ? text : text.max(max)).refine(isOneLine, ONE_LINE);
}

/** A text of several lines, without characters that hide or turn a part of it. */
export function plainText(min: number, max: number) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine(isPlainText, "It must be visible text, without control and bidirectional characters.");
}

/** An item of a list without a schema. Texts follow the rule for names. */
export const FreeItem = z
  .json()
  .refine((item) => typeof item !== "string" || isOneLine(item), ONE_LINE);

/** A free-form map, stored as sent. */
export const FreeMap = z.record(z.string(), z.json());

/** A list in a query: separated by commas, or a repeated parameter, as some generated clients send it. */
export const QueryList = z.preprocess(
  (value) => (Array.isArray(value) ? value.join(",") : value),
  z.string(),
);

/** A switch in a query: `true` or `false`, by default false. */
export function flagQuery(description: string) {
  return (
    z
      .string()
      // A pattern would be in the document, beside a type other than string.
      .refine((text) => /^(?:true|false)$/.test(text), "It must be true or false.")
      .transform((value) => value === "true")
      .optional()
      .meta({ type: "boolean", default: false, description })
  );
}

const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A time in a request: ISO 8601 with any offset. Not after the year 9999: answers write the year in four
 * digits.
 */
export const Instant = z.iso
  .datetime({ offset: true })
  // For text that is not a time, Date.parse returns NaN: only the format error is reported.
  .refine(
    (text) => !(Date.parse(text) > LATEST_MS),
    "It must be no later than the year 9999, UTC.",
  );

/** ISO 8601, UTC. */
export const Timestamp = z.iso.datetime();
export const CreatedAt = Timestamp.describe(prose("The time of the creation."));
export const UpdatedAt = Timestamp.describe(prose("The time of the last change."));

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}

/** The page of an object. */
export const PageUrl = z
  .url()
  .nullable()
  .describe(
    prose(
      "The address of its page in the console, for people. Null: the installation's operator has not set `PUBLIC_URL`.",
    ),
  );

export const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;

/** The validity of a replaced secret, in seconds: one day unless the request says otherwise, at most seven. */
export function overlapSeconds(description: string) {
  return (
    z
      .string()
      // Digits only: an empty value must not count as 0, which ends the old secret at once.
      .refine(
        (text) => /^\d{1,6}$/.test(text),
        "It must be a whole number of seconds, with at most 6 digits.",
      )
      .transform(Number)
      .pipe(z.number().max(604_800))
      .optional()
      .meta({
        type: "integer",
        minimum: 0,
        maximum: 604_800,
        default: DEFAULT_OVERLAP_SECONDS,
        description,
      })
  );
}
