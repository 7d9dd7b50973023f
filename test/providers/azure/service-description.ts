/** Databases, caches, messages, Front Door, sets of machines and alerts, in our own words. */
import {
  type DescribedType,
  identity,
  made,
  needsLocation,
  ref,
  shownAlways,
  state,
  system,
} from "./described-parts.ts";
import type { Short } from "./shape.ts";

const SQL = "2025-01-01";
const COSMOS = "2026-03-15";
const BUS = "2026-01-01";
const CDN = "2025-12-01";
const switched = "Enabled|Disabled";

const busTimes = { "createdAt-": "s", "updatedAt-": "s", "accessedAt-": "s" } as const;
const busEntity = (properties: { readonly [name: string]: Short }): DescribedType => ({
  version: BUS,
  style: "at once",
  body: {
    ...shownAlways,
    ...system,
    "location-": "s",
    properties: { ...busTimes, "sizeInBytes-": "i", status: "s", ...properties },
  },
  // A part of a namespace shows no `systemData`.
  set: { "properties.createdAt": "{now}", "properties.sizeInBytes": 0, location: "westeurope" },
});

const inProfile = (
  properties: { readonly [name: string]: Short },
  more: { readonly [name: string]: Short } = {},
): DescribedType => ({
  version: CDN,
  style: "operation",
  body: {
    ...shownAlways,
    ...system,
    ...more,
    properties: { ...state, "deploymentStatus-": "s", ...properties },
  },
  set: { "properties.deploymentStatus": "NotStarted", systemData: made },
});

const scaledDisk = {
  caching: "None|ReadOnly|ReadWrite",
  managedDisk: { storageAccountType: "s" },
} as const;

