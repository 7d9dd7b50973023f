/** The facts for people beyond the payload, which has ids only: names, the requester, the planned changes. */
import { type SQL, sql } from "drizzle-orm";
import { requestedBy } from "#areas/deployment-records/public.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import type { Db } from "#platform/db/client.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { deployments, type PlanSummary } from "#schema/deployments.ts";
import { events } from "#schema/events.ts";
import { incidents } from "#schema/incidents.ts";
import { instances } from "#schema/instances.ts";
import { listings } from "#schema/listings.ts";
import { profiles } from "#schema/profiles.ts";
import { templates } from "#schema/templates.ts";
import { tenants } from "#schema/tenants.ts";
import { users } from "#schema/users.ts";
import { webhookDeliveries, webhooks } from "#schema/webhooks.ts";

export interface EventFacts {
  /** The name of the event's object. Null: it has none, or it is gone. */
  name: string | null;
  /** The name of the event's tenant, for a platform webhook, which gets the events of all tenants. */
  tenantName: string | null;
  /** The requester of a deployment. */
  requested: { requestedBy: ReturnType<typeof requestedBy>; trigger: string } | null;
  /** The planned changes of a deployment. Null: there is no plan. */
  summary: PlanSummary | null;
}

export const noFacts: EventFacts = { name: null, tenantName: null, requested: null, summary: null };

interface FactRow extends DeliveryRef {
  name: string | null;
  tenantName: string | null;
  summary: string | null;
  trigger: string | null;
  requestedBy: string | null;
  requestedByName: string | null;
}

/** The name by resource, from a row of the event's tenant with the event's resource id. */
const nameOf = {
  instance: sql`(SELECT name FROM ${instances} n WHERE n.tenant_id = e.tenant_id AND n.id = e.resource_id)`,
  target: sql`(SELECT name FROM ${cloudTargets} n WHERE n.tenant_id = e.tenant_id AND n.id = e.resource_id)`,
  template: sql`(SELECT name FROM ${templates} n WHERE n.tenant_id = e.tenant_id AND n.id = e.resource_id)`,
  listing: sql`(SELECT title FROM ${listings} n WHERE n.tenant_id = e.tenant_id AND n.id = e.resource_id)`,
  incident: sql`(SELECT title FROM ${incidents} n WHERE n.tenant_id = e.tenant_id AND n.id = e.resource_id)`,
  tenant: sql`(SELECT name FROM ${tenants} n WHERE n.id = e.tenant_id)`,
  member: sql`(SELECT name FROM ${users} n WHERE n.id = e.payload ->> '$.data.userId')`,
  api_key: sql`(SELECT name FROM ${apiKeys} n WHERE n.tenant_id = e.tenant_id AND n.id = e.resource_id)`,
  webhook: sql`(SELECT description FROM ${webhooks} n WHERE n.tenant_id = e.tenant_id AND n.id = e.resource_id)`,
  profile: sql`(SELECT name FROM ${profiles} n WHERE n.tenant_id = e.tenant_id AND n.id = e.resource_id)`,
  // The name at the request: the instance may be gone.
  deployment: sql`x.inputs ->> '$.instance.name'`,
} as const satisfies Readonly<Record<string, SQL>>;

/** The facts for these deliveries of webhooks with a chat format. `which`: holds for a row of `webhook_deliveries`. */
export function findFacts(db: Db, which: SQL) {
  const d = webhookDeliveries;
  const names = Object.entries(nameOf).map(
    ([type, name]) => sql`WHEN ${sql.raw(`'${type}'`)} THEN ${name}`,
  );
  return db.all<FactRow>(sql`
    SELECT ${d.tenantId} AS tenantId, ${d.id} AS id,
      coalesce(e.name, CASE e.resource_type ${sql.join(names, sql` `)} END) AS name,
      CASE WHEN ${d.tenantId} <> e.tenant_id
        THEN (SELECT name FROM ${tenants} n WHERE n.id = e.tenant_id) END AS tenantName,
      x.summary AS summary, x.trigger AS trigger, x.requested_by AS requestedBy, x.requested_by_name AS requestedByName
    FROM ${d}
    CROSS JOIN ${webhooks} w ON w.id = ${d.webhookId} AND w.tenant_id = ${d.tenantId} AND w.format <> 'standard'
    CROSS JOIN ${events} e ON e.tenant_id = ${d.eventTenantId} AND e.id = ${d.eventId}
    LEFT JOIN ${deployments} x ON e.resource_type = 'deployment' AND x.tenant_id = e.tenant_id AND x.id = e.resource_id
    WHERE ${which}`);
}

export function factsOf(row: FactRow): EventFacts {
  const { name, tenantName, summary, trigger } = row;
  return {
    name,
    tenantName,
    requested:
      trigger === null || row.requestedBy === null
        ? null
        : {
            trigger,
            requestedBy: requestedBy({
              trigger,
              requestedBy: row.requestedBy,
              requestedByName: row.requestedByName,
            }),
          },
    summary: summary === null ? null : (JSON.parse(summary) as PlanSummary),
  };
}
