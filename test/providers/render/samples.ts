/** Properties of one object of every type: as created, changed in place, and changed so that it is replaced. */
import type { JsonMap } from "#platform/json.ts";

export interface Sample {
  properties: JsonMap;
  /** Absent: nothing can be changed in place. */
  changed?: JsonMap;
  /** Absent: everything can. */
  replaced?: JsonMap;
  /** It always exists: a delete sets it back or leaves it. */
  stays?: true;
}

/** Ids of objects that others refer to. */
export interface SampleParents {
  project: string;
  environment: string;
  site: string;
  web: string;
  credential: string;
}

/** In the order in which they are made. */
export const parentTypes = {
  project: "Project",
  environment: "Environment",
  credential: "RegistryCredential",
  site: "StaticSite",
  web: "Service",
} as const satisfies Record<keyof SampleParents, string>;

export function samplesOf(parents: SampleParents): Readonly<Record<string, Sample>> {
  const rule = { cidrBlock: "192.0.2.0/24", description: "office" };
  const inEnvironment = { environmentId: parents.environment };
  const serviceDetails = {
    region: "frankfurt",
    runtime: "node",
    plan: "starter",
    numInstances: 1,
    envSpecificDetails: { buildCommand: "npm ci", startCommand: "npm start" },
  };
  const service = {
    type: "web_service",
    name: "web",
    repo: "https://git.example/shop",
    branch: "main",
    envVars: [{ key: "MODE", value: "live" }],
    secretFiles: [{ name: "key.pem", content: "k" }],
    serviceDetails: { ...serviceDetails, healthCheckPath: "/health" },
  };
  const site = {
    type: "static_site",
    name: "site",
    repo: "https://git.example/site",
    serviceDetails: { buildCommand: "npm run build", publishPath: "dist" },
  };
  const cron = {
    type: "cron_job",
    name: "nightly",
    image: { imagePath: "images.example/nightly:1", registryCredentialId: parents.credential },
    serviceDetails: { region: "frankfurt", runtime: "image", schedule: "0 3 * * *" },
  };
  const worker = { ...service, type: "background_worker", name: "jobs", serviceDetails };
  const postgres = {
    name: "main",
    plan: "basic_256mb",
    version: "17",
    region: "frankfurt",
    ipAllowList: [rule],
    ...inEnvironment,
  };
  const keyValue = { name: "cache", plan: "starter", region: "frankfurt" };
  const group = {
    name: "shared",
    envVars: [
      { key: "A", value: "1" },
      { key: "B", value: "2" },
    ],
    serviceIds: [parents.web],
  };
  const domain = { serviceId: parents.web, name: "shop.example" };
  const route = { serviceId: parents.site, type: "redirect", source: "/a", destination: "/b" };
  const disk = { serviceId: parents.web, name: "data", sizeGB: 10, mountPath: "/data" };
  const variable = { serviceId: parents.web, key: "TOKEN", value: "one" };
  const credential = { registry: "GITHUB", name: "images", username: "acme", authToken: "t-1" };
  const webhook = {
    name: "deploys",
    url: "https://hooks.example/render",
    enabled: true,
    eventFilter: ["deploy_ended"],
  };
  const environment = { projectId: parents.project, name: "staging" };
  return {
    Service: {
      properties: service,
      changed: {
        ...service,
        branch: "next",
        envVars: [{ key: "MODE", value: "test" }],
        secretFiles: [{ name: "cert.pem", content: "c" }],
        serviceDetails: { ...service.serviceDetails, plan: "standard", numInstances: 2 },
        ...inEnvironment,
      },
      replaced: {
        ...service,
        name: "web-2",
        serviceDetails: { ...serviceDetails, region: "ohio" },
      },
    },
    StaticSite: {
      properties: site,
      changed: { ...site, serviceDetails: { ...site.serviceDetails, publishPath: "public" } },
    },
    PrivateService: {
      properties: { ...worker, type: "private_service", name: "internal" },
      replaced: { ...worker, name: "internal-2" },
    },
    Worker: {
      properties: worker,
      changed: { ...worker, serviceDetails: { ...serviceDetails, maxShutdownDelaySeconds: 60 } },
    },
    CronJob: {
      properties: cron,
      changed: {
        ...cron,
        image: { ...cron.image, imagePath: "images.example/nightly:2" },
        serviceDetails: { ...cron.serviceDetails, schedule: "0 4 * * *" },
      },
    },
    EnvVar: {
      properties: variable,
      changed: { ...variable, value: "two" },
      replaced: { ...variable, key: "OTHER" },
    },
    Disk: { properties: disk, changed: { ...disk, sizeGB: 20 } },
    Postgres: {
      properties: postgres,
      changed: { ...postgres, plan: "basic_1gb", enableHighAvailability: true },
      replaced: { ...postgres, name: "main-2", version: "18" },
    },
    KeyValue: {
      properties: keyValue,
      changed: { ...keyValue, plan: "standard", maxmemoryPolicy: "noeviction", ...inEnvironment },
      replaced: { ...keyValue, region: "ohio" },
    },
    ServiceNotifications: {
      properties: { serviceId: parents.web, notificationsToSend: "all" },
      changed: { serviceId: parents.web, previewNotificationsEnabled: "false" },
      stays: true,
    },
    EnvGroup: {
      properties: group,
      changed: {
        ...group,
        name: "common",
        envVars: [
          { key: "B", value: "3" },
          { key: "C", value: "4" },
        ],
        secretFiles: [{ name: "key.pem", content: "k" }],
        serviceIds: [],
      },
    },
    Project: {
      properties: { name: "shop", environments: [{ name: "first" }] },
      changed: { name: "store", environments: [{ name: "first" }] },
    },
    Environment: {
      properties: environment,
      changed: { ...environment, protectedStatus: "protected" },
    },
    CustomDomain: { properties: domain, replaced: { ...domain, name: "store.example" } },
    RegistryCredential: {
      properties: credential,
      changed: { ...credential, username: "other", authToken: "t-2" },
    },
    Webhook: { properties: webhook, changed: { ...webhook, enabled: false } },
    Job: {
      properties: { serviceId: parents.web, startCommand: "npm run migrate" },
      replaced: { serviceId: parents.web, startCommand: "npm run seed", planId: "plan-srv-008" },
      stays: true,
    },
    Route: { properties: route, replaced: { ...route, destination: "/c" } },
  };
}

/** The type of a sample: services are of five kinds. */
export function typeOf(sample: string): string {
  const kinds = ["StaticSite", "PrivateService", "Worker", "CronJob"];
  return `render:${kinds.includes(sample) ? "Service" : sample}`;
}
