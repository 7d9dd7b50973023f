/** What Render's API takes and shows of the 13 types, in our own words. */
import type { JsonMap } from "#platform/json.ts";
import {
  aFlag,
  aMap,
  anInteger,
  aText,
  aTime,
  choice,
  eitherOf,
  listOf,
  object,
  type WrittenCall,
  type WrittenCollection,
  writeDescription,
} from "#test/support/fake-cloud/write-description.ts";

const yesOrNo = choice("yes", "no");
const regions = choice("frankfurt", "oregon", "ohio", "singapore", "virginia");
const kinds = ["static_site", "web_service", "private_service", "background_worker", "cron_job"];
const someTexts = listOf(aText);
const allowed = listOf(object({ "cidrBlock!": aText, "description!": aText }));
const previews = object({ generation: choice("off", "manual", "automatic") });
const owner = object({
  "id!": aText,
  "name!": aText,
  "email!": aText,
  "type!": choice("user", "team"),
});

/** A list of `{ cursor, <kind> }`. */
const paged = (kind: string, shown: JsonMap): JsonMap =>
  listOf(object({ [`${kind}!`]: shown, "cursor!": aText }));
const list = (...filters: string[]) => ({ filters: ["cursor", "limit", ...filters] });

const ruled = object({ "enabled!": aFlag, "percentage!": anInteger });
const autoscaling = object({
  "enabled!": aFlag,
  "min!": anInteger,
  "max!": anInteger,
  "criteria!": object({ "cpu!": ruled, "memory!": ruled }),
});
const runtime = choice("docker", "elixir", "go", "node", "python", "ruby", "rust", "image");
const plan = choice("free", "starter", "standard", "pro", "pro_plus", "custom");
const disk = object({ "name!": aText, "mountPath!": aText, sizeGB: anInteger });
const route = {
  "type!": choice("redirect", "rewrite"),
  "source!": aText,
  "destination!": aText,
};
const byRuntime = eitherOf(
  object({
    dockerCommand: aText,
    dockerContext: aText,
    dockerfilePath: aText,
    registryCredentialId: aText,
  }),
  object({ "buildCommand!": aText, "startCommand!": aText }),
);
const byRuntimeChanged = object({
  dockerCommand: aText,
  dockerContext: aText,
  dockerfilePath: aText,
  registryCredentialId: aText,
  buildCommand: aText,
  startCommand: aText,
});

const staticDetails = {
  buildCommand: aText,
  publishPath: aText,
  pullRequestPreviewsEnabled: yesOrNo,
  previews,
  renderSubdomainPolicy: choice("enabled", "disabled"),
  ipAllowList: allowed,
};
const runningDetails = {
  plan,
  preDeployCommand: aText,
  pullRequestPreviewsEnabled: yesOrNo,
  previews,
  maxShutdownDelaySeconds: anInteger,
};
const webDetails = {
  ...runningDetails,
  healthCheckPath: aText,
  maintenanceMode: object({ "enabled!": aFlag, "uri!": aText }),
  renderSubdomainPolicy: choice("enabled", "disabled"),
  ipAllowList: allowed,
};
const madeWith = {
  autoscaling,
  disk,
  "runtime!": runtime,
  envSpecificDetails: byRuntime,
  numInstances: anInteger,
  region: regions,
};
const changedTo = { envSpecificDetails: byRuntimeChanged, runtime };
const cronMade = { "runtime!": runtime, envSpecificDetails: byRuntime, plan, region: regions };
const createDetails = eitherOf(
  object({
    ...staticDetails,
    headers: listOf(object({ "path!": aText, "name!": aText, "value!": aText })),
    routes: listOf(object({ ...route, priority: anInteger })),
  }),
  object({ ...webDetails, ...madeWith }),
  object({ ...runningDetails, ...madeWith }),
  object({ ...cronMade, "schedule!": aText }),
);
const updateDetails = eitherOf(
  object(staticDetails),
  object({
    ...webDetails,
    ...changedTo,
    cache: object({ "profile!": choice("no-cache", "origin-controlled", "origin-controlled-all") }),
  }),
  object({ ...runningDetails, ...changedTo }),
  object({ ...changedTo, plan, schedule: aText }),
);
const image = object({ "ownerId!": aText, "imagePath!": aText, registryCredentialId: aText });
const buildFilter = object({ "paths!": someTexts, "ignoredPaths!": someTexts });
const variable = eitherOf(
  object({ "key!": aText, "value!": aText }),
  object({ "key!": aText, "generateValue!": aFlag }),
);
const valueAlone = eitherOf(object({ "value!": aText }), object({ "generateValue!": aFlag }));
const secretFile = object({ "name!": aText, "content!": aText });
const shownVariable = object({ "key!": aText, "value!": aText });

