/**
 * Tables that serve every area: who may call, what happened, what must be told. `webhooks` and
 * `webhook_deliveries` stand here and not in their area because every change writes its deliveries in its
 * own commit (outbox.ts), and no area may import webhooks.
 */
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { TenantRole } from "#platform/access.ts";
import type { Trace } from "#platform/trace.ts";

export const apiKeys = sqliteTable(
  "api_keys",
  {
    /** UUID. In the key itself it stands without dashes. */
    id: text().primaryKey(),
    /** `platform` for an operator's key. */
    tenantId: text().notNull(),
    name: text().notNull(),
    /** What may be shown to recognise the key. */
    prefix: text().notNull(),
    /** SHA-256 of the key, hex. */
    digest: text().notNull(),
    /** Of the key before the last rotation, which works until then too. */
    previousDigest: text(),
    previousExpiresAtMs: integer(),
    scopes: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    createdBy: text().notNull(),
    /** Whose role in the tenant bounds the key. Null: an operator made it, and it has an owner's rights. */
    creatorUserId: text(),
    expiresAtMs: integer(),
    revokedAtMs: integer(),
    lastUsedAtMs: integer(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("api_keys_by_tenant").on(t.tenantId, t.id),
    index("api_keys_live")
      .on(t.tenantId)
      .where(sql`revoked_at_ms IS NULL`),
  ],
);

/**
 * A person. Known by issuer and subject once they have signed in, and by nothing else: an e-mail address alone
 * proves nobody. Until then a row without an issuer holds the place of whoever proves the address.
 */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    /** In lower case. */
    email: text().notNull(),
    /** The address was verified by a provider that is trusted for addresses. */
    emailTrusted: integer({ mode: "boolean" }).notNull(),
    name: text(),
    issuer: text(),
    subject: text(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("users_by_email").on(t.email),
    uniqueIndex("users_by_identity").on(t.issuer, t.subject),
    uniqueIndex("users_expected")
      .on(t.email)
      .where(sql`issuer IS NULL`),
  ],
);

/**
 * Who is signed in, in which browser. The token is in the cookie alone. Ended by signing out, by being revoked, by
 * eight hours without use or seven days after the sign-in (http/session-life.ts).
 */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    /** SHA-256 of the token, hex. */
    digest: text().notNull(),
    userId: text().notNull(),
    /** Who signed in was on the operator list: the session acts as an operator while that is so. */
    operator: integer({ mode: "boolean" }).notNull(),
    /** The sign-in provider's id. */
    provider: text().notNull(),
    /** What the browser called itself. */
    userAgent: text(),
    /** Written at most every five minutes. */
    lastSeenAtMs: integer().notNull(),
    expiresAtMs: integer().notNull(),
    createdAtMs: integer().notNull(),
  },
  (t) => [
    uniqueIndex("sessions_by_digest").on(t.digest),
    index("sessions_of_user").on(t.userId, t.id),
    index("sessions_by_last_use").on(t.lastSeenAtMs),
  ],
);

/** A user's role in a tenant. `id` is the membership's: one who comes back is a new member. */
export const members = sqliteTable(
  "members",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    userId: text().notNull(),
    role: text().$type<TenantRole>().notNull(),
    /** `domain`: the address they proved is of a domain the tenant allows, and nobody else let them in. */
    via: text().$type<"domain">(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    uniqueIndex("members_by_user").on(t.tenantId, t.userId),
    index("members_by_tenant").on(t.tenantId, t.id),
    index("members_of_user").on(t.userId),
  ],
);

/** What a tenant has used of a monthly limit. WITHOUT ROWID (set by hand in the migration). */
export const monthlyUsage = sqliteTable(
  "monthly_usage",
  {
    tenantId: text().notNull(),
    /** `2026-11`, UTC. */
    month: text().notNull(),
    /** The name of the limit. */
    limitName: text().notNull(),
    used: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.month, t.limitName] })],
);

/** WITHOUT ROWID (set by hand in the migration): one billed row an insert in place of three. */
export const events = sqliteTable(
  "events",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    type: text().notNull(),
    resourceType: text().notNull(),
    resourceId: text().notNull(),
    /** The exact bytes that every attempt of every delivery sends. */
    payload: text().notNull(),
    /** Of whoever's request it came of: what is sent because of it belongs to that trace. */
    trace: text({ mode: "json" }).$type<Trace>(),
    createdAtMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] })],
);

export type WebhookState = "ENABLED" | "DISABLED";

