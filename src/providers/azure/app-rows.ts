import type { ArmRow, ArmRows } from "./arm-row.ts";

const APP_VERSION = "2025-07-01";
const WEB_VERSION = "2024-11-01";

/** Container Apps and App Service. */
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

  return {
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
