import { type Client, clientOf, type Named } from "../scripts/client/client.ts";
import { unique, type Workers } from "./start-workers.ts";

export interface BenchTenant {
  client: Client;
  tenantId: string;
  key: string;
}

/** Benchmarks exceed the default plan's limits. */
const limits = {
  apiKeys: null,
  targets: null,
  templates: null,
  deploymentsPerMonth: null,
  changesPerDay: null,
};

/** Creates a tenant with an API key of every scope. */
export async function makeTenant(workers: Workers): Promise<BenchTenant> {
  const operator = clientOf(workers.service, workers.operatorKey);
  const slug = unique("bench");
  const tenant = await operator.post<Named>("/tenants", { name: `Tenant ${slug}`, slug, limits });
  const { key } = await operator.post<{ key: string }>("/api-keys", {
    name: "bench",
    scopes: ["*"],
    tenantId: tenant.id,
  });
  return { client: clientOf(workers.service, key), tenantId: tenant.id, key };
}

/** Creates an instance of a new template with this source on a new mock target with this config. */
export async function makeInstance(
  { client }: BenchTenant,
  source: string,
  config: Readonly<Record<string, unknown>>,
): Promise<string> {
  const name = unique("bench");
  const target = await client.post<Named>("/cloud/targets", {
    provider: "mock",
    name,
    environment: "sandbox",
    config,
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
    maxConcurrentDeployments: 20,
  });
  const template = await client.post<Named>("/templates", { name, source });
  const instance = await client.post<Named>("/instances", {
    name,
    templateId: template.id,
    targetId: target.id,
  });
  return instance.id;
}
