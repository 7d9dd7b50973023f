import type { ByteBudget } from "./byte-budgets.ts";
import type { Limits } from "./plans.ts";

/**
 * The bound on the bytes of each table that a tenant's actions make grow. All tenants share one database of 10 GB, so
 * every table is here. A test fails for a missing table, for a row larger than its entry says, and for rows that
 * together exceed a tenant's storage (decision 0014).
 */
export type TableBudget = {
  /** The largest row, in bytes of its columns. */
  rowBytes: number;
  kept: "until deleted" | "24 hours" | "30 days" | "50 deployments, 30 days" | "for ever";
} & (
  | { by: "bytes"; budget: ByteBudget }
  /** The number of rows for each unit of the limit. */
  | { by: "rows"; limit: keyof Limits; each?: number }
);

const KIB = 1_024;

export const tableBudgets: Readonly<Record<string, TableBudget>> = {
  template_versions: {
    by: "bytes",
    budget: "definitionBytes",
    rowBytes: 1_900 * KIB,
    kept: "until deleted",
  },
  component_uses: {
    by: "bytes",
    budget: "definitionBytes",
    rowBytes: KIB * 0.25,
    kept: "until deleted",
  },
  profiles: { by: "bytes", budget: "definitionBytes", rowBytes: 310 * KIB, kept: "until deleted" },
  incidents: { by: "bytes", budget: "definitionBytes", rowBytes: 48 * KIB, kept: "until deleted" },
  incident_updates: {
    by: "bytes",
    budget: "definitionBytes",
    rowBytes: 32 * KIB,
    kept: "until deleted",
  },
  triggers: { by: "bytes", budget: "definitionBytes", rowBytes: 66 * KIB, kept: "until deleted" },
  deployments: {
    by: "bytes",
    budget: "deploymentBytes",
    rowBytes: 400 * KIB,
    kept: "50 deployments, 30 days",
  },
  deployment_plans: {
    by: "bytes",
    budget: "deploymentBytes",
    rowBytes: 1_900 * KIB,
    kept: "50 deployments, 30 days",
  },
  imports: { by: "bytes", budget: "importBytes", rowBytes: 140 * KIB, kept: "30 days" },
  import_parts: { by: "bytes", budget: "importBytes", rowBytes: 1_000 * KIB, kept: "30 days" },
  import_drafts: { by: "bytes", budget: "importBytes", rowBytes: 1_900 * KIB, kept: "30 days" },
  // The variables count against `definitionBytes`. The outputs, also sealed, are bounded by the number of instances.
  instances: { by: "rows", limit: "instances", rowBytes: 950 * KIB, kept: "until deleted" },
  instance_bindings: {
    by: "rows",
    limit: "instances",
    each: 50,
    rowBytes: 1 * KIB,
    kept: "until deleted",
  },
  cloud_targets: { by: "rows", limit: "targets", rowBytes: 40 * KIB, kept: "until deleted" },
  templates: { by: "rows", limit: "templates", rowBytes: 16 * KIB, kept: "until deleted" },
  listings: { by: "rows", limit: "listings", rowBytes: 56 * KIB, kept: "until deleted" },
  listing_slugs: {
    by: "rows",
    limit: "listings",
    each: 2,
    rowBytes: 1 * KIB,
    kept: "until deleted",
  },
  webhooks: { by: "rows", limit: "webhooks", rowBytes: 24 * KIB, kept: "until deleted" },
  webhook_recoveries: {
    by: "rows",
    limit: "webhooks",
    each: 100,
    rowBytes: 1 * KIB,
    kept: "30 days",
  },
  members: { by: "rows", limit: "members", rowBytes: 1 * KIB, kept: "until deleted" },
  invitations: { by: "rows", limit: "members", rowBytes: 2 * KIB, kept: "until deleted" },
  api_keys: { by: "rows", limit: "apiKeys", each: 11, rowBytes: 4 * KIB, kept: "until deleted" },
  tenant_email_domains: {
    by: "rows",
    limit: "members",
    each: 20,
    rowBytes: 1 * KIB,
    kept: "until deleted",
  },
  monthly_usage: { by: "rows", limit: "members", rowBytes: 1 * KIB, kept: "for ever" },
  tenant_bytes: { by: "rows", limit: "members", rowBytes: 1 * KIB, kept: "for ever" },
  status_days: { by: "rows", limit: "members", each: 4, rowBytes: 1 * KIB, kept: "30 days" },
  announced_statuses: { by: "rows", limit: "members", rowBytes: 1 * KIB, kept: "for ever" },
  // Besides one for each change, 84,000 of 768 bytes for requests that changed nothing: 1,200 a minute for ten minutes,
  // and up to an hour until the sweep.
  idempotency_keys: {
    by: "rows",
    limit: "changesPerDay",
    each: 3,
    rowBytes: 6 * KIB,
    kept: "24 hours",
  },
  // A change has at most two, which are kept for six days whatever their number.
  events: { by: "rows", limit: "changesPerDay", each: 12, rowBytes: 2 * KIB, kept: "30 days" },
  webhook_deliveries: {
    by: "rows",
    limit: "keptDeliveries",
    rowBytes: 1 * KIB,
    kept: "30 days",
  },
  // Without the answers, which `webhookAnswerBytesPerMonth` bounds.
  webhook_attempts: { by: "rows", limit: "keptDeliveries", rowBytes: 2 * KIB, kept: "30 days" },
  audit_events: { by: "rows", limit: "auditEntries", rowBytes: KIB * 0.75, kept: "for ever" },
  audit_seals: { by: "rows", limit: "auditEntries", rowBytes: KIB * 0.25, kept: "for ever" },
  removed_members: { by: "rows", limit: "auditEntries", rowBytes: KIB * 0.25, kept: "for ever" },
};
