import { sql } from "drizzle-orm";
import { digestHex } from "#platform/crypto/digest.ts";
import type { Db, Statement } from "#platform/db/client.ts";
import { canonicalJson, type Json } from "#platform/json.ts";
import { auditEvents } from "#schema/audit.ts";

/** One change, for the audit log: who and when are the call's. */
export interface AuditEntry {
  write: "audit";
  tenantId: string;
  /** `deployment.cancel`, `cloud_target.create`. */
  action: string;
  resourceType: string;
  resourceId: string;
  /** The rows before and after; only their digests are kept. */
  before?: object | undefined;
  after?: object | undefined;
}

export function audit(
  action: string,
  resource: { tenantId: string; type: string; id: string },
  rows: { before?: object; after?: object },
): AuditEntry {
  return {
    write: "audit",
    tenantId: resource.tenantId,
    action,
    resourceType: resource.type,
    resourceId: resource.id,
    before: rows.before,
    after: rows.after,
  };
}

/** The digests of the rows before and after; null where there was none. */
export async function auditDigests(
  entry: AuditEntry,
): Promise<{ beforeDigest: string | null; afterDigest: string | null }> {
  return {
    beforeDigest: await digestOf(entry.before),
    afterDigest: await digestOf(entry.after),
  };
}

/**
 * The statement that appends the entry. It takes the next place in the tenant's chain: batches run one after the
 * other, so places are given in the order of the commits, without a gap. Hashing is the sweep's (areas/audit).
 */
export function auditStatement(
  db: Db,
  entry: AuditEntry,
  context: {
    id: string;
    atMs: number;
    actor: string;
    requestId: string;
    beforeDigest: string | null;
    afterDigest: string | null;
  },
): Statement {
  return db.insert(auditEvents).values({
    ...context,
    tenantId: entry.tenantId,
    sequence: sql`(SELECT coalesce(max(${auditEvents.sequence}), 0) + 1 FROM ${auditEvents} WHERE ${auditEvents.tenantId} = ${entry.tenantId})`,
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
  });
}

async function digestOf(row: object | undefined): Promise<string | null> {
  if (row === undefined) return null;
  return digestHex(canonicalJson(JSON.parse(JSON.stringify(row)) as Json));
}
