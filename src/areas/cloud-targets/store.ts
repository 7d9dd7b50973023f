import { type SQL, sql } from "drizzle-orm";
import { findOwnAndPlatforms } from "#http/lists/find-own-and-platforms.ts";
import { among, type ListFilters } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { type Dependent, dependentsOf } from "#kernel/call/dependents.ts";
import { changedColumns } from "#platform/db/changed-columns.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { PLATFORM } from "#platform/ids.ts";
import { type CloudTarget, cloudTargets } from "#schema/cloud-targets.ts";
import { instances } from "#schema/instances.ts";
import { profiles } from "#schema/profiles.ts";

const selectTargets = selectFrom(cloudTargets);

export interface TargetFilters extends ListFilters {
  provider?: string | undefined;
  environment?: string | undefined;
}

/** The target with this id, if the caller can deploy to it: the caller's own or a platform target. */
export function findTarget(call: Call, id: string) {
  return findTargetsIn(call, sql`(${id})`);
}

/** The targets that `findTarget` finds for these ids. `ids`: a list or a subquery, in parentheses. */
export function findTargetsIn(call: Call, ids: SQL) {
  return selectTargets.where(
    sql`${cloudTargets.id} IN ${ids} AND ${call.inScopeOrPlatform(cloudTargets.tenantId)}`,
  );
}

export function findTargetDependents(call: Call, id: string) {
  return call.db.all<Dependent>(
    dependentsOf(
      sql`SELECT 'instance' AS kind, name FROM ${instances} WHERE ${instances.targetId} = ${id} AND ${call.inScope(instances.tenantId)}`,
      sql`SELECT 'profile' AS kind, name FROM ${profiles} WHERE ${profiles.targetId} = ${id} AND ${call.inScope(profiles.tenantId)}`,
    ),
  );
}

/** One more than the page holds: the caller's own and the platform's. */
export function findTargets(call: Call, page: PageRequest, filters: TargetFilters) {
  const { provider, environment } = cloudTargets;
  return findOwnAndPlatforms(call, { table: cloudTargets, select: selectTargets }, page, filters, [
    ...among(provider, filters.provider),
    ...among(environment, filters.environment),
  ]);
}

/** The providers, regions and configs of the targets that this tenant can use and the caller can see. */
export function findTargetPlaces(call: Call, tenantId: string) {
  const t = cloudTargets;
  return call.db
    .selectDistinct({
      provider: t.provider,
      allowedRegions: t.allowedRegions,
      region: t.defaultRegion,
      config: t.config,
    })
    .from(t)
    .where(
      sql`${t.tenantId} IN (${tenantId}, ${PLATFORM}) AND ${call.inScopeOrPlatform(t.tenantId)}`,
    );
}

export function setTarget(call: Call, before: CloudTarget, after: CloudTarget) {
  return call.write(
    before.tenantId,
    call.db
      .update(cloudTargets)
      .set(changedColumns(before, after))
      .where(
        sql`${cloudTargets.id} = ${before.id} AND ${cloudTargets.tenantId} = ${before.tenantId}`,
      ),
  );
}

export function removeTarget(call: Call, target: CloudTarget) {
  return call.write(
    target.tenantId,
    call.db
      .delete(cloudTargets)
      .where(
        sql`${cloudTargets.id} = ${target.id} AND ${cloudTargets.tenantId} = ${target.tenantId}`,
      ),
  );
}