const service = object({
  "id!": aText,
  "autoDeploy!": yesOrNo,
  branch: aText,
  buildFilter,
  "createdAt!": aTime,
  "dashboardUrl!": aText,
  environmentId: aText,
  imagePath: aText,
  "name!": aText,
  "notifyOnFail!": choice("default", "notify", "ignore"),
  "ownerId!": aText,
  repo: aText,
  "rootDir!": aText,
  "slug!": aText,
  "suspended!": choice("not_suspended", "suspended"),
  "suspenders!": someTexts,
  "type!": choice(...kinds),
  "updatedAt!": aTime,
  "serviceDetails!": aMap,
});
const settings = {
  autoDeploy: yesOrNo,
  repo: aText,
  branch: aText,
  image,
  buildFilter,
  rootDir: aText,
};

const state = {
  "status!": choice(
    "creating",
    "available",
    "unavailable",
    "config_restart",
    "suspended",
    "maintenance_scheduled",
    "maintenance_in_progress",
    "recovery_failed",
    "recovery_in_progress",
    "unknown",
    "updating_instance",
  ),
  "createdAt!": aTime,
  "updatedAt!": aTime,
  "owner!": owner,
  "dashboardUrl!": aText,
};
const replicas = listOf(object({ "name!": aText, parameterOverrides: aMap }));
const postgresSet = {
  diskSizeGB: anInteger,
  datadogAPIKey: aText,
  datadogSite: aText,
  enableHighAvailability: aFlag,
  enableDiskAutoscaling: aFlag,
  ipAllowList: allowed,
  parameterOverrides: aMap,
  readReplicas: replicas,
};
const postgres = object({
  "id!": aText,
  ...state,
  "ipAllowList!": allowed,
  "databaseName!": aText,
  "databaseUser!": aText,
  environmentId: aText,
  "highAvailabilityEnabled!": aFlag,
  "diskAutoscalingEnabled!": aFlag,
  "name!": aText,
  "plan!": aText,
  diskSizeGB: anInteger,
  parameterOverrides: aMap,
  "region!": regions,
  "readReplicas!": listOf(object({ "id!": aText, "name!": aText, parameterOverrides: aMap })),
  "role!": choice("primary", "replica"),
  "version!": aText,
  "suspended!": choice("not_suspended", "suspended"),
  "suspenders!": someTexts,
});
const policy = choice("noeviction", "allkeys_lfu", "allkeys_lru", "volatile_ttl");
const keyValue = object({
  "id!": aText,
  ...state,
  "region!": regions,
  "plan!": plan,
  "name!": aText,
  "options!": object({ maxmemoryPolicy: aText }),
  "ipAllowList!": allowed,
  environmentId: aText,
  "version!": aText,
});

