import { sql } from "drizzle-orm";
import { digestHex } from "#platform/crypto/digest.ts";
import type { Db, Statement } from "#platform/db/client.ts";
import { canonicalJson, type Json } from "#platform/json.ts";
import { auditEvents } from "#schema/audit.ts";

/** One change for the audit log; the call adds the actor and the time. */
export interface AuditEntry {
  write: "audit";
  tenantId: string;
  /** `deployment.cancel`, `cloud_target.create`. */
  action: string;
  resourceType: string;
  resourceId: string;
  /** The rows before and after; only their digests are stored. */
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

/** The digests of the rows before and after; null where there is no row. */
export async function auditDigests(
  entry: AuditEntry,
): Promise<{ beforeDigest: string | null; afterDigest: string | null }> {
  return {
    beforeDigest: await digestOf(entry.before),
    afterDigest: await digestOf(entry.after),
  };
}

/**
 * The statement that appends the entry with the next sequence number of the tenant. Batches run one after the other,
 * so the numbers follow the order of the commits, without gaps. The sweep adds the hash (areas/audit).
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
  const { id, atMs, actor, requestId, beforeDigest, afterDigest } = context;
  const { tenantId, action, resourceType, resourceId } = entry;
  return db.run(sql`INSERT INTO ${auditEvents} (tenant_id, id, at_ms, sequence, actor, action, resource_type, resource_id,
      request_id, before_digest, after_digest)
    VALUES (${tenantId}, ${id}, ${atMs},
      (SELECT coalesce(max(sequence), 0) + 1 FROM ${auditEvents} WHERE tenant_id = ${tenantId}),
      ${actor}, ${action}, ${resourceType}, ${resourceId}, ${requestId}, ${beforeDigest}, ${afterDigest})`);
}

async function digestOf(row: object | undefined): Promise<string | null> {
  if (row === undefined) return null;
  return digestHex(canonicalJson(JSON.parse(JSON.stringify(row)) as Json));
}
