import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { among, inOrder, type ListFilters, onePage } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import { rowsInScope } from "#http/lists/rows-in-scope.ts";
import type { Call } from "#kernel/call/call.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { type Instance, instances, problemStatesSql } from "#schema/instances.ts";
import { problemStates } from "#schema/lists/problem-states.ts";
import { profiles } from "#schema/profiles.ts";
import { templateVersions } from "#schema/templates.ts";
import { tenants } from "#schema/tenants.ts";

/** An instance, and the latest version of its template that is not deprecated. */
export type InstanceRow = Instance & { latestVersion: number | null };

const { secretOutputs: _, outputHashes: __, ...shown } = getTableColumns(instances);

const columns = {
  ...shown,
  // Written out, because Drizzle drops table names in selected columns, and both tables have these columns.
  latestVersion: sql<number | null>`(SELECT v.number FROM template_versions v
    WHERE v.template_id = instances.template_id AND v.tenant_id IN (instances.tenant_id, 'platform')
      AND v.deprecated_at_ms IS NULL
    ORDER BY v.number DESC LIMIT 1)`.as("latestVersion"),
};

const selectInstances = selectFrom(instances, columns);

/** An instance in a list, without its large maps: a page of these could fill an isolate's memory. */
export type ListedInstance = Omit<InstanceRow, "variables" | "outputs" | "authors" | "deployed"> & {
  outputNames: readonly string[];
};

const { variables: ____, outputs: _____, authors: ______, deployed: _______, ...listed } = columns;
const selectListed = selectFrom(instances, {
  ...listed,
  outputNames: sql<string[]>`(SELECT json_group_array(o.key) FROM json_each(instances.outputs) o)`
    .mapWith((text: string) => JSON.parse(text) as string[])
    .as("outputNames"),
});

export function findInstance(call: Call, id: string | SQL) {
  return selectInstances.where(
    sql`${instances.id} = ${id} AND ${call.inScope(instances.tenantId)}`,
  );
}

export interface InstanceFilters extends ListFilters {
  state?: readonly string[] | undefined;
  templateId?: string | undefined;
  targetId?: string | undefined;
}

/** Finds one instance more than the page holds, which tells whether a next page exists. */
export function findInstances(call: Call, page: PageRequest, filters: InstanceFilters) {
  return selectListed.where(inPage(call, page, filters), onePage(instances, page));
}

/** A column of the instances that `findInstances` finds, as a subquery. */
export function ofInstancesInPage(
  call: Call,
  column: SQLiteColumn,
  page: PageRequest,
  filters: InstanceFilters,
): SQL {
  const order = sql.join(inOrder(instances, page), sql`, `);
  return sql`(SELECT ${column} FROM ${instances} WHERE ${inPage(call, page, filters)}
    ORDER BY ${order} LIMIT ${page.limit + 1})`;
}

const someProblem: ReadonlySet<string> = new Set(problemStates);

function inPage(call: Call, page: PageRequest, filters: InstanceFilters): SQL {
  const { state, templateId, targetId } = instances;
  const conditions = [
    ...among(state, filters.state),
    ...(filters.state?.every((one) => someProblem.has(one)) === true
      ? [sql`state IN ${problemStatesSql}`]
      : []),
    ...among(templateId, filters.templateId),
    ...among(targetId, filters.targetId),
  ];
  return rowsInScope(call, instances, page, filters, { conditions });
}

/** A column of this instance, if it is in the caller's scope, as a subquery. */
export function ofInstance(call: Call, id: string | SQL, column: SQLiteColumn) {
  return sql`(SELECT ${column} FROM ${instances} WHERE ${instances.id} = ${id} AND ${call.inScope(instances.tenantId)})`;
}

/** The names that a version declares. Extracted in SQL: the whole JSON Schema is large. */
const configNames = sql`(SELECT json_group_array(declared.key)
  FROM json_each(${templateVersions.config}, '$.properties') declared)`.mapWith(
  (names: string) => JSON.parse(names) as string[],
);

/** The names that the instance's version declares, the secret ones among them, and the version's authors. */
export function findVersionNames(call: Call, instanceId: string) {
  return call.db
    .select({
      number: templateVersions.number,
      secretNames: templateVersions.secretNames,
      authors: templateVersions.authors,
      configNames: configNames.as("configNames"),
    })
    .from(templateVersions)
    .where(isVersionOf(call, instanceId, undefined));
}

/** The declarations of one version, by default the instance's own. Finds nothing for an instance id of "". */
export function findVersionConfig(call: Call, instanceId: string, number: number | undefined) {
  return call.db
    .select({
      number: templateVersions.number,
      secretNames: templateVersions.secretNames,
      config: templateVersions.config,
    })
    .from(templateVersions)
    .where(isVersionOf(call, instanceId, number));
}

function isVersionOf(call: Call, instanceId: string, number: number | undefined): SQL {
  const version =
    number === undefined ? ofInstance(call, instanceId, instances.templateVersion) : sql`${number}`;
  return sql`${templateVersions.templateId} = ${ofInstance(call, instanceId, instances.templateId)}
    AND ${templateVersions.number} = ${version} AND ${call.inScopeOrPlatform(templateVersions.tenantId)}`;
}

const selectProfiles = selectFrom(profiles);

/** The profile an instance inherits: the tenant's own or one for every tenant. */
export function findInstanceProfile(call: Call, instanceId: string) {
  return selectProfiles.where(sql`${profiles.id} = ${ofInstance(call, instanceId, instances.profileId)}
        AND ${call.inScopeOrPlatform(profiles.tenantId)}`);
}

const selectTargets = selectFrom(cloudTargets);

/** The target an instance deploys to: the tenant's own or the platform's. */
export function findInstanceTarget(call: Call, instanceId: string | SQL) {
  return selectTargets.where(sql`${cloudTargets.id} = ${ofInstance(call, instanceId, instances.targetId)}
        AND ${call.inScopeOrPlatform(cloudTargets.tenantId)}`);
}

export function findInstanceTenant(call: Call, instanceId: string | SQL) {
  return call.db
    .select({ id: tenants.id, slug: tenants.slug, limits: tenants.limits })
    .from(tenants)
    .where(
      sql`${tenants.id} = ${ofInstance(call, instanceId, instances.tenantId)} AND ${call.inScope(tenants.id)}`,
    );
}

/** The columns of an upstream instance that its readers need. */
export type Upstream = Pick<
  typeof instances.$inferSelect,
  "id" | "tenantId" | "name" | "state" | "outputs" | "secretOutputs" | "outputHashes"
>;

/** The instances of its own tenant that this instance is bound to. */
export function findUpstreams(call: Call, instanceId: string) {
  const { id, tenantId, name, state, outputs, secretOutputs, outputHashes } = instances;
  return call.db
    .select({ id, tenantId, name, state, outputs, secretOutputs, outputHashes })
    .from(instances)
    .where(
      sql`${call.inScope(tenantId)}
        AND ${tenantId} = ${ofInstance(call, instanceId, tenantId)}
        AND ${id} IN (SELECT json_extract(b.value, '$.instanceId') FROM json_each(
          ${ofInstance(call, instanceId, instances.bindings)}) b)`,
    );
}
