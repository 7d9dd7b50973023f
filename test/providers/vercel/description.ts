/** What Vercel's API takes and shows of the 13 types, in our own words. */
import type { JsonMap } from "#platform/json.ts";
import {
  aFlag,
  aMap,
  aNumber,
  anInteger,
  aText,
  choice,
  eitherOf,
  listOf,
  object,
  orNull,
  type WrittenCall,
  type WrittenCollection,
  writeDescription,
} from "#test/support/fake-cloud/write-description.ts";
import { versioned } from "./versions.ts";

const someTexts = listOf(aText);
const maybeText = orNull(aText);
const pagination = object({
  "count!": aNumber,
  "next!": orNull(aNumber),
  "prev!": orNull(aNumber),
});
const paged = (many: string, shown: JsonMap): JsonMap =>
  object({ [`${many}!`]: listOf(shown), "pagination!": pagination });

const protection = object({
  "deploymentType!": choice(
    "all",
    "preview",
    "prod_deployment_urls_and_all_previews",
    "all_except_custom_domains",
  ),
});
const resources = object({
  fluid: aFlag,
  functionDefaultRegions: someTexts,
  functionDefaultTimeout: aNumber,
  functionDefaultMemoryType: choice("standard_legacy", "standard", "performance"),
  functionZeroConfigFailover: aFlag,
  elasticConcurrencyEnabled: aFlag,
  buildMachineType: choice("enhanced", "turbo"),
});
const tokens = object({ enabled: aFlag, issuerMode: choice("team", "global") });
const settings = {
  framework: maybeText,
  buildCommand: maybeText,
  devCommand: maybeText,
  installCommand: maybeText,
  commandForIgnoringBuildStep: maybeText,
  outputDirectory: maybeText,
  rootDirectory: maybeText,
  publicSource: orNull(aFlag),
  serverlessFunctionRegion: maybeText,
  previewDeploymentsDisabled: orNull(aFlag),
  enableAffectedProjectsDeployments: aFlag,
  resourceConfig: resources,
  ssoProtection: orNull(protection),
  oidcTokenConfig: tokens,
};
const trusted = object({
  "deploymentType!": choice(
    "all",
    "preview",
    "production",
    "prod_deployment_urls_and_all_previews",
    "all_except_custom_domains",
  ),
  "addresses!": listOf(object({ "value!": aText, note: aText })),
  "protectionMode!": choice("exclusive", "additional"),
});
const allowed = object({ "paths!": listOf(object({ "value!": aText })) });
/** What an update alone takes. */
const later = {
  autoAssignCustomDomains: aFlag,
  autoExposeSystemEnvs: aFlag,
  customerSupportCodeVisibility: aFlag,
  directoryListing: aFlag,
  gitForkProtection: aFlag,
  gitLFS: aFlag,
  sourceFilesOutsideRootDirectory: aFlag,
  nodeVersion: choice("22.x", "20.x"),
  skewProtectionMaxAge: anInteger,
  trustedIps: orNull(trusted),
  optionsAllowlist: orNull(allowed),
};
const project = object({
  ...later,
  passwordProtection: orNull(aMap),
  "id!": aText,
  "name!": aText,
  "accountId!": aText,
  createdAt: aNumber,
  updatedAt: aNumber,
  "directoryListing!": aFlag,
  "nodeVersion!": choice("22.x", "20.x"),
  "resourceConfig!": resources,
  "defaultResourceConfig!": resources,
  framework: maybeText,
  buildCommand: maybeText,
  devCommand: maybeText,
  installCommand: maybeText,
  commandForIgnoringBuildStep: maybeText,
  outputDirectory: maybeText,
  rootDirectory: maybeText,
  publicSource: orNull(aFlag),
  enableAffectedProjectsDeployments: aFlag,
  ssoProtection: orNull(protection),
  oidcTokenConfig: tokens,
  link: aMap,
});

const targets = listOf(choice("production", "preview", "development"));
const variable = object({
  target: eitherOf(targets, aText),
  "type!": choice("system", "encrypted", "plain", "sensitive", "secret"),
  decrypted: aFlag,
  value: aText,
  id: aText,
  "key!": aText,
  createdAt: aNumber,
  updatedAt: aNumber,
  gitBranch: aText,
  comment: aText,
  customEnvironmentIds: someTexts,
});
const variableSet = {
  target: targets,
  gitBranch: maybeText,
  comment: aText,
  customEnvironmentIds: someTexts,
};
const types = choice("system", "secret", "encrypted", "plain", "sensitive");

