import { sql } from "drizzle-orm";
import type { Db, Statement } from "#platform/db/client.ts";
import { instanceBindings } from "#schema/instances.ts";
import { triggers } from "#schema/triggers.ts";

/**
 * Makes due the `upstream_output` triggers of the instances that read these outputs, and returns
 * `{ tenantId, instanceId, id }` of each. `hops`: the length of the chain of such triggers, including this one.
 */
export function wakeReaders(
  db: Db,
  upstream: { tenantId: string; instanceId: string; atMs: number },
  { outputs, hops }: { outputs: readonly string[]; hops: number },
): Statement {
  const { tenantId, instanceId, atMs } = upstream;
  const b = instanceBindings;
  const t = triggers;
  const isRead = sql`b.output IN (SELECT value FROM json_each(${JSON.stringify(outputs)}))`;
  return db.all(sql`UPDATE ${t} SET next_fire_at_ms = ${atMs}, hops = max(coalesce(hops, 0), ${hops}),
      version = version + 1, updated_at_ms = ${atMs}
    WHERE ${t.tenantId} = ${tenantId} AND ${t.kind} = 'upstream_output' AND ${t.enabled} = 1
      AND ${t.instanceId} IN (SELECT b.reader_id FROM ${b} b WHERE b.tenant_id = ${tenantId}
        AND b.upstream_id = ${instanceId} AND ${isRead})
    RETURNING tenant_id AS tenantId, instance_id AS instanceId, id`);
}
