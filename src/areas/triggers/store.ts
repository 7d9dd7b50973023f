import { and, desc, eq, sql } from "drizzle-orm";
import { ofInstance } from "#areas/instances/public.ts";
import { findTemplatesIn, findUpgrade } from "#areas/templates/public.ts";
import type { PageRequest } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import type { TriggerRef } from "#kernel/outbox/notify-triggers.ts";
import { deployments } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { templateVersions } from "#schema/templates.ts";
import { type Trigger, triggers } from "#schema/triggers.ts";

/** One more than the page holds, newest first. */
export function findTriggers(call: Call, instanceId: string, page: PageRequest) {
  const t = triggers;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${t.instanceId} = ${instanceId} AND ${call.inScope(t.tenantId)}
        AND ${page.afterId === undefined ? sql`1` : sql`${t.id} < ${page.afterId}`}`,
    )
    .orderBy(desc(t.id))
    .limit(page.limit + 1);
}

export function findTrigger(call: Call, instanceId: string, id: string) {
  const t = triggers;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${t.id} = ${id} AND ${t.instanceId} = ${instanceId} AND ${call.inScope(t.tenantId)}`,
    );
}

/** The template of an instance. */
export function findTemplateOf(call: Call, instanceId: string) {
  return findTemplatesIn(call, ofInstance(call, instanceId, instances.templateId));
}

/** The highest version of the instance's template that the trigger follows and that is not deprecated. */
export function findFollowedVersion(call: Call, { id, tenantId, instanceId }: TriggerRef) {
  const v = templateVersions;
  const end = (name: "from" | "to") =>
    sql`(SELECT json_extract(${triggers.condition}, ${`$.${name}`}) FROM ${triggers}
      WHERE ${triggers.id} = ${id} AND ${triggers.tenantId} = ${tenantId})`;
  return call.db
    .select({ number: v.number })
    .from(v)
    .where(
      sql`${v.templateId} = ${ofInstance(call, instanceId, instances.templateId)}
        AND ${call.inScopeOrPlatform(v.tenantId)} AND ${v.deprecatedAtMs} IS NULL
        AND ${v.number} BETWEEN coalesce(${end("from")}, 1) AND coalesce(${end("to")}, ${Number.MAX_SAFE_INTEGER})`,
    )
    .orderBy(desc(v.number))
    .limit(1);
}

/** The version that the trigger would add to take higher releases of components; no row: it does not, or none is. */
export function findAddableVersion(call: Call, { id, tenantId }: TriggerRef) {
  const templateId = sql`(SELECT ${triggers.templateId} FROM ${triggers} WHERE ${triggers.id} = ${id}
    AND ${triggers.tenantId} = ${tenantId} AND condition ->> '$.components' = 1)`;
  return findUpgrade(call, templateId, tenantId);
}

/**
 * The number of an instance's newest deployments that are read to find the open ones: deployments end in
 * order.
 */
const NEWEST_DEPLOYMENTS = 10;

/** The newest deployments, and those that wait for approval, however old: drift checks can overtake those. */
export function findNewestDeployments(call: Call, { tenantId, instanceId }: TriggerRef) {
  const d = deployments;
  // `+`: the index of the tenant's deployments by state finds the few that wait.
  return call.db
    .select({ operation: d.operation, state: d.state })
    .from(d)
    .where(
      sql`${d.tenantId} = ${tenantId} AND ${d.id} IN (
        SELECT id FROM (SELECT n.id FROM deployments n
          WHERE n.instance_id = ${instanceId} AND n.tenant_id = ${tenantId}
          ORDER BY n.id DESC LIMIT ${NEWEST_DEPLOYMENTS})
        UNION SELECT w.id FROM deployments w WHERE w.tenant_id = ${tenantId} AND w.state = 'AWAITING_APPROVAL'
          AND +w.instance_id = ${instanceId})`,
    )
    .orderBy(desc(d.id));
}

/** The upstream outputs that the newest started or queued deployment read. */
export function findLastReads(call: Call, { tenantId, instanceId }: TriggerRef) {
  const d = deployments;
  return call.db
    .select({
      reads: sql<string | null>`json_extract(${d.inputs}, '$.reads')`.as("reads"),
    })
    .from(d)
    .where(
      sql`${d.instanceId} = ${instanceId} AND ${d.tenantId} = ${tenantId}
        AND ${d.operation} IN ('deploy', 'rollback')
        AND (${d.state} = 'QUEUED' OR json_extract(${d.timestamps}, '$.PLANNING') IS NOT NULL)`,
    )
    .orderBy(desc(d.id))
    .limit(1);
}

export function setTrigger(call: Call, before: Trigger, changes: Partial<Trigger>) {
  return call.write(
    before.tenantId,
    call.db
      .update(triggers)
      .set({ ...changes, version: before.version + 1, updatedAtMs: call.now })
      .where(and(eq(triggers.id, before.id), eq(triggers.tenantId, before.tenantId))),
  );
}

export function removeTrigger(call: Call, { id, tenantId }: Pick<Trigger, "id" | "tenantId">) {
  return call.write(
    tenantId,
    call.db.delete(triggers).where(and(eq(triggers.id, id), eq(triggers.tenantId, tenantId))),
  );
}
