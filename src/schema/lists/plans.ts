/** The limits of a tenant by the installation's plan. A tenant's own `limits` take precedence. */
export const limitNames = [
  "instances",
  "targets",
  "templates",
  "templateVersions",
  "profiles",
  "listings",
  "incidents",
  "imports",
  "webhooks",
  "members",
  "apiKeys",
  "deploymentsPerMonth",
  "webhookAnswerBytesPerMonth",
  "definitionBytes",
  "deploymentBytes",
  "importBytes",
  "changesPerDay",
  "auditEntries",
] as const;

export type LimitName = (typeof limitNames)[number];

/** Quotas, counted exactly over the last minute: the name in responses and the name of the limit. */
export const quotaLimits = {
  deploys: "deploysPerMinute",
  imports: "importsPerMinute",
  versions: "templateVersionsPerMinute",
} as const;

export type QuotaName = keyof typeof quotaLimits;
export const QUOTA_WINDOW_SECONDS = 60;
type QuotaLimitName = (typeof quotaLimits)[QuotaName];

/**
 * A limit that refuses nothing: so many of the newest deliveries and attempts, and a quarter as many events, are kept
 * for 30 days.
 */
export const KEPT_DELIVERIES = "keptDeliveries";

/** Every limit that a plan, a license or a tenant can set. */
export const settableLimits = [
  ...limitNames,
  ...Object.values(quotaLimits),
  KEPT_DELIVERIES,
] as const satisfies readonly (LimitName | QuotaLimitName | typeof KEPT_DELIVERIES)[];

/** Null: no limit. */
export type Limits = Readonly<Record<(typeof settableLimits)[number], number | null>>;

export const planNames = ["community", "team", "enterprise"] as const;
export type PlanName = (typeof planNames)[number];

const MIB = 1_024 * 1_024;

export const planLimits: Readonly<Record<PlanName, Limits>> = {
  community: {
    instances: 200,
    targets: 50,
    templates: 200,
    templateVersions: 5_000,
    profiles: 200,
    listings: 100,
    incidents: 2_000,
    imports: 500,
    webhooks: 20,
    members: 50,
    apiKeys: 100,
    deploymentsPerMonth: 5_000,
    webhookAnswerBytesPerMonth: 256 * MIB,
    definitionBytes: 128 * MIB,
    deploymentBytes: 256 * MIB,
    importBytes: 64 * MIB,
    changesPerDay: 5_000,
    auditEntries: 100_000,
    keptDeliveries: 50_000,
    deploysPerMinute: 120,
    importsPerMinute: 20,
    templateVersionsPerMinute: 60,
  },
  team: {
    instances: 1_000,
    targets: 200,
    templates: 1_000,
    templateVersions: 20_000,
    profiles: 1_000,
    listings: 500,
    incidents: 5_000,
    imports: 2_500,
    webhooks: 50,
    members: 250,
    apiKeys: 500,
    deploymentsPerMonth: 50_000,
    webhookAnswerBytesPerMonth: 1_024 * MIB,
    definitionBytes: 512 * MIB,
    deploymentBytes: 1_024 * MIB,
    importBytes: 256 * MIB,
    changesPerDay: 25_000,
    auditEntries: 500_000,
    keptDeliveries: 200_000,
    deploysPerMinute: 300,
    importsPerMinute: 60,
    templateVersionsPerMinute: 120,
  },
  enterprise: {
    instances: null,
    targets: null,
    templates: null,
    templateVersions: 50_000,
    profiles: 10_000,
    listings: 5_000,
    incidents: 20_000,
    imports: 10_000,
    webhooks: 100,
    members: null,
    apiKeys: null,
    deploymentsPerMonth: null,
    webhookAnswerBytesPerMonth: 4_096 * MIB,
    definitionBytes: 1_024 * MIB,
    deploymentBytes: 2_048 * MIB,
    importBytes: 512 * MIB,
    changesPerDay: 100_000,
    auditEntries: 2_000_000,
    keptDeliveries: 500_000,
    deploysPerMinute: 1_200,
    importsPerMinute: 240,
    templateVersionsPerMinute: 600,
  },
};