/** A superseded secret that still signs. */
export interface OldSecret {
  sealed: string;
  expiresAtMs: number;
}

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    url: text().notNull(),
    description: text().notNull(),
    /** Exact kinds, `resource.*` or `*`. */
    events: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    state: text().$type<WebhookState>().notNull(),
    disabledReason: text().$type<"user" | "failing" | "gone">(),
    /** Sealed `whsec_…`. */
    secret: text().notNull(),
    oldSecrets: text({ mode: "json" }).$type<readonly OldSecret[]>().notNull(),
    /** The first failure since the last success; null while all is well. */
    failingSinceMs: integer(),
    /** The `webhook.failing` that was sent for this row of failures; null: none was. */
    failingEventId: text(),
    /** The last attempt was slow: the next one waits in the slow queue. */
    slow: integer({ mode: "boolean" }).notNull().default(false),
    /** Failed attempts since the last one that delivered. */
    failuresInRow: integer().notNull().default(0),
    /** Since when deliveries are held back; null: the circuit is closed. */
    circuitOpenSinceMs: integer(),
    /** No probe before this. Set while the circuit is open. */
    nextProbeAtMs: integer(),
    /** The one delivery that may be sent while the circuit is open. */
    probeDeliveryId: text(),
    /** What failed before this does not open the circuit again. */
    circuitClosedAtMs: integer(),
    /** There may be held deliveries to let go, though the circuit is closed. */
    draining: integer({ mode: "boolean" }).notNull().default(false),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [index("webhooks_by_tenant").on(t.tenantId, t.id)],
);

export type DeliveryState = "PENDING" | "RETRYING" | "SUCCEEDED" | "EXHAUSTED" | "CANCELED";

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    webhookId: text().notNull(),
    /** Whose event it is: not the webhook's tenant when the platform listens to a tenant. */
    eventTenantId: text().notNull(),
    eventId: text().notNull(),
    eventType: text().notNull(),
    state: text().$type<DeliveryState>().notNull(),
    attempts: integer().notNull(),
    /** A redelivery somebody asked for: one attempt, no retries. */
    manual: integer({ mode: "boolean" }).notNull(),
    /** When the next attempt is due; null when there will be none. */
    dueAtMs: integer(),
    /** Whoever claimed the delivery holds it until then; a crash lets it lapse. */
    leaseUntilMs: integer().notNull(),
    /** It was due, and waits for the webhook's circuit to close; it is due no more. Null: it is not held. */
    heldAtMs: integer(),
    /** Of a manual delivery: the one that the event itself made. */
    repeatsId: text(),
    /** Of a delivery that the event made: the last manual one of the same event. */
    repeatedById: text(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index("webhook_deliveries_by_webhook").on(t.webhookId, t.id),
    index("webhook_deliveries_held")
      .on(t.webhookId, t.id)
      .where(sql`held_at_ms IS NOT NULL`),
    index("webhook_deliveries_due")
      .on(t.dueAtMs)
      .where(sql`due_at_ms IS NOT NULL`),
  ],
);

/** Append-only: triggers abort UPDATE and DELETE. */
export const auditEvents = sqliteTable(
  "audit_events",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    atMs: integer().notNull(),
    /** Its place in the tenant's chain: 1, 2, 3 without a gap, given in the order of the commits. */
    sequence: integer(),
    /** `key:<key id>`, `member:<user id>`, `operator:<key or user id>`, `system:<part>`. */
    actor: text().notNull(),
    /** `deployment.cancel`, `cloud_target.create`. */
    action: text().notNull(),
    resourceType: text().notNull(),
    resourceId: text().notNull(),
    requestId: text().notNull(),
    /** SHA-256 of the canonical JSON of the row; null: there was none. */
    beforeDigest: text(),
    afterDigest: text(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    uniqueIndex("audit_events_by_sequence").on(t.tenantId, t.sequence),
  ],
);

/**
 * The chain over the audit events of a tenant: what each entry and all before it hash to. Made by a sweep, apart
 * from the entries, since those are written by many at once and never changed. Append-only too.
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

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    /** Who: the actor's name. Keys of two callers never meet. */
    principal: text().notNull(),
    /** `POST /api/v1/templates` and the caller's key. */
    operation: text().notNull(),
    key: text().notNull(),
    bodyDigest: text().notNull(),
    status: integer().notNull(),
    headers: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    body: text().notNull(),
    expiresAtMs: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.principal, t.operation, t.key] })],
);
