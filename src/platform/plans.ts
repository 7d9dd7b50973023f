/** What a tenant may have, by the plan of the installation. A tenant's own `limits` go before these. */
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

/** Null: no limit. */
export type Limits = Readonly<Record<LimitName, number | null>>;

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
  },
  team: {
    instances: 1_000,
    targets: 200,
    templates: 1_000,
    webhooks: 50,
    members: 250,
    apiKeys: 500,
    deploymentsPerMonth: 50_000,
  },
  enterprise: {
    instances: null,
    targets: null,
    templates: null,
    webhooks: 100,
    members: null,
    apiKeys: null,
    deploymentsPerMonth: null,
  },
};