export const serviceDescription: Readonly<Record<string, DescribedType>> = {
  "Microsoft.Sql/servers": {
    version: SQL,
    style: "operation",
    global: true,
    immutable: ["properties.administratorLogin"],
    body: {
      ...needsLocation,
      ...system,
      "kind-": "s",
      identity,
      properties: {
        administratorLogin: "s",
        "administratorLoginPassword+": "s",
        "createMode+": "s",
        version: "s",
        minimalTlsVersion: "s",
        publicNetworkAccess: switched,
        "state-": "s",
        "fullyQualifiedDomainName-": "s",
      },
    },
    set: {
      kind: "v12.0",
      "properties.fullyQualifiedDomainName": "shop.database.windows.net",
      systemData: made,
    },
    state: { path: "properties.state", working: "Creating", ready: "Ready", failed: "Disabled" },
  },
  "Microsoft.Sql/servers/databases": {
    version: SQL,
    style: "operation",
    immutable: ["properties.collation"],
    body: {
      ...needsLocation,
      ...system,
      "kind-": "s",
      "managedBy-": "s",
      sku: { "name!": "s", tier: "s", capacity: "i" },
      properties: {
        "createMode+": "s",
        "sampleName+": "s",
        collation: "s",
        maxSizeBytes: "i",
        requestedBackupStorageRedundancy: "Geo|Local|Zone|GeoZone",
        zoneRedundant: "b",
        "status-": "s",
        "databaseId-": "s",
      },
    },
    set: { kind: "v12.0,user", "properties.databaseId": "{uuid}", systemData: made },
    state: {
      path: "properties.status",
      working: "Creating",
      ready: "Online",
      failed: "Inaccessible",
    },
  },
  "Microsoft.DocumentDB/databaseAccounts": {
    version: COSMOS,
    style: "operation",
    global: true,
    immutable: ["kind"],
    body: {
      ...shownAlways,
      location: "s",
      tags: { "*": "s" },
      ...system,
      kind: "GlobalDocumentDB|MongoDB|Parse",
      identity,
      "properties!": {
        ...state,
        "databaseAccountOfferType!": "Standard",
        "locations!": [
          {
            "id-": "s",
            locationName: "s",
            failoverPriority: "i",
            isZoneRedundant: "b",
            "documentEndpoint-": "s",
            "provisioningState-": "s",
          },
        ],
        consistencyPolicy: { "defaultConsistencyLevel!": "s" },
        enableFreeTier: "b",
        publicNetworkAccess: switched,
        "documentEndpoint-": "s",
      },
    },
    set: {
      "properties.documentEndpoint": "https://shop.documents.azure.com:443/",
      systemData: made,
    },
    actions: {
      listKeys: {
        primaryMasterKey: "canary-cosmos-key-1",
        secondaryMasterKey: "canary-cosmos-key-2",
        primaryReadonlyMasterKey: "canary-cosmos-key-3",
        secondaryReadonlyMasterKey: "canary-cosmos-key-4",
      },
      listConnectionStrings: {
        connectionStrings: [
          { connectionString: "AccountKey=canary-cosmos-key-1", description: "Primary" },
        ],
      },
    },
  },
  "Microsoft.DocumentDB/databaseAccounts/sqlDatabases": {
    version: COSMOS,
    style: "operation",
    immutable: ["properties.resource.id"],
    body: {
      ...shownAlways,
      ...system,
      "properties!": {
        "resource!": { "id!": "s", "_rid-": "s", "_ts-": "n" },
        "options+": { throughput: "i", autoscaleSettings: { maxThroughput: "i" } },
      },
    },
    set: { "properties.resource._rid": "shop==", systemData: made },
  },
  "Microsoft.Cache/redis": {
    version: "2024-11-01",
    style: "state",
    global: true,
    immutable: ["properties.subnetId"],
    body: {
      ...needsLocation,
      ...system,
      identity,
      zones: ["s"],
      "properties!": {
        ...state,
        "sku!": { "name!": "Basic|Standard|Premium", "family!": "C|P", "capacity!": "i" },
        enableNonSslPort: "b",
        minimumTlsVersion: "s",
        subnetId: "s",
        redisConfiguration: { "maxmemory-policy": "s", "maxclients-": "s" },
        "hostName-": "s",
        "sslPort-": "i",
      },
    },
    set: {
      "properties.hostName": "shop.redis.cache.windows.net",
      "properties.sslPort": 6380,
      systemData: made,
    },
    actions: {
      listKeys: { primaryKey: "canary-redis-key-1", secondaryKey: "canary-redis-key-2" },
    },
  },
  "Microsoft.ServiceBus/namespaces": {
    version: BUS,
    style: "state",
    global: true,
    immutable: ["properties.premiumMessagingPartitions"],
    body: {
      ...needsLocation,
      ...system,
      identity,
      sku: { "name!": "Basic|Standard|Premium", tier: "s", capacity: "i" },
      properties: {
        ...state,
        minimumTlsVersion: "s",
        disableLocalAuth: "b",
        premiumMessagingPartitions: "i",
        "serviceBusEndpoint-": "s",
        "status-": "s",
      },
    },
    set: {
      "properties.serviceBusEndpoint": "https://shop.servicebus.windows.net:443/",
      "properties.status": "Active",
      systemData: made,
    },
    actions: {
      "AuthorizationRules/RootManageSharedAccessKey/listKeys": {
        primaryKey: "canary-bus-key-1",
        secondaryKey: "canary-bus-key-2",
        primaryConnectionString: "Endpoint=sb://shop/;SharedAccessKey=canary-bus-key-1",
        secondaryConnectionString: "Endpoint=sb://shop/;SharedAccessKey=canary-bus-key-2",
      },
    },
  },
  "Microsoft.ServiceBus/namespaces/queues": busEntity({
    lockDuration: "s",
    maxDeliveryCount: "i",
    requiresSession: "b",
    enablePartitioning: "b",
    requiresDuplicateDetection: "b",
  }),
  "Microsoft.ServiceBus/namespaces/topics": busEntity({
    defaultMessageTimeToLive: "s",
    enablePartitioning: "b",
    requiresDuplicateDetection: "b",
  }),
  "Microsoft.ServiceBus/namespaces/topics/subscriptions": busEntity({
    lockDuration: "s",
    maxDeliveryCount: "i",
    requiresSession: "b",
  }),
  "Microsoft.Compute/virtualMachineScaleSets": {
    version: "2026-04-01",
    style: "operation",
    immutable: ["properties.virtualMachineProfile.osProfile.adminUsername"],
    body: {
      ...needsLocation,
      ...system,
      "etag-": "s",
      identity,
      zones: ["s"],
      sku: { name: "s", tier: "s", capacity: "i" },
      properties: {
        ...state,
        "uniqueId-": "s",
        orchestrationMode: "Uniform|Flexible",
        overprovision: "b",
        singlePlacementGroup: "b",
        upgradePolicy: {
          mode: "Automatic|Manual|Rolling",
          rollingUpgradePolicy: {
            maxBatchInstancePercent: "i",
            maxUnhealthyInstancePercent: "i",
            maxUnhealthyUpgradedInstancePercent: "i",
            pauseTimeBetweenBatches: "s",
          },
        },
        virtualMachineProfile: {
          storageProfile: {
            imageReference: { publisher: "s", offer: "s", sku: "s", version: "s" },
            osDisk: {
              "createOption!": "FromImage|Empty|Attach",
              osType: "Windows|Linux",
              ...scaledDisk,
            },
            dataDisks: [
              {
                "lun!": "i",
                "createOption!": "FromImage|Empty|Attach|Copy|Restore",
                diskSizeGB: "i",
                ...scaledDisk,
              },
            ],
          },
          osProfile: {
            computerNamePrefix: "s",
            adminUsername: "s",
            "adminPassword+": "s",
            linuxConfiguration: {
              disablePasswordAuthentication: "b",
              ssh: { publicKeys: [{ path: "s", keyData: "s" }] },
            },
            windowsConfiguration: { timeZone: "s" },
          },
          networkProfile: {
            networkInterfaceConfigurations: [
              {
                "name!": "s",
                properties: {
                  primary: "b",
                  ipConfigurations: [
                    {
                      "name!": "s",
                      properties: {
                        primary: "b",
                        subnet: ref,
                        publicIPAddressConfiguration: { "name!": "s" },
                      },
                    },
                  ],
                },
              },
            ],
          },
          extensionProfile: {
            extensions: [
              {
                name: "s",
                properties: {
                  publisher: "s",
                  type: "s",
                  typeHandlerVersion: "s",
                  autoUpgradeMinorVersion: "b",
                  settings: { protocol: "s", port: "i" },
                },
              },
            ],
          },
        },
      },
    },
    set: { "properties.uniqueId": "{uuid}", systemData: made },
  },
  "Microsoft.Insights/scheduledQueryRules": {
    version: "2026-03-01",
    style: "at once",
    immutable: ["properties.scopes"],
    body: {
      ...needsLocation,
      ...system,
      "etag-": "s",
      kind: "LogAlert|SimpleLogAlert|LogToMetric",
      identity,
      "properties!": {
        displayName: "s",
        severity: "i",
        enabled: "b",
        scopes: ["s"],
        evaluationFrequency: "s",
        windowSize: "s",
        criteria: {
          allOf: [
            {
              query: "s",
              timeAggregation: "s",
              operator: "s",
              threshold: "n",
              metricMeasureColumn: "s",
            },
          ],
        },
        actions: { actionGroups: ["s"] },
        "isLegacyLogAnalyticsRule-": "b",
      },
    },
    set: { "properties.isLegacyLogAnalyticsRule": false, systemData: made },
  },
  "Microsoft.Cdn/profiles": {
    ...inProfile(
      { originResponseTimeoutSeconds: "i", "resourceState-": "s", "frontDoorId-": "s" },
      { ...needsLocation, "kind-": "s", identity, "sku!": { name: "s" } },
    ),
    immutable: ["sku"],
    set: {
      kind: "frontdoor",
      "properties.resourceState": "Active",
      "properties.frontDoorId": "{uuid}",
      systemData: made,
    },
  },
  "Microsoft.Cdn/profiles/afdEndpoints": {
    ...inProfile(
      { enabledState: switched, autoGeneratedDomainNameLabelScope: "s", "hostName-": "s" },
      needsLocation,
    ),
    global: true,
    immutable: ["properties.autoGeneratedDomainNameLabelScope"],
    set: { "properties.hostName": "shop-a1b2.z01.azurefd.net", systemData: made },
  },
  "Microsoft.Cdn/profiles/originGroups": inProfile({
    loadBalancingSettings: { sampleSize: "i", successfulSamplesRequired: "i" },
    healthProbeSettings: { probePath: "s", probeProtocol: "NotSet|Http|Https" },
    sessionAffinityState: switched,
  }),
  "Microsoft.Cdn/profiles/originGroups/origins": inProfile({
    hostName: "s",
    originHostHeader: "s",
    httpsPort: "i",
    priority: "i",
    weight: "i",
    enabledState: switched,
  }),
  "Microsoft.Cdn/profiles/afdEndpoints/routes": inProfile({
    originGroup: ref,
    patternsToMatch: ["s"],
    supportedProtocols: ["Http|Https"],
    forwardingProtocol: "HttpOnly|HttpsOnly|MatchRequest",
    httpsRedirect: switched,
    linkToDefaultDomain: switched,
  }),
};