const envGroup = object({
  "id!": aText,
  "name!": aText,
  "ownerId!": aText,
  "createdAt!": aTime,
  "updatedAt!": aTime,
  "serviceLinks!": listOf(object({ "id!": aText, "name!": aText, "type!": aText })),
  environmentId: aText,
  "envVars!": listOf(shownVariable),
  "secretFiles!": listOf(secretFile),
});
const protectedStatus = choice("unprotected", "protected");
const environmentSet = {
  protectedStatus,
  networkIsolationEnabled: aFlag,
  ipAllowList: allowed,
};
const environment = object({
  "id!": aText,
  "name!": aText,
  "projectId!": aText,
  "databasesIds!": someTexts,
  "redisIds!": someTexts,
  "serviceIds!": someTexts,
  "envGroupIds!": someTexts,
  ipAllowList: allowed,
  "protectedStatus!": protectedStatus,
  "networkIsolationEnabled!": aFlag,
});
const project = object({
  "id!": aText,
  "createdAt!": aTime,
  "updatedAt!": aTime,
  "name!": aText,
  "owner!": owner,
  "environmentIds!": someTexts,
});
const registries = choice("GITHUB", "GITLAB", "DOCKER", "GOOGLE_ARTIFACT", "AWS_ECR");
const credentialSet = {
  "registry!": registries,
  "name!": aText,
  "username!": aText,
  "authToken!": aText,
};
const credential = object({
  "id!": aText,
  "name!": aText,
  "registry!": registries,
  "username!": aText,
  "updatedAt!": aTime,
});
const webhook = object({
  "id!": aText,
  "url!": aText,
  "name!": aText,
  "secret!": aText,
  "enabled!": aFlag,
  "eventFilter!": someTexts,
});
const domain = object({
  "id!": aText,
  "name!": aText,
  "domainType!": choice("apex", "subdomain"),
  "publicSuffix!": aText,
  "redirectForName!": aText,
  "verificationStatus!": choice("unverified", "verified"),
  "createdAt!": aTime,
});
const shownDisk = object({
  "id!": aText,
  "name!": aText,
  "sizeGB!": anInteger,
  "mountPath!": aText,
  serviceId: aText,
  "createdAt!": aTime,
  "updatedAt!": aTime,
});
const shownRoute = object({ "id!": aText, ...route, "priority!": anInteger });
const deploy = object({
  "id!": aText,
  status: choice(
    "created",
    "queued",
    "build_in_progress",
    "update_in_progress",
    "live",
    "deactivated",
    "build_failed",
    "update_failed",
    "canceled",
    "pre_deploy_in_progress",
    "pre_deploy_failed",
  ),
  createdAt: aTime,
});

const patched = (members: Record<string, JsonMap>) => ({
  method: "patch" as const,
  body: object(members),
});

const job = object({
  "id!": aText,
  "serviceId!": aText,
  "startCommand!": aText,
  "planId!": aText,
  status: choice("pending", "running", "succeeded", "failed", "canceled"),
  "createdAt!": aTime,
  startedAt: aTime,
  finishedAt: aTime,
});

