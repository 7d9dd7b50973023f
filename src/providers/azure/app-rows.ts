import type { ArmRow, ArmRows } from "./arm-row.ts";

const APP_VERSION = "2025-07-01";
const WEB_VERSION = "2024-11-01";

const BUS_VERSION = "2026-01-01";

/** Container Apps, App Service and Service Bus. */
export function appRows(): ArmRows {
  const identity = ["identity.principalId", "identity.tenantId"];

  const site: Omit<ArmRow, "about"> = {
    version: WEB_VERSION,
    top: "kind identity extendedLocation",
    required: ["properties"],
    writeOnly: ["properties.siteConfig", "properties.cloningInfo"],
    readOnly: [
      ...identity,
      "properties.state",
      "properties.hostNames",
      "properties.repositorySiteName",
      "properties.usageState",
      "properties.enabledHostNames",
      "properties.availabilityState",
      "properties.lastModifiedTimeUtc",
      "properties.outboundIpAddresses",
      "properties.possibleOutboundIpAddresses",
      "properties.resourceGroup",
      "properties.defaultHostName",
      "properties.inProgressOperationId",
      "properties.sku",
    ],
    nameRule: { maxLength: 60 },
  };

  const counts = ["countDetails", "sizeInBytes", "messageCount", "subscriptionCount"];
  const times = ["createdAt", "updatedAt", "accessedAt"];
  /** Of messages; only its own times say when it was made. */
  const entity = {
    version: BUS_VERSION,
    location: "none",
    mark: "none",
    createdAt: "properties.createdAt",
    readOnly: ["location", ...[...counts, ...times].map((name) => `properties.${name}`)],
    state: "none",
  } as const satisfies Partial<ArmRow>;

  return {
    "Microsoft.ServiceBus/namespaces": {
      version: BUS_VERSION,
      about: "A namespace of Service Bus. The keys of its root rule are outputs.",
      region: { more: ["properties.geoDataReplication.locations[*].locationName"] },
      top: "sku identity",
      required: ["sku"],
      immutable: [
        "properties.premiumMessagingPartitions",
        "properties.encryption.requireInfrastructureEncryption",
      ],
      readOnly: [
        ...identity,
        "properties.status",
        "properties.createdAt",
        "properties.updatedAt",
        "properties.serviceBusEndpoint",
        "properties.metricId",
        "properties.privateEndpointConnections",
      ],
      lists: [["AuthorizationRules/RootManageSharedAccessKey/listKeys", undefined, "keys"]],
      secretOutputs: [
        "keys.primaryKey",
        "keys.secondaryKey",
        "keys.primaryConnectionString",
        "keys.secondaryConnectionString",
        "keys.aliasPrimaryConnectionString",
        "keys.aliasSecondaryConnectionString",
      ],
      nameRule: { maxLength: 50, letterFirst: true },
    },
    "Microsoft.ServiceBus/namespaces/queues": {
      ...entity,
      about: "A queue of messages.",
      immutable: [
        "properties.enablePartitioning",
        "properties.requiresDuplicateDetection",
        "properties.requiresSession",
      ],
      nameRule: { maxLength: 260 },
    },
    "Microsoft.ServiceBus/namespaces/topics": {
      ...entity,
      about: "A topic, to which subscriptions listen.",
      immutable: ["properties.enablePartitioning", "properties.requiresDuplicateDetection"],
      nameRule: { maxLength: 260 },
    },
    "Microsoft.ServiceBus/namespaces/topics/subscriptions": {
      ...entity,
      about: "A subscription to a topic.",
      immutable: [
        "properties.requiresSession",
        "properties.isClientAffine",
        "properties.clientAffineProperties.clientId",
        "properties.clientAffineProperties.isShared",
      ],
      nameRule: { maxLength: 50 },
    },
    "Microsoft.App/managedEnvironments": {
      version: APP_VERSION,
      about: "An environment of container apps.",
      top: "kind identity",
      required: ["properties"],
      immutable: [
        "properties.vnetConfiguration",
        "properties.zoneRedundant",
        "properties.infrastructureResourceGroup",
      ],
      writeOnly: [
        "properties.appLogsConfiguration.logAnalyticsConfiguration.sharedKey",
        "properties.daprAIConnectionString",
        "properties.daprAIInstrumentationKey",
        "properties.customDomainConfiguration.certificatePassword",
        "properties.customDomainConfiguration.certificateValue",
      ],
      readOnly: [
        ...identity,
        "properties.deploymentErrors",
        "properties.defaultDomain",
        "properties.staticIp",
        "properties.eventStreamEndpoint",
        "properties.customDomainConfiguration.customDomainVerificationId",
        "properties.kedaConfiguration.version",
        "properties.daprConfiguration.version",
        "properties.privateEndpointConnections",
      ],
      nameRule: { maxLength: 60, letterFirst: true },
    },
    "Microsoft.App/containerApps": {
      version: APP_VERSION,
      about: "A container app, behind HTTPS if it has an ingress.",
      top: "kind identity managedBy extendedLocation",
      required: ["properties"],
      immutable: ["properties.environmentId", "properties.managedEnvironmentId"],
      writeOnly: ["properties.configuration.secrets[*].value"],
      readOnly: [
        ...identity,
        "properties.runningStatus",
        "properties.latestRevisionName",
        "properties.latestReadyRevisionName",
        "properties.latestRevisionFqdn",
        "properties.customDomainVerificationId",
        "properties.outboundIpAddresses",
        "properties.eventStreamEndpoint",
        "properties.configuration.ingress.fqdn",
      ],
      nameRule: { maxLength: 32, letterFirst: true },
    },
    "Microsoft.App/jobs": {
      version: APP_VERSION,
      about: "A container that runs at times, on events or when asked.",
      top: "identity",
      required: ["properties"],
      immutable: ["properties.environmentId", "properties.configuration.triggerType"],
      writeOnly: ["properties.configuration.secrets[*].value"],
      readOnly: [...identity, "properties.outboundIpAddresses", "properties.eventStreamEndpoint"],
      nameRule: { maxLength: 32, letterFirst: true },
    },
    "Microsoft.Web/serverfarms": {
      version: WEB_VERSION,
      about: "A plan: the machines of web apps.",
      top: "sku kind extendedLocation",
      required: ["sku"],
      immutable: ["properties.reserved", "properties.hyperV", "properties.isXenon"],
      readOnly: [
        "properties.status",
        "properties.subscription",
        "properties.maximumNumberOfWorkers",
        "properties.numberOfWorkers",
        "properties.geoRegion",
        "properties.numberOfSites",
        "properties.resourceGroup",
      ],
      nameRule: { maxLength: 60 },
    },
    "Microsoft.Web/sites": { ...site, about: "A web app or function app." },
    "Microsoft.Web/sites/slots": { ...site, about: "A deployment slot of a web app." },
  };
}
