import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { findOwnAndPlatforms } from "#http/lists/find-own-and-platforms.ts";
import type { ListFilters } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { type Dependent, dependentsOf } from "#kernel/call/dependents.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { instances } from "#schema/instances.ts";
import { type Profile, profiles } from "#schema/profiles.ts";
import { templates, templateVersions } from "#schema/templates.ts";

const selectProfiles = selectFrom(profiles);

/** The columns for lists, without variables: a page of them could be as large as an isolate's memory. */
export type ListedProfile = Omit<Profile, "variables" | "authors">;

const { variables: _, authors: __, ...listed } = getTableColumns(profiles);
const selectListed = selectFrom(profiles, listed);

/** The profile with this id, if the caller may read it: their own or the platform's. */
export function findProfile(call: Call, id: string) {
  return selectProfiles.where(
    sql`${profiles.id} = ${id} AND ${call.inScopeOrPlatform(profiles.tenantId)}`,
  );
}

/** The default target of instances with this profile, if the caller may deploy to it. */
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

/** One more than the page holds: the caller's own and the platform's. */
export function findProfiles(call: Call, page: PageRequest, filters: ListFilters) {
  return findOwnAndPlatforms(call, { table: profiles, select: selectListed }, page, filters);
}

/** The most versions that a change is checked against. */
const MAX_READERS = 50;

const namesIn = (text: string): string[] => JSON.parse(text) as string[];
const schemasIn = (text: string): JsonMap => JSON.parse(text) as JsonMap;

/**
 * The declarations of the template versions that the tenant's own instances with this profile use: all names, and the
 * schemas of the `given` ones. None for a platform profile, so that no tenant's template can refuse its change.
 */
export function findReaders(call: Call, profileId: string, given: readonly string[]) {
  const v = templateVersions;
  const declared = sql`json_each(${v.config}, '$.properties') declared`;
  return call.db
    .select({
      template: sql<string>`(SELECT ${templates.name} FROM ${templates}
        WHERE ${templates.id} = ${v.templateId} AND ${call.inScopeOrPlatform(templates.tenantId)})`.as(
        "template",
      ),
      number: v.number,
      names: sql`(SELECT json_group_array(declared.key) FROM ${declared})`
        .mapWith(namesIn)
        .as("names"),
      schemas: sql`(SELECT json_group_object(declared.key, json(declared.value)) FROM ${declared}
        WHERE declared.key IN (SELECT value FROM json_each(${JSON.stringify(given)})))`
        .mapWith(schemasIn)
        .as("schemas"),
    })
    .from(v)
    .where(
      sql`${given.length} > 0 AND ${call.inScopeOrPlatform(v.tenantId)}
        AND (${v.templateId}, ${v.number}) IN (SELECT ${instances.templateId}, ${instances.templateVersion}
          FROM ${instances} WHERE ${instances.profileId} = ${profileId} AND ${call.inScope(instances.tenantId)}
          AND ${instances.state} <> 'DESTROYED'
          AND ${instances.tenantId} = (SELECT ${profiles.tenantId} FROM ${profiles}
            WHERE ${profiles.id} = ${profileId} AND ${call.inScope(profiles.tenantId)}))`,
    )
    .limit(MAX_READERS);
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

/** Holds while the profile exists. For the commit of an instance that starts to use it. */
export function profileExists(profile: Pick<Profile, "id" | "tenantId">): SQL {
  return sql`EXISTS (SELECT 1 FROM ${profiles} WHERE ${profiles.id} = ${profile.id}
    AND ${profiles.tenantId} = ${profile.tenantId})`;
}

/** Holds while the target exists. For the commit of a profile that starts to use it. */
export function targetExists(target: { id: string; tenantId: string }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${cloudTargets} WHERE ${cloudTargets.id} = ${target.id}
    AND ${cloudTargets.tenantId} = ${target.tenantId})`;
}

function thisProfile(profile: Profile): SQL | undefined {
  return and(eq(profiles.id, profile.id), eq(profiles.tenantId, profile.tenantId));
}
