/** Shapes that many endpoints share. */
import * as z from "zod";
import { timestamp } from "#platform/timestamp.ts";
// What is wrong with a request is told in its words: every contract imports this file.
import "./fault-words.ts";

/** The reference's own pattern, letter for letter. */
const tenantIdPattern =
  /^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/;

export const TenantIdField = z
  .string()
  .regex(tenantIdPattern, "A UUID.")
  .toLowerCase()
  .optional()
  .meta({ format: "uuid", description: "Whose it is. Default: the caller's tenant." });

/** A path identifier: the reference gives it no format, so any text is one, and most name nothing. */
export const PathId = z.string().min(1).max(200);
export const IdParams = z.object({ id: PathId });

/** A free-form map: kept as it comes. */
export const FreeMap = z.record(z.string(), z.json());

const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A time a caller gives: ISO 8601 with any offset. Later than the year 9999 it could not be answered in four digits. */
export const Instant = z.iso
  .datetime({ offset: true })
  // What is no time at all is not told that it is late as well.
  .refine((text) => !(Date.parse(text) > LATEST_MS), "No later than the year 9999, UTC.");

/** ISO 8601, UTC. */
export const Timestamp = z.iso.datetime();

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}