const status = orNull({ type: "number", enum: [301, 302, 307, 308] });
const domain = object({
  "name!": aText,
  "apexName!": aText,
  "projectId!": aText,
  redirect: maybeText,
  redirectStatusCode: status,
  gitBranch: maybeText,
  customEnvironmentId: maybeText,
  createdAt: aNumber,
  "verified!": aFlag,
  verification: listOf(aMap),
});
const domainSet = { gitBranch: maybeText, redirect: maybeText, redirectStatusCode: status };

const matcher = object({
  "type!": choice("equals", "startsWith", "endsWith"),
  "pattern!": aText,
});
const environment = object({
  "id!": aText,
  "slug!": aText,
  "type!": choice("preview", "production", "development"),
  description: aText,
  branchMatcher: matcher,
  "createdAt!": aNumber,
  "updatedAt!": aNumber,
});

const file = eitherOf(
  object({ "file!": aText, "data!": aText, encoding: choice("base64", "utf-8") }),
  object({ "file!": aText, sha: aText, size: anInteger }),
);
const source = eitherOf(
  object({
    "type!": choice("github", "github-limited"),
    "org!": aText,
    "repo!": aText,
    "ref!": aText,
    sha: aText,
  }),
  object({
    "type!": choice("github", "github-limited"),
    "repoId!": eitherOf(aNumber, aText),
    "ref!": aText,
    sha: aText,
  }),
  object({
    "type!": choice("gitlab"),
    "projectId!": eitherOf(aNumber, aText),
    "ref!": aText,
    sha: aText,
  }),
);
const deployment = object({
  "id!": aText,
  "name!": aText,
  "url!": aText,
  "projectId!": aText,
  "createdAt!": aNumber,
  "meta!": aMap,
  "readyState!": choice("QUEUED", "BUILDING", "ERROR", "INITIALIZING", "READY", "CANCELED"),
});

const edgeConfig = object({
  "id!": aText,
  "slug!": aText,
  "ownerId!": aText,
  "digest!": aText,
  "createdAt!": aNumber,
  "updatedAt!": aNumber,
  "sizeInBytes!": aNumber,
  "itemCount!": aNumber,
});
const edgeToken = object({
  "token!": aText,
  "label!": aText,
  "id!": aText,
  "edgeConfigId!": aText,
  "createdAt!": aNumber,
});

const recordTypes = choice("A", "AAAA", "ALIAS", "CAA", "CNAME", "HTTPS", "MX", "SRV", "TXT", "NS");
const common = { ttl: anInteger, comment: aText };
const recordMade = eitherOf(
  object({
    "type!": choice("A", "AAAA", "ALIAS", "CAA", "CNAME", "TXT", "NS"),
    "name!": aText,
    "value!": aText,
    ...common,
  }),
  object({
    "type!": choice("MX"),
    "name!": aText,
    "value!": aText,
    "mxPriority!": anInteger,
    ...common,
  }),
  object({
    "type!": choice("SRV"),
    "name!": aText,
    "srv!": object({
      "priority!": anInteger,
      "weight!": anInteger,
      "port!": anInteger,
      "target!": aText,
    }),
    ...common,
  }),
  object({
    "type!": choice("HTTPS"),
    "name!": aText,
    "https!": object({ "priority!": anInteger, "target!": aText, params: aText }),
    ...common,
  }),
);
const recordSet = object({
  name: maybeText,
  value: maybeText,
  type: orNull(recordTypes),
  ttl: orNull(anInteger),
  mxPriority: orNull(anInteger),
  srv: orNull(
    object({
      "priority!": anInteger,
      "weight!": anInteger,
      "port!": anInteger,
      "target!": aText,
    }),
  ),
  https: orNull(object({ "priority!": anInteger, "target!": aText, params: aText })),
  comment: aText,
});
const record = object({
  "id!": aText,
  "slug!": aText,
  "name!": aText,
  "type!": recordTypes,
  "value!": aText,
  mxPriority: aNumber,
  "creator!": aText,
  "createdAt!": aNumber,
  ttl: aNumber,
  comment: aText,
});

const webhook = object({
  "id!": aText,
  "url!": aText,
  "events!": someTexts,
  "ownerId!": aText,
  "createdAt!": aNumber,
  "updatedAt!": aNumber,
  projectIds: someTexts,
});
const certificate = object({
  "id!": aText,
  "createdAt!": aNumber,
  "expiresAt!": aNumber,
  "autoRenew!": aFlag,
  "cns!": someTexts,
});

const patched = (members: Record<string, JsonMap>) => ({
  method: "patch" as const,
  body: object(members),
});

