/**
 * The limit for receivers' answers that a tenant may store in a month. It never refuses a delivery: beyond it, the
 * answer is not stored. The batch that records the attempts also counts.
 */
import { type SQL, sql } from "drizzle-orm";
import { limitSql, monthOf } from "#kernel/limits/limits.ts";
import type { Db, Statement } from "#platform/db/client.ts";
import type { Limits } from "#schema/lists/plans.ts";
import { monthlyUsage } from "#schema/tenants.ts";
import { type WebhookAttempt, webhookAttempts } from "#schema/webhooks.ts";

const NAME = "webhookAnswerBytesPerMonth";

/** The sizes that decide whether an attempt's answer is stored, in bytes. */
export interface AnswerSize {
  answerBytes: number;
  /** The same tenant's answers before this one in the batch. */
  bytesBefore: number;
}

/** The sizes of the answers, in the order of the attempts. */
export function answerSizes(attempts: readonly WebhookAttempt[]): AnswerSize[] {
  const before = new Map<string, number>();
  return attempts.map(({ tenantId, answer }) => {
    const answerBytes = new TextEncoder().encode(answer).byteLength;
    const bytesBefore = before.get(tenantId) ?? 0;
    before.set(tenantId, bytesBefore + answerBytes);
    return { answerBytes, bytesBefore };
  });
}

/** Holds if an answer of this size may be stored. */
export function belowAnswerLimit(
  tenantId: SQL,
  size: { [name in keyof AnswerSize]: SQL },
  context: { limits: Limits; nowMs: number },
): SQL {
  const limit = limitSql({ tenantId, name: NAME, planLimit: context.limits[NAME] });
  const used = sql`coalesce((SELECT used FROM ${monthlyUsage} WHERE tenant_id = ${tenantId}
    AND month = ${monthOf(context.nowMs)} AND limit_name = ${NAME}), 0)`;
  return sql`(${size.answerBytes} = 0 OR ${limit} IS NULL
    OR ${used} + ${size.bytesBefore} + ${size.answerBytes} <= ${limit})`;
}

/** Counts the stored answers of attempts that were just recorded. */
export function countAnswers(
  db: Db,
  attempts: readonly WebhookAttempt[],
  nowMs: number,
): Statement[] {
  const answered = attempts.filter(({ answer }) => answer !== "");
  if (answered.length === 0) return [];
  const list = JSON.stringify(answered.map(({ tenantId, id }) => ({ tenantId, id })));
  return [
    db.run(sql`INSERT INTO ${monthlyUsage} (tenant_id, month, limit_name, used)
      SELECT a.tenant_id, ${monthOf(nowMs)}, ${NAME}, sum(length(CAST(a.answer AS BLOB)))
      FROM json_each(${list}) j
      CROSS JOIN ${webhookAttempts} a ON a.tenant_id = j.value ->> 'tenantId' AND a.id = j.value ->> 'id'
      WHERE a.answer <> '' GROUP BY a.tenant_id
      ON CONFLICT (tenant_id, month, limit_name) DO UPDATE SET used = used + excluded.used`),
  ];
}
