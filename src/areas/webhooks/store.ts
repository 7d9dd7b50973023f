import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { among, contains, type ListFilters, onePage } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import { rowsInScope } from "#http/lists/rows-in-scope.ts";
import type { Call } from "#kernel/call/call.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { firstIdAt } from "#platform/ids.ts";
import { events } from "#schema/events.ts";
import {
  type DeliveryState,
  webhookAttempts,
  webhookDeliveries,
  webhooks,
} from "#schema/webhooks.ts";
import type { Delivery, Webhook } from "./webhook.ts";

export const MAX_WEBHOOKS = 20;
export const MAX_TESTS_A_MINUTE = 10;

const selectWebhooks = selectFrom(webhooks);

export function findWebhook(call: Call, id: string) {
  return selectWebhooks.where(sql`${webhooks.id} = ${id} AND ${call.inScope(webhooks.tenantId)}`);
}

export interface WebhookFilters extends Omit<ListFilters, "name"> {
  state?: readonly string[] | undefined;
}

/** One more than the page holds. `q` searches the description, never the URL: tokens are part of URLs. */
export function findWebhooks(call: Call, page: PageRequest, { q, ...filters }: WebhookFilters) {
  const conditions = [
    ...among(webhooks.state, filters.state),
    ...(q === undefined ? [] : [contains(webhooks.searchText, q)]),
  ];
  return selectWebhooks.where(
    rowsInScope(call, webhooks, page, filters, { conditions }),
    onePage(webhooks, page),
  );
}

/** Holds while the tenant can have one more webhook. */
export function belowWebhookLimit(tenantId: string): SQL {
  return sql`(SELECT count(*) FROM ${webhooks} WHERE ${webhooks.tenantId} = ${tenantId}) < ${MAX_WEBHOOKS}`;
}

export function insertWebhook(call: Call, webhook: Webhook) {
  return call.write(webhook.tenantId, call.db.insert(webhooks).values(webhook));
}

/** Writes only the given columns: the consumer updates others of the same row. */
export function setWebhook(call: Call, webhook: Webhook, changes: Partial<Webhook>) {
  return call.write(
    webhook.tenantId,
    call.db.update(webhooks).set(changes).where(thisWebhook(webhook)),
  );
}

export function removeWebhook(call: Call, webhook: Webhook) {
  return call.write(webhook.tenantId, call.db.delete(webhooks).where(thisWebhook(webhook)));
}

function thisWebhook(webhook: Webhook): SQL {
  return sql`${webhooks.id} = ${webhook.id} AND ${webhooks.tenantId} = ${webhook.tenantId}`;
}

export interface DeliveryFilters {
  state?: DeliveryState | undefined;
  eventType?: string | undefined;
  sinceMs?: number | undefined;
}

/** The maximum difference between an id's time and its row's `created_at_ms`. */
export const ID_SLACK_MS = 60 * 60_000;

/** One more than the page holds, newest first. */
export function findDeliveries(
  call: Call,
  webhookId: string,
  page: PageRequest,
  filters: DeliveryFilters,
) {
  const t = webhookDeliveries;
  const { state, eventType, sinceMs } = filters;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${unindexed(t.tenantId)} = ${tenantOf(call, webhookId)} AND ${t.webhookId} = ${webhookId}
        AND ${state === undefined ? sql`1` : sql`${t.state} = ${state}`}
        AND ${eventType === undefined ? sql`1` : sql`${t.eventType} = ${eventType}`}
        AND ${sinceMs === undefined ? sql`1` : sql`${t.id} >= ${firstIdAt(sinceMs - ID_SLACK_MS)} AND ${t.createdAtMs} >= ${sinceMs}`}
        AND ${after(page, sql`${t.id}`)}`,
    )
    .orderBy(desc(t.id))
    .limit(page.limit + 1);
}

export function findDelivery(call: Call, webhookId: string, id: string) {
  const t = webhookDeliveries;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${t.tenantId} = ${tenantOf(call, webhookId)} AND ${t.id} = ${id} AND ${t.webhookId} = ${webhookId}`,
    );
}

/** The event of a delivery, as it is sent. No row: it is not kept any more. */
export function findSentEvent(call: Call, webhookId: string, id: string) {
  const d = webhookDeliveries;
  return call.db.all<{ payload: string }>(
    sql`SELECT e.payload AS payload FROM ${d} CROSS JOIN ${events} e
      ON e.tenant_id = ${d.eventTenantId} AND e.id = ${d.eventId}
      WHERE ${d.tenantId} = ${tenantOf(call, webhookId)} AND ${d.id} = ${id} AND ${d.webhookId} = ${webhookId}`,
  );
}

/** Oldest first. */
export function findAttempts(call: Call, webhookId: string, deliveryId: string) {
  const t = webhookAttempts;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${unindexed(t.tenantId)} = ${tenantOf(call, webhookId)} AND ${t.deliveryId} = ${deliveryId}`,
    )
    .orderBy(asc(t.id));
}

export function insertDelivery(call: Call, delivery: Delivery) {
  return call.write(delivery.tenantId, call.db.insert(webhookDeliveries).values(delivery));
}

/** Records the latest manual redelivery on the original delivery. */
export function setRepeatedBy(call: Call, by: Delivery, repeatsId: string) {
  const t = webhookDeliveries;
  return call.write(
    by.tenantId,
    call.db
      .update(t)
      .set({ repeatedById: by.id })
      .where(sql`${t.tenantId} = ${by.tenantId} AND ${t.id} = ${repeatsId}`),
  );
}

/** Holds while the event of a delivery is still kept. */
export function eventIsKept(delivery: Delivery): SQL {
  return sql`EXISTS (SELECT 1 FROM ${events}
    WHERE ${events.tenantId} = ${delivery.eventTenantId} AND ${events.id} = ${delivery.eventId})`;
}

/** The number of test deliveries of the webhook's tenant within the last minute. */
export function countTests(call: Call, webhookId: string) {
  return call.db.all<{ tests: number }>(
    sql`SELECT ${testsOf(tenantOf(call, webhookId), call.now)} AS tests`,
  );
}

/**
 * A column that must not select the index (`+`). Otherwise SQLite, without statistics here, chooses the primary key,
 * which starts with the tenant, and reads all of the tenant's rows (https://www.sqlite.org/optoverview.html#uplus).
 */
function unindexed(column: SQLiteColumn): SQL {
  return sql`+${column}`;
}

/** The tenant of a webhook that the caller can see; otherwise NULL. */
export function tenantOf(call: Call, webhookId: string): SQL {
  return sql`(SELECT ${webhooks.tenantId} FROM ${webhooks}
    WHERE ${webhooks.id} = ${webhookId} AND ${call.inScope(webhooks.tenantId)})`;
}

/** Holds while the tenant may send one more test. */
export function belowTestLimit(tenantId: string, nowMs: number): SQL {
  return sql`${testsOf(sql`${tenantId}`, nowMs)} < ${MAX_TESTS_A_MINUTE}`;
}

function testsOf(tenantId: SQL, nowMs: number): SQL {
  const sinceMs = nowMs - 60_000;
  return sql`(SELECT count(*) FROM ${webhookDeliveries} d
    WHERE d.tenant_id = ${tenantId} AND d.id >= ${firstIdAt(sinceMs)} AND d.created_at_ms > ${sinceMs}
      AND d.event_type = 'webhook.test' AND d.manual = 0)`;
}

function after(page: PageRequest, id: SQL): SQL {
  return page.afterId === undefined ? sql`1` : sql`${id} < ${page.afterId}`;
}