const shared = object({
  "id!": aText,
  "key!": aText,
  value: aText,
  "type!": choice("encrypted", "sensitive", "system", "plain"),
  "target!": targets,
  projectId: someTexts,
  applyToAllCustomEnvironments: aFlag,
  comment: aText,
  decrypted: aFlag,
  ownerId: aText,
  created: aText,
  createdAt: aNumber,
  updatedAt: aNumber,
});
const drainFilter = object({
  "version!": choice("v2"),
  "filter!": object({
    "type!": choice("basic", "odata"),
    log: object({ sources: someTexts }),
    deployment: object({ environments: someTexts }),
    text: aText,
  }),
});
const delivery = object({
  "type!": choice("http", "otlphttp", "syslog", "clickhouse"),
  "endpoint!": eitherOf(aText, object({ "traces!": aText })),
  encoding: choice("json", "ndjson", "proto"),
  compression: choice("gzip", "none"),
  headers: aMap,
  secret: aText,
  table: aText,
});
const drain = {
  "name!": aText,
  projectIds: someTexts,
  "schemas!": aMap,
  "delivery!": delivery,
  sampling: listOf(
    object({
      "type!": choice("head_sampling"),
      "rate!": aNumber,
      env: choice("production", "preview"),
      requestPath: aText,
    }),
  ),
};

const collections: WrittenCollection[] = [
  {
    path: "/env",
    param: "id",
    many: paged("data", shared),
    shown: shared,
    shownOnce: object({ "created!": listOf(shared), "failed!": listOf(aMap) }),
    create: object({
      "evs!": listOf(object({ "key!": aText, "value!": aText, comment: aText })),
      "type!": choice("encrypted", "sensitive"),
      "target!": targets,
      projectId: someTexts,
      applyToAllCustomEnvironments: aFlag,
    }),
    filters: ["until"],
  },
  {
    path: "/drains",
    param: "id",
    many: object({ "drains!": listOf(aMap) }),
    shown: object({
      ...drain,
      "id!": aText,
      "ownerId!": aText,
      "createdAt!": aNumber,
      "updatedAt!": aNumber,
      "source!": aMap,
      filterV2: drainFilter,
      status: choice("enabled", "disabled", "errored"),
    }),
    created: 200,
    create: object({
      ...drain,
      "projects!": choice("some", "all"),
      filter: drainFilter,
      source: object({ "kind!": choice("self-served") }),
    }),
  },
  {
    path: "/projects",
    param: "idOrName",
    many: paged("projects", project),
    shown: project,
    created: 200,
    create: object({
      "name!": aText,
      ...settings,
      gitRepository: object({
        "type!": choice("github", "github-limited", "gitlab", "bitbucket"),
        "repo!": aText,
      }),
    }),
    update: patched({
      name: aText,
      ...settings,
      ...later,
      passwordProtection: orNull(
        object({
          "deploymentType!": choice("all", "preview", "prod_deployment_urls_and_all_previews"),
          password: orNull(aText),
        }),
      ),
    }),
    filters: ["limit", "from", "search"],
  },
  {
    path: "/projects/{idOrName}/env",
    param: "id",
    many: object({ "envs!": listOf(variable), pagination }),
    shown: variable,
    shownOnce: object({ "created!": variable, "failed!": listOf(aMap) }),
    create: object({ "key!": aText, "value!": aText, "type!": types, ...variableSet }),
    update: patched({ key: aText, type: types, value: aText, ...variableSet }),
    deleted: { status: 200, body: aMap },
    filters: ["until"],
  },
  {
    path: "/projects/{idOrName}/domains",
    param: "domain",
    many: paged("domains", domain),
    shown: domain,
    created: 200,
    create: object({ "name!": aText, customEnvironmentId: aText, ...domainSet }),
    update: patched(domainSet),
    deleted: { status: 200, body: aMap },
    filters: ["limit", "until"],
  },
  {
    path: "/projects/{idOrName}/custom-environments",
    param: "environmentSlugOrId",
    many: object({ "environments!": listOf(environment) }),
    shown: environment,
    create: object({
      slug: aText,
      description: aText,
      branchMatcher: matcher,
      copyEnvVarsFrom: aText,
    }),
    update: patched({ slug: aText, description: aText, branchMatcher: orNull(matcher) }),
    deleted: { status: 200, body: aMap },
  },
  {
    path: "/deployments",
    param: "id",
    many: paged("deployments", aMap),
    shown: deployment,
    created: 200,
    create: object({
      "name!": aText,
      project: aText,
      target: aText,
      gitSource: source,
      files: listOf(file),
      projectSettings: aMap,
      gitMetadata: aMap,
      meta: aMap,
      deploymentId: aText,
      customEnvironmentSlugOrId: aText,
      withLatestCommit: aFlag,
    }),
    deleted: { status: 200, body: aMap },
    filters: ["limit", "until", "projectId"],
  },
  {
    path: "/edge-config",
    param: "edgeConfigId",
    many: listOf(edgeConfig),
    shown: edgeConfig,
    create: object({ "slug!": aText, items: aMap }),
    update: { method: "put", body: object({ "slug!": aText }) },
  },
  {
    path: "/edge-config/{edgeConfigId}/token",
    param: "token",
    many: listOf(edgeToken),
    shown: edgeToken,
    shownOnce: object({ "token!": aText, "id!": aText }),
    create: object({ "label!": aText }),
  },
  {
    path: "/domains/{domain}/records",
    param: "recordId",
    many: paged("records", record),
    shown: record,
    shownOnce: object({ "uid!": aText, updated: aNumber }),
    created: 200,
    create: recordMade,
    deleted: { status: 200, body: aMap },
    unread: true,
    filters: ["limit", "until"],
  },
  {
    path: "/webhooks",
    param: "id",
    many: listOf(webhook),
    shown: webhook,
    shownOnce: object({
      "secret!": aText,
      "id!": aText,
      "url!": aText,
      "events!": someTexts,
      "ownerId!": aText,
      "createdAt!": aNumber,
      "updatedAt!": aNumber,
      projectIds: someTexts,
    }),
    created: 200,
    create: object({ "url!": aText, "events!": someTexts, projectIds: someTexts }),
  },
  {
    path: "/certs",
    param: "id",
    many: listOf(certificate),
    shown: certificate,
    created: 200,
    create: object({ cns: someTexts }),
    deleted: { status: 200, body: aMap },
  },
];

