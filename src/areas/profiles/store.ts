import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { PageRequest } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { type Dependent, dependentsOf } from "#kernel/call/dependents.ts";
import { PLATFORM } from "#platform/ids.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { instances } from "#schema/instances.ts";
import { type Profile, profiles } from "#schema/profiles.ts";

/** The profile with this id, if the caller may read it: its own, or one for every tenant. */
export function findProfile(call: Call, id: string) {
  return call.db
    .select()
    .from(profiles)
    .where(sql`${profiles.id} = ${id} AND ${call.inScopeOrPlatform(profiles.tenantId)}`);
}

/** The target that instances with this profile go to, if the caller may deploy to it. */
export function findProfileTarget(call: Call, profileId: string) {
  return call.db
    .select()
    .from(cloudTargets)
    .where(
      sql`${cloudTargets.id} = (SELECT ${profiles.targetId} FROM ${profiles}
          WHERE ${profiles.id} = ${profileId} AND ${call.inScopeOrPlatform(profiles.tenantId)})
        AND ${call.inScopeOrPlatform(cloudTargets.tenantId)}`,
    );
}

/**
 * One more than the page holds, newest first. The caller's own and those for every tenant are merged as they
 * come out of their index, so no more rows are read than the page holds. An operator's own are all there are.
 */
export function findProfiles(call: Call, page: PageRequest, tenantId: string | undefined) {
  const t = profiles;
  const mine = call.permitted(t.tenantId);
  const among = (whose: SQL) =>
    call.db
      .select()
      .from(t)
      .where(
        sql`${whose}
          AND ${tenantId === undefined ? sql`1` : sql`${t.tenantId} = ${tenantId}`}
          AND ${page.afterId === undefined ? sql`1` : sql`${t.id} < ${page.afterId}`}`,
      );
  return among(mine)
    .unionAll(among(sql`${t.tenantId} = ${PLATFORM} AND NOT (${mine})`))
    .orderBy(desc(t.id))
    .limit(page.limit + 1);
}

export function insertProfile(call: Call, profile: Profile) {
  return call.write(profile.tenantId, call.db.insert(profiles).values(profile));
}

export function updateProfileRow(call: Call, profile: Profile) {
  return call.write(
    profile.tenantId,
    call.db.update(profiles).set(profile).where(thisProfile(profile)),
  );
}

export function removeProfile(call: Call, profile: Profile) {
  return call.write(profile.tenantId, call.db.delete(profiles).where(thisProfile(profile)));
}

export function findProfileDependents(call: Call, id: string) {
  return call.db.all<Dependent>(
    dependentsOf(
      sql`SELECT 'instance' AS kind, name FROM ${instances} WHERE ${instances.profileId} = ${id} AND ${call.inScope(instances.tenantId)}`,
    ),
  );
}

/** Holds while no instance of any tenant uses the profile. */
export function isUnused(profile: Profile): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.profileId} = ${profile.id}
    AND ${profile.tenantId} IN (${instances.tenantId}, ${PLATFORM}))`;
}

/** Holds while the profile exists; for the commit in which an instance starts to use it. */
export function profileExists(profile: Pick<Profile, "id" | "tenantId">): SQL {
  return sql`EXISTS (SELECT 1 FROM ${profiles} WHERE ${profiles.id} = ${profile.id}
    AND ${profiles.tenantId} = ${profile.tenantId})`;
}

/** Holds while the target exists; for the commit in which a profile starts to use it. */
export function targetExists(target: { id: string; tenantId: string }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${cloudTargets} WHERE ${cloudTargets.id} = ${target.id}
    AND ${cloudTargets.tenantId} = ${target.tenantId})`;
}

function thisProfile(profile: Profile): SQL | undefined {
  return and(eq(profiles.id, profile.id), eq(profiles.tenantId, profile.tenantId));
}
