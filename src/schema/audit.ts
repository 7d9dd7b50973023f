import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Append-only: triggers abort UPDATE and DELETE. */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    atMs: integer().notNull(),
    /** Position in the tenant's chain: 1, 2, 3 without gaps, in commit order. */
    sequence: integer().notNull(),
    /** `key:<key id>`, `member:<user id>`, `operator:<key or user id>`, `system:<part>`. */
    actor: text().notNull(),
    /** `deployment.cancel`, `cloud_target.create`. */
    action: text().notNull(),
    resourceType: text().notNull(),
    resourceId: text().notNull(),
    requestId: text().notNull(),
    /** SHA-256 of the canonical JSON of the row; null when there was no row. */
    beforeDigest: text(),
    afterDigest: text(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    uniqueIndex("audit_events_by_sequence").on(t.tenantId, t.sequence),
  ],
);

/**
 * The hash chain over a tenant's audit events: the hash of each entry and all entries before it. A sweep writes it
 * separately, because entries are written concurrently and never changed. Append-only.
 */
export const auditSeals = sqliteTable(
  "audit_seals",
  {
    tenantId: text().notNull(),
    sequence: integer().notNull(),
    prevHash: text().notNull(),
    hash: text().notNull(),
    sealedAtMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.sequence] })],
);
