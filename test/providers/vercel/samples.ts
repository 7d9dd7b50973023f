/** Properties of one object of every type: as created, changed in place, and changed so that it is replaced. */
import type { JsonMap } from "#platform/json.ts";

export interface Sample {
  properties: JsonMap;
  /** Absent: nothing can be changed in place. */
  changed?: JsonMap;
  /** Absent: everything can. */
  replaced?: JsonMap;
  /** It always exists: a delete leaves it. */
  stays?: true;
}

/** Ids of objects that others refer to. */
export interface SampleParents {
  project: string;
  config: string;
}

export const parentTypes = {
  project: "Project",
  config: "EdgeConfig",
} as const satisfies Record<keyof SampleParents, string>;

export function samplesOf({ project, config }: SampleParents): Readonly<Record<string, Sample>> {
  const shop = {
    name: "shop",
    framework: "nextjs",
    buildCommand: "npm run build",
    serverlessFunctionRegion: "fra1",
    gitForkProtection: true,
    nodeVersion: "20.x",
    passwordProtection: { deploymentType: "preview", password: "canary-of-the-page" },
  };
  const variable = {
    projectId: project,
    key: "MODE",
    value: "live",
    type: "encrypted",
    target: ["production"],
  };
  const domain = { projectId: project, name: "shop.example", redirect: "www.shop.example" };
  const environment = {
    projectId: project,
    slug: "staging",
    branchMatcher: { type: "equals", pattern: "staging" },
  };
  const conditions = [{ type: "path", op: "pre", value: "/admin" }];
  const firewall = {
    projectId: project,
    firewallEnabled: true,
    rules: [
      {
        name: "No admin",
        active: true,
        conditionGroup: [{ conditions }],
        action: { mitigate: { action: "deny" } },
      },
    ],
    ips: [{ hostname: "*", ip: "192.0.2.1", action: "deny" }],
    crs: { sqli: { active: true, action: "deny" } },
    managedRules: { bot_protection: { active: true, action: "challenge" } },
  };
  const deployment = {
    name: "shop",
    project,
    target: "production",
    files: [{ file: "index.html", data: "<h1>Shop</h1>", encoding: "utf-8" }],
    meta: { release: "1" },
  };
  const sharedVariable = {
    key: "SHOP_KEY",
    value: "canary-shared",
    type: "encrypted",
    target: ["production", "preview"],
    projectId: [project],
    comment: "Of all shops",
  };
  const drain = {
    name: "logs",
    projects: "some",
    projectIds: [project],
    filter: {
      version: "v2",
      filter: {
        type: "basic",
        log: { sources: ["build"] },
        deployment: { environments: ["production"] },
      },
    },
    schemas: { log: { version: "v1" } },
    delivery: {
      type: "http",
      endpoint: "https://logs.example/vercel",
      encoding: "json",
      headers: { authorization: "canary-header" },
    },
    sampling: [{ type: "head_sampling", rate: 0.5 }],
  };
  const record = { domain: "shop.example", name: "www", type: "A", value: "192.0.2.1", ttl: 60 };
  const srv = { priority: 1, weight: 2, port: 443, target: "a.example" };
  const service = { domain: "shop.example", name: "_sip._tcp", type: "SRV", srv };
  const webhook = { url: "https://hooks.example/vercel", events: ["deployment.created"] };
  return {
    Project: {
      properties: shop,
      changed: {
        ...shop,
        name: "store",
        framework: "astro",
        resourceConfig: { fluid: true },
        oidcTokenConfig: { enabled: true, issuerMode: "team" },
      },
    },
    EnvVar: {
      properties: variable,
      changed: { ...variable, value: "test", target: ["preview"], comment: "The mode" },
      replaced: { ...variable, type: "sensitive" },
    },
    ProjectDomain: {
      properties: domain,
      changed: { ...domain, redirect: "store.example", redirectStatusCode: 308 },
      replaced: { projectId: project, name: "other.example" },
    },
    FirewallConfig: {
      properties: firewall,
      changed: { ...firewall, ips: [], botIdEnabled: true },
      stays: true,
    },
    CustomEnvironment: {
      properties: environment,
      changed: { ...environment, slug: "test", description: "For tests" },
    },
    Deployment: {
      properties: deployment,
      replaced: { ...deployment, meta: { release: "2" } },
    },
    EdgeConfig: {
      properties: { slug: "flags", items: { beta: true } },
      changed: { slug: "switches", items: { beta: true } },
    },
    EdgeConfigToken: {
      properties: { edgeConfigId: config, label: "web" },
      replaced: { edgeConfigId: config, label: "api" },
    },
    SharedEnvVar: {
      properties: sharedVariable,
      changed: { ...sharedVariable, value: "canary-changed", target: ["preview"], comment: "" },
      replaced: { ...sharedVariable, type: "sensitive" },
    },
    Drain: {
      properties: drain,
      replaced: { ...drain, projects: "all", projectIds: [] },
    },
    DnsRecord: {
      properties: record,
      changed: { ...record, value: "192.0.2.2", ttl: 120, comment: "The web" },
      replaced: { ...record, type: "TXT" },
    },
    SrvRecord: {
      properties: service,
      changed: { ...service, srv: { ...srv, port: 8443 } },
    },
    Webhook: {
      properties: webhook,
      replaced: { ...webhook, events: ["deployment.error"] },
    },
    Certificate: {
      properties: { cns: ["shop.example"] },
      replaced: { cns: ["shop.example", "www.shop.example"] },
    },
  };
}

/** The type of a sample: records are of several kinds. */
export function typeOf(sample: string): string {
  return `vercel:${sample === "SrvRecord" ? "DnsRecord" : sample}`;
}
