import { desc, getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { cloudTargets } from "#areas/cloud-targets/tables.ts";
import { templates, templateVersions } from "#areas/templates/tables.ts";
import { tenants } from "#areas/tenants/tables.ts";
import type { Call } from "#platform/call.ts";
import type { PageRequest } from "#platform/http/page.ts";
import { type Instance, instances } from "./tables.ts";

/** An instance, and the latest version of its template. */
export type InstanceRow = Instance & { latestVersion: number | null };

const columns = {
  ...getTableColumns(instances),
  latestVersion: sql<number | null>`(SELECT ${templates.latestVersion} FROM ${templates}
    WHERE ${templates.id} = ${instances.templateId}
      AND ${templates.tenantId} IN (${instances.tenantId}, 'platform'))`.as("latestVersion"),
};

export function findInstance(call: Call, id: string) {
  return call.db
    .select(columns)
    .from(instances)
    .where(sql`${instances.id} = ${id} AND ${call.mine(instances.tenantId)}`);
}

export interface InstanceFilters {
  tenantId?: string | undefined;
  state?: string | undefined;
  templateId?: string | undefined;
  targetId?: string | undefined;
}

/** One more than the page holds, newest first. */
export function findInstances(call: Call, page: PageRequest, filters: InstanceFilters) {
  const { id, tenantId, state, templateId, targetId } = instances;
  return call.db
    .select(columns)
    .from(instances)
    .where(
      sql`${call.mine(tenantId)}
        AND ${filters.tenantId === undefined ? sql`1` : sql`${tenantId} = ${filters.tenantId}`}
        AND ${filters.state === undefined ? sql`1` : sql`${state} = ${filters.state}`}
        AND ${filters.templateId === undefined ? sql`1` : sql`${templateId} = ${filters.templateId}`}
        AND ${filters.targetId === undefined ? sql`1` : sql`${targetId} = ${filters.targetId}`}
        AND ${page.afterId === undefined ? sql`1` : sql`${id} < ${page.afterId}`}`,
    )
    .orderBy(desc(id))
    .limit(page.limit + 1);
}

/** Of the instance that the caller sees under this id. */
function ofInstance(call: Call, id: string, column: SQLiteColumn) {
  return sql`(SELECT ${column} FROM ${instances} WHERE ${instances.id} = ${id} AND ${call.mine(instances.tenantId)})`;
}

/** The names that are secret in one version, whose default is the instance's own. */
export function findSecretNames(call: Call, instanceId: string, number: number | undefined) {
  const version =
    number === undefined
      ? sql`(SELECT ${instances.templateVersion} FROM ${instances} WHERE ${instances.id} = ${instanceId}
          AND ${call.mine(instances.tenantId)})`
      : sql`${number}`;
  return call.db
    .select({ number: templateVersions.number, secretNames: templateVersions.secretNames })
    .from(templateVersions)
    .where(
      sql`${templateVersions.templateId} = ${ofInstance(call, instanceId, instances.templateId)}
        AND ${templateVersions.number} = ${version} AND ${call.mineOrPlatform(templateVersions.tenantId)}`,
    );
}

/** The target an instance deploys to: the tenant's own or the platform's. */
export function findInstanceTarget(call: Call, instanceId: string) {
  return call.db
    .select()
    .from(cloudTargets)
    .where(
      sql`${cloudTargets.id} = ${ofInstance(call, instanceId, instances.targetId)}
        AND ${call.mineOrPlatform(cloudTargets.tenantId)}`,
    );
}

export function findInstanceTenant(call: Call, instanceId: string) {
  return call.db
    .select({ slug: tenants.slug })
    .from(tenants)
    .where(
      sql`${tenants.id} = ${ofInstance(call, instanceId, instances.tenantId)} AND ${call.mine(tenants.id)}`,
    );
}

/** The outputs of the instances that this one is bound to: those of its own tenant. */
export function findBoundOutputs(call: Call, instanceId: string) {
  return call.db
    .select({ id: instances.id, outputs: instances.outputs, state: instances.state })
    .from(instances)
    .where(
      sql`${call.mine(instances.tenantId)}
        AND ${instances.tenantId} = ${ofInstance(call, instanceId, instances.tenantId)}
        AND ${instances.id} IN (SELECT json_extract(b.value, '$.instanceId') FROM json_each(
          ${ofInstance(call, instanceId, instances.bindings)}) b)`,
    );
}
