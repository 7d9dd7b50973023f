/** The limits of a tenant by the installation's plan. A tenant's own `limits` take precedence. */
export const limitNames = [
  "instances",
  "targets",
  "templates",
  "webhooks",
  "members",
  "apiKeys",
  "deploymentsPerMonth",
] as const;

export type LimitName = (typeof limitNames)[number];

/** Quotas, counted exactly over the last minute: the name in responses and the name of the limit. */
export const quotaLimits = { deploys: "deploysPerMinute", imports: "importsPerMinute" } as const;

export type QuotaName = keyof typeof quotaLimits;
export const QUOTA_WINDOW_SECONDS = 60;
type QuotaLimitName = (typeof quotaLimits)[QuotaName];

/** Every limit that a plan, a license or a tenant can set. */
export const settableLimits = [
  ...limitNames,
  ...Object.values(quotaLimits),
] as const satisfies readonly (LimitName | QuotaLimitName)[];

/** Null: no limit. */
export type Limits = Readonly<Record<LimitName | QuotaLimitName, number | null>>;

export const planNames = ["community", "team", "enterprise"] as const;
export type PlanName = (typeof planNames)[number];

export const planLimits: Readonly<Record<PlanName, Limits>> = {
  community: {
    instances: 200,
    targets: 50,
    templates: 200,
    webhooks: 20,
    members: 50,
    apiKeys: 100,
    deploymentsPerMonth: 5_000,
    deploysPerMinute: 120,
    importsPerMinute: 20,
  },
  team: {
    instances: 1_000,
    targets: 200,
    templates: 1_000,
    webhooks: 50,
    members: 250,
    apiKeys: 500,
    deploymentsPerMonth: 50_000,
    deploysPerMinute: 300,
    importsPerMinute: 60,
  },
  enterprise: {
    instances: null,
    targets: null,
    templates: null,
    webhooks: 100,
    members: null,
    apiKeys: null,
    deploymentsPerMonth: null,
    deploysPerMinute: 1_200,
    importsPerMinute: 240,
  },
};
