import type { JsonMap } from "#platform/json.ts";
import type { Life } from "#test/providers/type-cycle.ts";
import { type ArmCloud, GROUP, REGION, SUBSCRIPTION, TENANT_ID } from "./arm-cloud.ts";

export type Sample = Omit<Life, "type">;

const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`;
const at = (type: string, name: string): string => `${group}/providers/${type}/${name}`;

/** What others stand in, or name. */
export const parents = {
  network: at("Microsoft.Network/virtualNetworks", "parent-network"),
  subnet: `${at("Microsoft.Network/virtualNetworks", "parent-network")}/subnets/parent-subnet`,
  address: at("Microsoft.Network/publicIPAddresses", "parent-address"),
  card: at("Microsoft.Network/networkInterfaces", "parent-card"),
  zone: at("Microsoft.Network/dnsZones", "parent.example"),
  privateZone: at("Microsoft.Network/privateDnsZones", "parent.internal"),
  account: at("Microsoft.Storage/storageAccounts", "parentaccount"),
  server: at("Microsoft.DBforPostgreSQL/flexibleServers", "parent-server"),
  environment: at("Microsoft.App/managedEnvironments", "parent-environment"),
  plan: at("Microsoft.Web/serverfarms", "parent-plan"),
  app: at("Microsoft.Web/sites", "parent-app"),
  vault: at("Microsoft.KeyVault/vaults", "parent-vault"),
  cluster: at("Microsoft.ContainerService/managedClusters", "parent-cluster"),
  sqlServer: at("Microsoft.Sql/servers", "parent-sql"),
  cosmos: at("Microsoft.DocumentDB/databaseAccounts", "parent-cosmos"),
  bus: at("Microsoft.ServiceBus/namespaces", "parent-bus"),
  topic: `${at("Microsoft.ServiceBus/namespaces", "parent-bus")}/topics/parent-topic`,
  frontDoor: at("Microsoft.Cdn/profiles", "parent-door"),
  endpoint: `${at("Microsoft.Cdn/profiles", "parent-door")}/afdEndpoints/parent-endpoint`,
  origins: `${at("Microsoft.Cdn/profiles", "parent-door")}/originGroups/parent-origins`,
} as const;

/** Makes the parents, as a person would. */
export function addParents(cloud: ArmCloud): void {
  for (const id of Object.values(parents)) cloud.put(id, { location: REGION });
}

const here = { location: REGION };
const OTHER = "northeurope";
const moved = (properties: JsonMap): JsonMap => ({ ...properties, location: OTHER });

const records = (name: string, ttl: string, one: JsonMap, two: JsonMap, parent: string): Sample => {
  const properties = { parent, name, properties: { [ttl]: 300, ...one } };
  return {
    properties,
    changed: { ...properties, properties: { [ttl]: 600, ...two } },
    replaced: { ...properties, name: `${name}2` },
  };
};

/** Of one type: its top level, what it is changed to, and its replacement. */
function sample(
  top: JsonMap,
  properties: JsonMap,
  changed: JsonMap | undefined,
  replaced?: JsonMap,
): Sample {
  const whole = { ...top, properties };
  return {
    properties: whole,
    ...(changed && { changed: { ...top, properties: { ...properties, ...changed } } }),
    replaced: replaced ?? moved(whole),
  };
}

const rule = (priority: number): JsonMap => ({
  name: "https",
  properties: {
    protocol: "Tcp",
    access: "Allow",
    direction: "Inbound",
    priority,
    sourceAddressPrefix: "*",
    sourcePortRange: "*",
    destinationAddressPrefix: "*",
    destinationPortRange: "443",
  },
});

const containers = (image: string) => [
  {
    name: "web",
    image,
    env: [{ name: "MODE", value: "shop" }],
    resources: { cpu: 1, memory: "2Gi" },
  },
];

const site = (parent: JsonMap): Sample =>
  sample(
    { ...here, ...parent, kind: "app,linux", tags: { tier: "web" } },
    {
      serverFarmId: parents.plan,
      httpsOnly: true,
      siteConfig: {
        linuxFxVersion: "NODE|24-lts",
        appSettings: [{ name: "SECRET", value: "canary-setting" }],
      },
    },
    { httpsOnly: false },
  );

export const samples: Readonly<Record<string, Sample>> = {
  "Microsoft.Resources/resourceGroups": {
    properties: { ...here, name: "sample-group", tags: { shop: "one" } },
    changed: { ...here, name: "sample-group", tags: { shop: "two" } },
    replaced: { ...here, name: "sample-group-2", tags: {} },
  },
  "Microsoft.ManagedIdentity/userAssignedIdentities": {
    properties: { ...here, tags: { a: "b" } },
    changed: { ...here, tags: { a: "c" } },
    replaced: moved({ tags: {} }),
  },
  "Microsoft.Authorization/roleAssignments": {
    properties: {
      scope: parents.vault,
      properties: {
        roleDefinitionId: `/subscriptions/${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6`,
        principalId: "44444444-4444-4444-8444-444444444444",
        principalType: "ServicePrincipal",
      },
    },
    replaced: {
      properties: {
        roleDefinitionId:
          "/providers/Microsoft.Authorization/roleDefinitions/4633458b-17de-408a-b874-0445c86b69e6",
        principalId: "55555555-5555-4555-8555-555555555555",
      },
    },
  },
  "Microsoft.OperationalInsights/workspaces": sample(
    here,
    { sku: { name: "PerGB2018" }, retentionInDays: 30 },
    { retentionInDays: 60 },
  ),
  "Microsoft.KeyVault/vaults": sample(
    { ...here, name: "sample-vault" },
    {
      tenantId: TENANT_ID,
      sku: { family: "A", name: "standard" },
      enableRbacAuthorization: true,
      softDeleteRetentionInDays: 7,
    },
    { enableRbacAuthorization: false },
    {
      ...here,
      name: "sample-vault-2",
      properties: { tenantId: TENANT_ID, sku: { family: "A", name: "premium" } },
    },
  ),
  "Microsoft.KeyVault/vaults/secrets": {
    ...sample(
      { parent: parents.vault, name: "sample-secret" },
      { value: "canary-value", contentType: "text/plain" },
      { contentType: "text/html" },
      {
        parent: parents.vault,
        name: "sample-secret-2",
        properties: { value: "canary-value" },
      },
    ),
    stays: true,
  },
  "Microsoft.Network/virtualNetworks": sample(
    { ...here, name: "Sample-Network" },
    { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } },
    { addressSpace: { addressPrefixes: ["10.0.0.0/16", "10.1.0.0/16"] } },
  ),
  "Microsoft.Network/virtualNetworks/subnets": sample(
    { parent: parents.network, name: "apps" },
    { addressPrefix: "10.0.1.0/24" },
    { addressPrefix: "10.0.2.0/24" },
    { parent: parents.network, name: "other", properties: { addressPrefix: "10.0.3.0/24" } },
  ),
  "Microsoft.Network/networkSecurityGroups": sample(
    here,
    { securityRules: [rule(100)] },
    { securityRules: [rule(200)] },
  ),
  "Microsoft.Network/publicIPAddresses": sample(
    { ...here, sku: { name: "Standard" } },
    { publicIPAllocationMethod: "Static", idleTimeoutInMinutes: 4 },
    { idleTimeoutInMinutes: 10 },
  ),
  "Microsoft.Network/networkInterfaces": sample(
    here,
    {
      ipConfigurations: [
        {
          name: "main",
          properties: { subnet: { id: parents.subnet }, privateIPAllocationMethod: "Dynamic" },
        },
      ],
      enableIPForwarding: false,
    },
    { enableIPForwarding: true },
  ),
  "Microsoft.Network/loadBalancers": sample(
    { ...here, sku: { name: "Standard" } },
    {
      frontendIPConfigurations: [
        { name: "front", properties: { publicIPAddress: { id: parents.address } } },
      ],
      probes: [{ name: "alive", properties: { protocol: "Tcp", port: 80 } }],
    },
    { probes: [{ name: "alive", properties: { protocol: "Tcp", port: 81 } }] },
  ),
  "Microsoft.Network/applicationGateways": sample(
    here,
    {
      sku: { name: "Standard_v2", tier: "Standard_v2", capacity: 1 },
      gatewayIPConfigurations: [{ name: "in", properties: { subnet: { id: parents.subnet } } }],
      frontendPorts: [{ name: "http", properties: { port: 80 } }],
      enableHttp2: false,
    },
    { enableHttp2: true },
  ),
  "Microsoft.Network/routeTables": sample(
    here,
    {
      disableBgpRoutePropagation: true,
      routes: [
        { name: "out", properties: { addressPrefix: "0.0.0.0/0", nextHopType: "Internet" } },
      ],
    },
    { disableBgpRoutePropagation: false },
  ),
  "Microsoft.Network/natGateways": sample(
    { ...here, sku: { name: "Standard" } },
    { idleTimeoutInMinutes: 4, publicIpAddresses: [{ id: parents.address }] },
    { idleTimeoutInMinutes: 8 },
  ),
  "Microsoft.Network/privateEndpoints": sample(
    { ...here, tags: { a: "b" } },
    {
      subnet: { id: parents.subnet },
      privateLinkServiceConnections: [
        {
          name: "vault",
          properties: { privateLinkServiceId: parents.vault, groupIds: ["vault"] },
        },
      ],
    },
    undefined,
  ),
  "Microsoft.Network/privateDnsZones": {
    properties: { name: "sample.internal", location: "global", tags: {} },
    changed: { name: "sample.internal", location: "global", tags: { a: "b" } },
    replaced: { name: "other.internal", location: "global" },
  },
  "Microsoft.Network/privateDnsZones/virtualNetworkLinks": sample(
    { parent: parents.privateZone, name: "link", location: "global" },
    { virtualNetwork: { id: parents.network }, registrationEnabled: false },
    { registrationEnabled: true },
    {
      parent: parents.privateZone,
      name: "link2",
      location: "global",
      properties: { virtualNetwork: { id: parents.network }, registrationEnabled: false },
    },
  ),
  "Microsoft.Network/privateDnsZones/A": records(
    "www",
    "ttl",
    { aRecords: [{ ipv4Address: "10.0.0.4" }] },
    { aRecords: [{ ipv4Address: "10.0.0.5" }] },
    parents.privateZone,
  ),
  "Microsoft.Network/privateDnsZones/CNAME": records(
    "alias",
    "ttl",
    { cnameRecord: { cname: "www.shop.internal" } },
    { cnameRecord: { cname: "api.shop.internal" } },
    parents.privateZone,
  ),
  "Microsoft.Network/privateDnsZones/TXT": records(
    "text",
    "ttl",
    { txtRecords: [{ value: ["one"] }] },
    { txtRecords: [{ value: ["two"] }] },
    parents.privateZone,
  ),
  "Microsoft.Network/dnsZones": {
    properties: { name: "sample.example", location: "global", tags: {} },
    changed: { name: "sample.example", location: "global", tags: { a: "b" } },
    replaced: { name: "other.example", location: "global" },
  },
  "Microsoft.Network/dnsZones/A": records(
    "@",
    "TTL",
    { ARecords: [{ ipv4Address: "203.0.113.7" }] },
    { ARecords: [{ ipv4Address: "203.0.113.8" }] },
    parents.zone,
  ),
  "Microsoft.Network/dnsZones/AAAA": records(
    "www",
    "TTL",
    { AAAARecords: [{ ipv6Address: "2001:db8::7" }] },
    { AAAARecords: [{ ipv6Address: "2001:db8::8" }] },
    parents.zone,
  ),
  "Microsoft.Network/dnsZones/CNAME": records(
    "alias",
    "TTL",
    { CNAMERecord: { cname: "shop.example" } },
    { CNAMERecord: { cname: "api.example" } },
    parents.zone,
  ),
  "Microsoft.Network/dnsZones/MX": records(
    "mail",
    "TTL",
    { MXRecords: [{ preference: 10, exchange: "mx.example" }] },
    { MXRecords: [{ preference: 20, exchange: "mx.example" }] },
    parents.zone,
  ),
  "Microsoft.Network/dnsZones/TXT": records(
    "text",
    "TTL",
    { TXTRecords: [{ value: ["one"] }] },
    { TXTRecords: [{ value: ["two"] }] },
    parents.zone,
  ),
  "Microsoft.Compute/virtualMachines": sample(
    { ...here, tags: { a: "b" } },
    {
      hardwareProfile: { vmSize: "Standard_B2s" },
      storageProfile: {
        imageReference: {
          publisher: "Canonical",
          offer: "ubuntu-24_04-lts",
          sku: "server",
          version: "latest",
        },
        osDisk: { createOption: "FromImage", deleteOption: "Delete" },
      },
      osProfile: {
        computerName: "shop",
        adminUsername: "someone",
        adminPassword: "canary-password",
      },
      networkProfile: { networkInterfaces: [{ id: parents.card }] },
    },
    { hardwareProfile: { vmSize: "Standard_B4ms" } },
  ),
  "Microsoft.Compute/disks": sample(
    { ...here, sku: { name: "Premium_LRS" } },
    { creationData: { createOption: "Empty" }, diskSizeGB: 32 },
    { diskSizeGB: 64 },
  ),
  "Microsoft.ContainerRegistry/registries": sample(
    { ...here, sku: { name: "Basic" } },
    { adminUserEnabled: true },
    { publicNetworkAccess: "Disabled" },
  ),
  "Microsoft.ContainerService/managedClusters": sample(
    { ...here, identity: { type: "SystemAssigned" } },
    {
      dnsPrefix: "shop",
      kubernetesVersion: "1.35",
      agentPoolProfiles: [
        { name: "main", count: 1, vmSize: "Standard_B2s", mode: "System", osType: "Linux" },
      ],
    },
    { kubernetesVersion: "1.36" },
  ),
  "Microsoft.ContainerService/managedClusters/agentPools": sample(
    { parent: parents.cluster, name: "more" },
    { count: 1, vmSize: "Standard_B2s", mode: "User" },
    { count: 2 },
    { parent: parents.cluster, name: "other", properties: { count: 1, vmSize: "Standard_B4ms" } },
  ),
  "Microsoft.Storage/storageAccounts": sample(
    { ...here, sku: { name: "Standard_LRS" }, kind: "StorageV2" },
    { accessTier: "Hot", minimumTlsVersion: "TLS1_2" },
    { accessTier: "Cool" },
  ),
  "Microsoft.Storage/storageAccounts/blobServices/containers": sample(
    { parent: `${parents.account}/blobServices/default`, name: "files" },
    { publicAccess: "None", metadata: { a: "b" } },
    { metadata: { a: "c" } },
    { parent: `${parents.account}/blobServices/default`, name: "other", properties: {} },
  ),
  "Microsoft.DBforPostgreSQL/flexibleServers": sample(
    { ...here, sku: { name: "Standard_B1ms", tier: "Burstable" } },
    {
      administratorLogin: "someone",
      administratorLoginPassword: "canary-password",
      version: "17",
      storage: { storageSizeGB: 32 },
    },
    { storage: { storageSizeGB: 64 } },
  ),
  "Microsoft.DBforPostgreSQL/flexibleServers/databases": sample(
    { parent: parents.server, name: "shop" },
    { charset: "UTF8", collation: "en_US.utf8" },
    undefined,
    { parent: parents.server, name: "shop", properties: { charset: "LATIN1" } },
  ),
  "Microsoft.DBforPostgreSQL/flexibleServers/firewallRules": sample(
    { parent: parents.server, name: "office" },
    { startIpAddress: "203.0.113.1", endIpAddress: "203.0.113.9" },
    { endIpAddress: "203.0.113.12" },
    {
      parent: parents.server,
      name: "home",
      properties: { startIpAddress: "203.0.113.1", endIpAddress: "203.0.113.1" },
    },
  ),
  "Microsoft.DBforPostgreSQL/flexibleServers/configurations": {
    ...sample(
      { parent: parents.server, name: "max_connections" },
      { value: "200", source: "user-override" },
      { value: "300" },
      {
        parent: parents.server,
        name: "work_mem",
        properties: { value: "8192", source: "user-override" },
      },
    ),
    stays: true,
  },
  "Microsoft.Sql/servers": sample(
    { ...here, name: "sample-sql" },
    {
      administratorLogin: "someone",
      administratorLoginPassword: "canary-password",
      version: "12.0",
      createMode: "Normal",
    },
    { minimalTlsVersion: "1.2" },
    {
      ...here,
      name: "sample-sql-2",
      properties: { administratorLogin: "other", administratorLoginPassword: "canary-password" },
    },
  ),
  "Microsoft.Sql/servers/databases": sample(
    { ...here, parent: parents.sqlServer, name: "shop", sku: { name: "S0", tier: "Standard" } },
    { collation: "SQL_Latin1_General_CP1_CI_AS", requestedBackupStorageRedundancy: "Local" },
    { maxSizeBytes: 2_147_483_648 },
  ),
  "Microsoft.DocumentDB/databaseAccounts": sample(
    { ...here, name: "sample-cosmos", kind: "GlobalDocumentDB" },
    {
      databaseAccountOfferType: "Standard",
      locations: [{ locationName: REGION, failoverPriority: 0, isZoneRedundant: false }],
      consistencyPolicy: { defaultConsistencyLevel: "Session" },
    },
    { consistencyPolicy: { defaultConsistencyLevel: "Eventual" } },
  ),
  "Microsoft.DocumentDB/databaseAccounts/sqlDatabases": sample(
    { parent: parents.cosmos, name: "shop" },
    { resource: { id: "shop" }, options: { throughput: 400 } },
    undefined,
    { parent: parents.cosmos, name: "other", properties: { resource: { id: "other" } } },
  ),
  "Microsoft.Cache/redis": sample(
    { ...here, name: "sample-cache" },
    { sku: { name: "Basic", family: "C", capacity: 0 }, enableNonSslPort: false },
    { redisConfiguration: { "maxmemory-policy": "allkeys-lru" } },
  ),
  "Microsoft.ServiceBus/namespaces": sample(
    { ...here, name: "sample-bus", sku: { name: "Standard", tier: "Standard" } },
    { disableLocalAuth: false },
    { minimumTlsVersion: "1.2" },
  ),
  "Microsoft.ServiceBus/namespaces/queues": sample(
    { parent: parents.bus, name: "orders" },
    { lockDuration: "PT1M", requiresSession: false },
    { maxDeliveryCount: 5 },
    { parent: parents.bus, name: "orders", properties: { requiresSession: true } },
  ),
  "Microsoft.ServiceBus/namespaces/topics": sample(
    { parent: parents.bus, name: "events" },
    { enablePartitioning: false },
    { defaultMessageTimeToLive: "P1D" },
    { parent: parents.bus, name: "events", properties: { enablePartitioning: true } },
  ),
  "Microsoft.ServiceBus/namespaces/topics/subscriptions": sample(
    { parent: parents.topic, name: "mails" },
    { maxDeliveryCount: 5 },
    { lockDuration: "PT2M" },
    { parent: parents.topic, name: "mails", properties: { requiresSession: true } },
  ),
  "Microsoft.Compute/virtualMachineScaleSets": sample(
    { ...here, sku: { name: "Standard_B2s", capacity: 2 } },
    {
      orchestrationMode: "Uniform",
      upgradePolicy: { mode: "Automatic" },
      virtualMachineProfile: {
        storageProfile: {
          imageReference: { publisher: "Canonical", offer: "ubuntu", sku: "server" },
          osDisk: { createOption: "FromImage" },
        },
        osProfile: {
          computerNamePrefix: "web",
          adminUsername: "someone",
          adminPassword: "canary-password",
        },
        networkProfile: {
          networkInterfaceConfigurations: [
            {
              name: "main",
              properties: {
                primary: true,
                ipConfigurations: [
                  { name: "main", properties: { subnet: { id: parents.subnet } } },
                ],
              },
            },
          ],
        },
      },
    },
    { upgradePolicy: { mode: "Manual" } },
  ),
  "Microsoft.Insights/scheduledQueryRules": sample(
    { ...here, kind: "LogAlert" },
    {
      severity: 2,
      enabled: true,
      scopes: [parents.vault],
      evaluationFrequency: "PT5M",
      windowSize: "PT5M",
      criteria: {
        allOf: [
          { query: "AppTraces", timeAggregation: "Count", operator: "GreaterThan", threshold: 5 },
        ],
      },
    },
    { enabled: false },
  ),
  "Microsoft.Cdn/profiles": sample(
    { name: "sample-door", location: "global", sku: { name: "Standard_AzureFrontDoor" } },
    { originResponseTimeoutSeconds: 30 },
    { originResponseTimeoutSeconds: 60 },
    { name: "sample-door", location: "global", sku: { name: "Premium_AzureFrontDoor" } },
  ),
  "Microsoft.Cdn/profiles/afdEndpoints": sample(
    { parent: parents.frontDoor, name: "sample-endpoint", location: "global" },
    { enabledState: "Enabled" },
    { enabledState: "Disabled" },
    {
      parent: parents.frontDoor,
      name: "sample-endpoint",
      location: "global",
      properties: { autoGeneratedDomainNameLabelScope: "NoReuse" },
    },
  ),
  "Microsoft.Cdn/profiles/originGroups": sample(
    { parent: parents.frontDoor, name: "web" },
    { loadBalancingSettings: { sampleSize: 4, successfulSamplesRequired: 3 } },
    { sessionAffinityState: "Enabled" },
    {
      parent: parents.frontDoor,
      name: "other",
      properties: { loadBalancingSettings: { sampleSize: 4 } },
    },
  ),
  "Microsoft.Cdn/profiles/originGroups/origins": sample(
    { parent: parents.origins, name: "app" },
    { hostName: "shop.example.com", priority: 1, weight: 500 },
    { weight: 1000 },
    { parent: parents.origins, name: "other", properties: { hostName: "other.example.com" } },
  ),
  "Microsoft.Cdn/profiles/afdEndpoints/routes": sample(
    { parent: parents.endpoint, name: "all" },
    {
      originGroup: { id: parents.origins },
      patternsToMatch: ["/*"],
      supportedProtocols: ["Https"],
      forwardingProtocol: "HttpsOnly",
      linkToDefaultDomain: "Enabled",
    },
    { patternsToMatch: ["/*", "/api/*"] },
    {
      parent: parents.endpoint,
      name: "other",
      properties: { originGroup: { id: parents.origins }, patternsToMatch: ["/*"] },
    },
  ),
  "Microsoft.App/managedEnvironments": sample(
    { ...here, tags: { a: "b" } },
    {
      appLogsConfiguration: {
        destination: "log-analytics",
        logAnalyticsConfiguration: {
          customerId: "66666666-6666-4666-8666-666666666666",
          sharedKey: "canary-shared",
        },
      },
      zoneRedundant: false,
    },
    undefined,
  ),
  "Microsoft.App/containerApps": sample(
    here,
    {
      environmentId: parents.environment,
      configuration: {
        secrets: [{ name: "database", value: "canary-secret" }],
        ingress: { external: true, targetPort: 8080, transport: "auto", allowInsecure: false },
      },
      template: { containers: containers("shop:1"), scale: { minReplicas: 1, maxReplicas: 3 } },
    },
    { template: { containers: containers("shop:2"), scale: { minReplicas: 1, maxReplicas: 3 } } },
  ),
  "Microsoft.App/jobs": sample(
    here,
    {
      environmentId: parents.environment,
      configuration: {
        triggerType: "Schedule",
        replicaTimeout: 300,
        scheduleTriggerConfig: { cronExpression: "0 3 * * *" },
      },
      template: { containers: containers("job:1") },
    },
    { template: { containers: containers("job:2") } },
  ),
  "Microsoft.Web/serverfarms": sample(
    { ...here, kind: "linux", sku: { name: "B1", tier: "Basic", capacity: 1 } },
    { reserved: true, zoneRedundant: false },
    undefined,
  ),
  "Microsoft.Web/sites": site({}),
  "Microsoft.Web/sites/slots": site({ parent: parents.app, name: "staging" }),
};