const collections: WrittenCollection[] = [
  {
    path: "/v1/services",
    param: "serviceId",
    many: paged("service", service),
    shown: service,
    shownOnce: object({ service, deployId: aText }),
    create: object({
      "type!": choice(...kinds),
      "name!": aText,
      "ownerId!": aText,
      ...settings,
      envVars: listOf(variable),
      secretFiles: listOf(secretFile),
      environmentId: aText,
      serviceDetails: createDetails,
    }),
    update: patched({ ...settings, name: aText, serviceDetails: updateDetails }),
    ...list("name", "ownerId"),
  },
  {
    path: "/v1/disks",
    param: "diskId",
    many: paged("disk", shownDisk),
    shown: shownDisk,
    create: object({
      "name!": aText,
      "sizeGB!": anInteger,
      "mountPath!": aText,
      "serviceId!": aText,
    }),
    update: patched({ name: aText, sizeGB: anInteger, mountPath: aText }),
    ...list("ownerId", "serviceId"),
  },
  {
    path: "/v1/postgres",
    param: "postgresId",
    many: paged("postgres", postgres),
    shown: postgres,
    create: object({
      "name!": aText,
      "ownerId!": aText,
      "plan!": aText,
      "version!": aText,
      databaseName: aText,
      databaseUser: aText,
      region: regions,
      environmentId: aText,
      ...postgresSet,
    }),
    update: patched({ name: aText, plan: aText, ...postgresSet }),
    ...list("name", "ownerId"),
  },
  {
    path: "/v1/key-value",
    param: "keyValueId",
    many: paged("keyValue", keyValue),
    shown: keyValue,
    create: object({
      "name!": aText,
      "ownerId!": aText,
      "plan!": plan,
      region: regions,
      environmentId: aText,
      maxmemoryPolicy: policy,
      ipAllowList: allowed,
    }),
    update: patched({ name: aText, plan, maxmemoryPolicy: policy, ipAllowList: allowed }),
    ...list("name", "ownerId"),
  },
  {
    path: "/v1/env-groups",
    param: "envGroupId",
    many: listOf(envGroup),
    shown: envGroup,
    create: object({
      "name!": aText,
      "ownerId!": aText,
      "envVars!": listOf(variable),
      secretFiles: listOf(secretFile),
      serviceIds: someTexts,
      environmentId: aText,
    }),
    update: patched({ "name!": aText }),
    ...list("name", "ownerId"),
  },
  {
    path: "/v1/projects",
    param: "projectId",
    many: paged("project", project),
    shown: project,
    create: object({
      "name!": aText,
      "ownerId!": aText,
      "environments!": listOf(object({ "name!": aText, ...environmentSet })),
    }),
    update: patched({ name: aText }),
    ...list("name", "ownerId"),
  },
  {
    path: "/v1/environments",
    param: "environmentId",
    many: paged("environment", environment),
    shown: environment,
    create: object({ "name!": aText, "projectId!": aText, ...environmentSet }),
    update: patched({ name: aText, ...environmentSet }),
    ...list("name", "projectId"),
  },
  {
    path: "/v1/registrycredentials",
    param: "registryCredentialId",
    many: listOf(credential),
    shown: credential,
    created: 200,
    create: object({ ...credentialSet, "ownerId!": aText }),
    update: patched(credentialSet),
    ...list("name", "ownerId"),
  },
  {
    path: "/v1/webhooks",
    param: "webhookId",
    many: paged("webhook", webhook),
    shown: webhook,
    create: object({
      "ownerId!": aText,
      "url!": aText,
      "name!": aText,
      "enabled!": aFlag,
      "eventFilter!": someTexts,
    }),
    update: patched({ name: aText, url: aText, enabled: aFlag, eventFilter: someTexts }),
    ...list("ownerId"),
  },
  {
    path: "/v1/services/{serviceId}/custom-domains",
    param: "customDomainIdOrName",
    many: paged("customDomain", domain),
    shown: domain,
    shownOnce: listOf(domain),
    create: object({ "name!": aText }),
    ...list("name"),
  },
  {
    path: "/v1/services/{serviceId}/routes",
    param: "routeId",
    many: paged("route", shownRoute),
    shown: shownRoute,
    create: object({ ...route, priority: anInteger }),
    unread: true,
    ...list(),
  },
  {
    path: "/v1/services/{serviceId}/jobs",
    param: "jobId",
    many: paged("job", job),
    shown: job,
    create: object({ "startCommand!": aText, planId: aText }),
    ...list(),
  },
];

/** Jobs are canceled, not deleted. */
const notDeleted = "/v1/services/{serviceId}/jobs/{jobId}";

const SERVICE = "/v1/services/{serviceId}";
const GROUP = "/v1/env-groups/{envGroupId}";
const told = {
  previewNotificationsEnabled: choice("default", "false", "true"),
  notificationsToSend: choice("default", "none", "failure", "all"),
};
const NOTIFICATIONS = "/v1/notification-settings/overrides/services/{serviceId}";
const notifications = object({
  "serviceId!": aText,
  "previewNotificationsEnabled!": told.previewNotificationsEnabled,
  "notificationsToSend!": told.notificationsToSend,
});