const decided = { active: aFlag, action: choice("deny", "log") };
const firewall = {
  "firewallEnabled!": aFlag,
  managedRules: aMap,
  crs: object(
    Object.fromEntries(
      ["sd", "ma", "lfi", "rfi", "rce", "php", "gen", "xss", "sqli", "sf", "java"].map((name) => [
        name,
        object({ "active!": decided.active, "action!": decided.action }),
      ]),
    ),
  ),
  rules: listOf(
    object({
      id: aText,
      "name!": aText,
      description: aText,
      "active!": aFlag,
      "conditionGroup!": listOf(object({ "conditions!": listOf(aMap) })),
      "action!": object({ mitigate: aMap }),
    }),
  ),
  ips: listOf(
    object({
      id: aText,
      "hostname!": aText,
      "ip!": aText,
      notes: aText,
      "action!": choice("deny", "challenge", "log", "bypass"),
    }),
  ),
  botIdEnabled: aFlag,
};
const shownFirewall = object({
  ...firewall,
  "ownerId!": aText,
  "projectKey!": aText,
  "id!": aText,
  "version!": aNumber,
  "updatedAt!": aText,
  "changes!": listOf(aMap),
});

const sharedSet = object({
  value: aText,
  type: choice("encrypted", "sensitive"),
  target: targets,
  projectId: someTexts,
  applyToAllCustomEnvironments: aFlag,
  comment: aText,
});

const calls: WrittenCall[] = [
  {
    method: "patch",
    path: "/env",
    body: object({ "updates!": { type: "object", additionalProperties: sharedSet } }),
    status: 200,
    answer: object({ "updated!": listOf(shared), "failed!": listOf(aMap) }),
  },
  {
    method: "delete",
    path: "/env",
    body: object({ "ids!": someTexts }),
    status: 200,
    answer: object({ "deleted!": someTexts, "failed!": listOf(aMap) }),
  },
  {
    method: "get",
    path: "/security/firewall/config/{configVersion}",
    query: ["projectId"],
    status: 200,
    answer: shownFirewall,
  },
  {
    method: "put",
    path: "/security/firewall/config",
    query: ["projectId"],
    body: object(firewall),
    status: 200,
    answer: object({ "active!": shownFirewall }),
  },
  {
    method: "get",
    path: "/teams/{teamId}",
    status: 200,
    answer: object({ "id!": aText, "slug!": aText }),
  },
  {
    method: "get",
    path: "/edge-config/{edgeConfigId}/tokens",
    status: 200,
    answer: listOf(edgeToken),
  },
  {
    method: "delete",
    path: "/edge-config/{edgeConfigId}/tokens",
    body: object({ "tokens!": someTexts }),
    status: 204,
  },
  {
    method: "patch",
    path: "/domains/records/{recordId}",
    body: recordSet,
    status: 200,
    answer: object({
      "id!": aText,
      "domain!": aText,
      "name!": aText,
      "recordType!": recordTypes,
      "type!": choice("record", "record-sys"),
      "value!": aText,
    }),
  },
];

export const vercelDocument: JsonMap = versioned(
  writeDescription(
    collections,
    calls,
    object({ "error!": object({ "code!": aText, message: aText }) }),
  ),
);
