import { and, desc, eq, sql } from "drizzle-orm";
import type { PageRequest } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Guard } from "#kernel/call/unit-of-work.ts";
import { type FeatureFlag, featureFlags } from "#schema/feature-flags.ts";

/** Every bulk evaluation reads all flags. */
export const MAX_FLAGS = 500;

export function findFeatureFlag(call: Call, key: string) {
  return call.db.select().from(featureFlags).where(eq(featureFlags.key, key));
}

/** One more than the page holds, newest first. */
export function findFeatureFlags(call: Call, page: PageRequest) {
  const { id } = featureFlags;
  return call.db
    .select()
    .from(featureFlags)
    .where(page.afterId === undefined ? undefined : sql`${id} < ${page.afterId}`)
    .orderBy(desc(id))
    .limit(page.limit + 1);
}

/** All flags, by key. */
export function allFeatureFlags(call: Call) {
  return call.db.select().from(featureFlags).orderBy(featureFlags.key);
}

export function insertFeatureFlag(call: Call, flag: FeatureFlag) {
  return call.write(null, call.db.insert(featureFlags).values(flag));
}

export function updateFeatureFlag(call: Call, flag: FeatureFlag) {
  const { id, key } = flag;
  return call.write(
    null,
    call.db
      .update(featureFlags)
      .set(flag)
      .where(and(eq(featureFlags.id, id), eq(featureFlags.key, key))),
  );
}

export function removeFeatureFlag(call: Call, flag: FeatureFlag) {
  return call.write(null, call.db.delete(featureFlags).where(eq(featureFlags.id, flag.id)));
}

export function countFeatureFlags(call: Call) {
  return call.db.all<{ flags: number }>(sql`SELECT count(*) AS flags FROM ${featureFlags}`);
}

/**
 * The guard of the limit. If several callers create the last possible flag at once, one succeeds; the others run again
 * and get `quota_exceeded`.
 */
export function enforceFlagLimit(call: Call): Guard {
  return call.require("conflict", sql`(SELECT count(*) FROM ${featureFlags}) < ${MAX_FLAGS}`);
}

/**
 * The guard of a change to a flag: it still has the version that was read. `call.requireVersion` does not fit, because
 * flags have no tenant.
 */
export function requireFlagVersion(call: Call, { id, version }: FeatureFlag): Guard {
  return call.require(
    "conflict",
    sql`EXISTS (SELECT 1 FROM ${featureFlags} WHERE ${featureFlags.id} = ${id} AND ${featureFlags.version} = ${version})`,
  );
}