const calls: WrittenCall[] = [
  { method: "post", path: `${notDeleted}/cancel`, status: 200, answer: job },
  { method: "get", path: NOTIFICATIONS, status: 200, answer: notifications },
  { method: "patch", path: NOTIFICATIONS, body: object(told), status: 200, answer: notifications },
  { method: "get", path: "/v1/owners/{ownerId}", status: 200, answer: owner },
  {
    method: "get",
    path: `${SERVICE}/deploys`,
    status: 200,
    answer: paged("deploy", deploy),
    query: ["limit", "cursor"],
  },
  {
    method: "post",
    path: `${SERVICE}/deploys`,
    body: object({ clearCache: choice("clear", "do_not_clear"), commitId: aText, imageUrl: aText }),
    status: 201,
    answer: deploy,
  },
  {
    method: "post",
    path: `${SERVICE}/scale`,
    body: object({ "numInstances!": anInteger }),
    status: 202,
  },
  {
    method: "put",
    path: `${SERVICE}/autoscaling`,
    body: autoscaling,
    status: 200,
    answer: autoscaling,
  },
  {
    method: "get",
    path: `${SERVICE}/env-vars`,
    status: 200,
    answer: paged("envVar", shownVariable),
    query: ["cursor", "limit"],
  },
  { method: "get", path: `${SERVICE}/env-vars/{envVarKey}`, status: 200, answer: shownVariable },
  {
    method: "put",
    path: `${SERVICE}/env-vars/{envVarKey}`,
    body: valueAlone,
    status: 200,
    answer: shownVariable,
  },
  { method: "delete", path: `${SERVICE}/env-vars/{envVarKey}`, status: 204 },
  {
    method: "put",
    path: `${SERVICE}/secret-files/{secretFileName}`,
    body: object({ content: aText }),
    status: 201,
    answer: secretFile,
  },
  { method: "delete", path: `${SERVICE}/secret-files/{secretFileName}`, status: 204 },
  {
    method: "post",
    path: "/v1/environments/{environmentId}/resources",
    body: object({ "resourceIds!": someTexts }),
    status: 200,
    answer: environment,
  },
  {
    method: "get",
    path: "/v1/postgres/{postgresId}/connection-info",
    status: 200,
    answer: object({
      "password!": aText,
      "internalConnectionString!": aText,
      "externalConnectionString!": aText,
      "psqlCommand!": aText,
    }),
  },
  {
    method: "get",
    path: "/v1/key-value/{keyValueId}/connection-info",
    status: 200,
    answer: object({
      "internalConnectionString!": aText,
      "externalConnectionString!": aText,
      "cliCommand!": aText,
    }),
  },
  { method: "post", path: `${GROUP}/services/{serviceId}`, status: 200, answer: envGroup },
  { method: "delete", path: `${GROUP}/services/{serviceId}`, status: 204 },
  { method: "get", path: `${GROUP}/env-vars/{envVarKey}`, status: 200, answer: shownVariable },
  {
    method: "put",
    path: `${GROUP}/env-vars/{envVarKey}`,
    body: valueAlone,
    status: 200,
    answer: envGroup,
  },
  { method: "delete", path: `${GROUP}/env-vars/{envVarKey}`, status: 204 },
  {
    method: "put",
    path: `${GROUP}/secret-files/{secretFileName}`,
    body: object({ content: aText }),
    status: 200,
    answer: envGroup,
  },
  { method: "delete", path: `${GROUP}/secret-files/{secretFileName}`, status: 204 },
];

export const renderDocument: JsonMap = withoutDeletes(
  writeDescription(collections, calls, object({ id: aText, "message!": aText })),
);

function withoutDeletes(document: JsonMap): JsonMap {
  const paths = (document["paths"] ?? {}) as Record<string, JsonMap>;
  const { delete: _, ...kept } = paths[notDeleted] ?? {};
  return { ...document, paths: { ...paths, [notDeleted]: kept } };
}
