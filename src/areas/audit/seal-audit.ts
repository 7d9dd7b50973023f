/**
 * Every minute, computes the hashes of new audit entries. Writers only take a sequence number: each hash needs the
 * previous one, so writers would wait for each other. An entry's hash depends only on the entries up to it, so two
 * sweeps at once write the same hashes, and the next sweep completes one that died.
 */
import { sql } from "drizzle-orm";
import { CHAIN_START, chainHash } from "#kernel/audit/audit-chain.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { type Db, openDb, runBatch } from "#platform/db/client.ts";
import { tenantWalk } from "#platform/db/tenant-walk.ts";
import { auditEvents, auditSeals } from "#schema/audit.ts";
import { type AuditEvent, auditRecord } from "./store.ts";

const SEALED_A_STEP = 500;
/** Tenants in one step. A step sorts a fixed multiple of it, whatever the backlog. */
const TENANTS_A_STEP = 50;
/** The next sweep continues: a backlog must not delay the other sweeps. */
const MAX_STEPS = 20;

interface Unsealed extends AuditEvent {
  /** The hash of the tenant's last sealed entry. */
  lastHash: string | null;
}

export async function sealAudit(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const rows = await findUnsealed(db);
    if (rows.length === 0) return;
    await putSeals(db, await sealsOf(rows), nowMs);
    const tenants = new Set(rows.map(({ tenantId }) => tenantId));
    if (rows.length < SEALED_A_STEP && tenants.size < TENANTS_A_STEP) return;
  }
}

/**
 * The next entries without a hash, in the order of their tenant's sequence: the same number for each tenant, of random
 * tenants, so that one backlog delays no other tenant.
 */
async function findUnsealed(db: Db): Promise<Unsealed[]> {
  const e = auditEvents;
  const [rows] = await runBatch(db, [
    db.all<Unsealed>(sql`
      WITH RECURSIVE ${tenantWalk(e)}, sealed AS (
        SELECT id, coalesce((SELECT max(sequence) FROM ${auditSeals} WHERE tenant_id = tenant.id), 0) AS sealed
        FROM tenant WHERE id IS NOT NULL
      ), chain AS MATERIALIZED (
        SELECT id, sealed,
          (SELECT min(sequence) FROM ${e} WHERE tenant_id = sealed.id AND sequence > sealed.sealed) AS next
        FROM sealed WHERE next IS NOT NULL ORDER BY random() LIMIT ${TENANTS_A_STEP}
      )
      SELECT e.tenant_id AS tenantId, e.id, e.at_ms AS atMs, e.sequence, e.actor, e.action,
        e.resource_type AS resourceType, e.resource_id AS resourceId, e.request_id AS requestId,
        e.before_digest AS beforeDigest, e.after_digest AS afterDigest,
        (SELECT s.hash FROM ${auditSeals} s
          WHERE s.tenant_id = chain.id AND s.sequence = chain.sealed) AS lastHash
      FROM chain CROSS JOIN ${e} e ON e.tenant_id = chain.id
        AND e.sequence >= chain.next AND e.sequence < chain.next + ${SEALED_A_STEP}
      ORDER BY e.sequence - chain.next
      LIMIT ${SEALED_A_STEP}`),
  ]);
  return rows;
}

async function sealsOf(rows: readonly Unsealed[]) {
  const seals: { tenantId: string; sequence: number; prevHash: string; hash: string }[] = [];
  const hashes = new Map<string, string>();
  for (const row of rows) {
    const { tenantId, sequence, lastHash } = row;
    if (sequence === null) continue;
    const prevHash = hashes.get(tenantId) ?? lastHash ?? CHAIN_START;
    const hash = await chainHash(prevHash, auditRecord(row));
    hashes.set(tenantId, hash);
    seals.push({ tenantId, sequence, prevHash, hash });
  }
  return seals;
}

async function putSeals(
  db: Db,
  seals: Awaited<ReturnType<typeof sealsOf>>,
  nowMs: number,
): Promise<void> {
  await runBatch(db, [
    db.run(sql`INSERT INTO ${auditSeals} (tenant_id, sequence, prev_hash, hash, sealed_at_ms)
      SELECT value ->> 'tenantId', value ->> 'sequence', value ->> 'prevHash', value ->> 'hash', ${nowMs}
      FROM json_each(${JSON.stringify(seals)}) WHERE 1 ON CONFLICT DO NOTHING`),
  ]);
}
