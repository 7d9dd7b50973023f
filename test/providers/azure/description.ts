/** What ARM takes and shows of the types with rows, in our own words; `npm run test:specs` takes the vendor's. */
import {
  type DescribedType,
  identity,
  made,
  needsLocation,
  ref,
  shownAlways,
  state,
  system,
  tagged,
  tracked,
} from "./described-parts.ts";
import { serviceDescription } from "./service-description.ts";
import type { Short } from "./shape.ts";

const NETWORK = "2025-09-01";
const guid = { "resourceGuid-": "s" } as const;
const part = (properties: Short): readonly [Short] => [
  { id: "s", name: "s", "etag-": "s", "type-": "s", properties },
];

const subnet = {
  ...state,
  addressPrefix: "s",
  addressPrefixes: ["s"],
  networkSecurityGroup: ref,
  natGateway: ref,
  routeTable: ref,
  delegations: part({ serviceName: "s", "actions-": ["s"], "provisioningState-": "s" }),
  serviceEndpoints: [{ service: "s", locations: ["s"], "provisioningState-": "s" }],
  privateEndpointNetworkPolicies: "s",
} as const satisfies Short;
const frontends = part({
  ...state,
  privateIPAddress: "s",
  privateIPAllocationMethod: "Static|Dynamic",
  subnet: ref,
  publicIPAddress: ref,
});

const dnsProperties = (records: { readonly [name: string]: Short }, ttl: string): Short => ({
  metadata: { "*": "s" },
  [ttl]: "i",
  "fqdn-": "s",
  ...records,
});
const records = {
  A: { ARecords: [{ ipv4Address: "s" }], targetResource: ref },
  AAAA: { AAAARecords: [{ ipv6Address: "s" }] },
  CNAME: { CNAMERecord: { cname: "s" } },
  MX: { MXRecords: [{ preference: "i", exchange: "s" }] },
  TXT: { TXTRecords: [{ value: [`s`] }] },
} as const satisfies Record<string, Short>;
const privateRecords = {
  A: { aRecords: [{ ipv4Address: "s" }] },
  CNAME: { cnameRecord: { cname: "s" } },
  TXT: { txtRecords: [{ value: ["s"] }] },
} as const satisfies Record<string, Short>;

const publicRecord = (kind: keyof typeof records): DescribedType => ({
  version: "2018-05-01",
  style: "at once",
  conditional: true,
  body: {
    ...shownAlways,
    ...tagged,
    properties: dnsProperties({ ...records[kind], "provisioningState-": "s" }, "TTL"),
  },
  set: { "properties.fqdn": "www.shop.example." },
});
const privateRecord = (kind: keyof typeof privateRecords): DescribedType => ({
  version: "2024-06-01",
  style: "at once",
  conditional: true,
  body: {
    ...shownAlways,
    ...tagged,
    properties: dnsProperties({ ...privateRecords[kind], "isAutoRegistered-": "b" }, "ttl"),
  },
  set: { "properties.fqdn": "www.shop.internal." },
});

const container = (more: { readonly [name: string]: Short } = {}): readonly [Short] => [
  {
    name: "s",
    image: "s",
    command: ["s"],
    env: [{ name: "s", value: "s", secretRef: "s" }],
    // The vendor's description has an integer here, and its cloud takes 0.25 and 0.5.
    resources: { cpu: "n", memory: "s" },
    ...more,
  },
];
const appSecrets = [{ name: "s", "value+": "s", identity: "s", keyVaultUrl: "s" }] as const;
const registries = [{ server: "s", username: "s", passwordSecretRef: "s", identity: "s" }] as const;

const site: DescribedType = {
  version: "2024-11-01",
  style: "state",
  global: true,
  body: {
    ...needsLocation,
    kind: "s",
    identity,
    properties: {
      serverFarmId: "s",
      httpsOnly: "b",
      clientAffinityEnabled: "b",
      virtualNetworkSubnetId: "s",
      reserved: "b",
      "siteConfig+": {
        linuxFxVersion: "s",
        alwaysOn: "b",
        ftpsState: "s",
        "appSettings+": [{ name: "s", value: "s" }],
      },
      "state-": "s",
      "defaultHostName-": "s",
      "enabledHostNames-": ["s"],
    },
  },
  set: {
    "properties.state": "Running",
    "properties.defaultHostName": "shop.azurewebsites.net",
  },
};

export const azureDescription: Readonly<Record<string, DescribedType>> = {
  "Microsoft.Resources/resourceGroups": {
    version: "2025-04-01",
    style: "location",
    body: { ...needsLocation, managedBy: "s", properties: state },
    immutable: ["location"],
  },
  "Microsoft.ManagedIdentity/userAssignedIdentities": {
    version: "2024-11-30",
    style: "at once",
    body: {
      ...needsLocation,
      ...system,
      properties: { "principalId-": "s", "clientId-": "s", "tenantId-": "s", isolationScope: "s" },
    },
    set: {
      "properties.principalId": "{uuid}",
      "properties.clientId": "{uuid}",
      "properties.tenantId": "22222222-2222-4222-8222-222222222222",
      systemData: made,
    },
  },
  "Microsoft.Authorization/roleAssignments": {
    version: "2022-04-01",
    style: "at once",
    immutable: ["properties"],
    body: {
      ...shownAlways,
      ...system,
      "properties!": {
        "roleDefinitionId!": "s",
        "principalId!": "s",
        principalType: "User|Group|ServicePrincipal|ForeignGroup|Device",
        description: "s",
        condition: "s",
        conditionVersion: "s",
        "scope-": "s",
        "createdOn-": "s",
      },
    },
    set: { "properties.createdOn": "{now}", systemData: made },
  },
  "Microsoft.OperationalInsights/workspaces": {
    version: "2026-03-01",
    style: "state",
    body: {
      ...needsLocation,
      ...system,
      identity,
      properties: {
        ...state,
        "customerId-": "s",
        sku: { "name!": "s", capacityReservationLevel: "i" },
        retentionInDays: "i",
        publicNetworkAccessForIngestion: "s",
      },
    },
    set: { "properties.customerId": "{uuid}", systemData: made },
    actions: {
      sharedKeys: { primarySharedKey: "canary-shared-1", secondarySharedKey: "canary-shared-2" },
    },
  },
  "Microsoft.KeyVault/vaults": {
    version: "2026-02-01",
    style: "state",
    global: true,
    softDelete: true,
    immutable: ["location", "properties.tenantId"],
    body: {
      ...needsLocation,
      ...system,
      "properties!": {
        "tenantId!": "s",
        "sku!": { "family!": "A|B", "name!": "standard|premium" },
        "createMode+": "default|recover",
        enableRbacAuthorization: "b",
        enableSoftDelete: "b",
        softDeleteRetentionInDays: "i",
        publicNetworkAccess: "s",
        vaultUri: "s",
        provisioningState: "Succeeded|RegisteringDns",
      },
    },
    set: { "properties.vaultUri": "https://shop.vault.azure.net/", systemData: made },
    state: {
      path: "properties.provisioningState",
      working: "RegisteringDns",
      ready: "Succeeded",
      failed: "Succeeded",
    },
  },
  "Microsoft.KeyVault/vaults/secrets": {
    version: "2026-02-01",
    style: "at once",
    stays: true,
    body: {
      ...shownAlways,
      ...system,
      "location-": "s",
      tags: { "*": "s" },
      "properties!": {
        "value+": "s",
        contentType: "s",
        attributes: { enabled: "b", exp: "i", nbf: "i", "created-": "i", "updated-": "i" },
        "secretUri-": "s",
        "secretUriWithVersion-": "s",
      },
    },
    set: { "properties.secretUri": "https://shop.vault.azure.net/secrets/one", systemData: made },
  },
  "Microsoft.Network/virtualNetworks": {
    version: NETWORK,
    style: "operation",
    immutable: ["location"],
    body: {
      ...tracked,
      ...tagged,
      properties: {
        ...state,
        ...guid,
        addressSpace: { addressPrefixes: ["s"] },
        dhcpOptions: { dnsServers: ["s"] },
        enableDdosProtection: "b",
        subnets: part(subnet),
        virtualNetworkPeerings: part({
          ...state,
          remoteVirtualNetwork: ref,
          allowVirtualNetworkAccess: "b",
          allowForwardedTraffic: "b",
          allowGatewayTransit: "b",
          useRemoteGateways: "b",
          peeringState: "Initiated|Connected|Disconnected",
        }),
      },
    },
    set: { "properties.resourceGuid": "{uuid}" },
  },
  "Microsoft.Network/virtualNetworks/subnets": {
    version: NETWORK,
    style: "operation",
    body: {
      ...shownAlways,
      ...tagged,
      properties: subnet,
    },
  },
  "Microsoft.Network/networkSecurityGroups": {
    version: NETWORK,
    style: "operation",
    body: {
      ...tracked,
      ...tagged,
      properties: {
        ...state,
        ...guid,
        securityRules: part({
          "provisioningState-": "s",
          "protocol!": "s",
          "access!": "Allow|Deny",
          "direction!": "Inbound|Outbound",
          "priority!": "i",
          sourceAddressPrefix: "s",
          sourcePortRange: "s",
          destinationAddressPrefix: "s",
          destinationPortRange: "s",
        }),
        "defaultSecurityRules-": ["*"],
      },
    },
    set: { "properties.resourceGuid": "{uuid}" },
  },
  "Microsoft.Network/publicIPAddresses": {
    version: NETWORK,
    style: "operation",
    immutable: ["sku"],
    body: {
      ...tracked,
      ...tagged,
      sku: { name: "s", tier: "s" },
      zones: ["s"],
      properties: {
        ...state,
        ...guid,
        publicIPAllocationMethod: "Static|Dynamic",
        publicIPAddressVersion: "IPv4|IPv6",
        idleTimeoutInMinutes: "i",
        dnsSettings: { domainNameLabel: "s" },
        ipAddress: "s",
      },
    },
    set: { "properties.ipAddress": "203.0.113.7" },
  },
  "Microsoft.Network/networkInterfaces": {
    version: NETWORK,
    style: "operation",
    body: {
      ...tracked,
      ...tagged,
      properties: {
        ...state,
        ...guid,
        networkSecurityGroup: ref,
        enableIPForwarding: "b",
        "macAddress-": "s",
        ipConfigurations: part({
          "provisioningState-": "s",
          subnet: { id: "s" },
          publicIPAddress: { id: "s" },
          privateIPAllocationMethod: "s",
          primary: "b",
        }),
      },
    },
    set: { "properties.macAddress": "00-00-5E-00-53-01" },
  },
  "Microsoft.Network/loadBalancers": {
    version: NETWORK,
    style: "operation",
    body: {
      ...tracked,
      ...tagged,
      sku: { name: "s", tier: "s" },
      properties: {
        ...state,
        ...guid,
        frontendIPConfigurations: frontends,
        backendAddressPools: part({
          ...state,
          loadBalancerBackendAddresses: [
            { name: "s", properties: { ipAddress: "s", virtualNetwork: ref, subnet: ref } },
          ],
        }),
        probes: part({
          "provisioningState-": "s",
          "protocol!": "s",
          "port!": "i",
          requestPath: "s",
        }),
        loadBalancingRules: part({
          ...state,
          frontendIPConfiguration: ref,
          backendAddressPool: ref,
          backendAddressPools: [ref],
          probe: ref,
          "protocol!": "Tcp|Udp|All",
          "frontendPort!": "i",
          backendPort: "i",
          idleTimeoutInMinutes: "i",
          loadDistribution: "Default|SourceIP|SourceIPProtocol",
          enableFloatingIP: "b",
          enableTcpReset: "b",
          disableOutboundSnat: "b",
        }),
      },
    },
  },
  "Microsoft.Network/applicationGateways": {
    version: NETWORK,
    style: "operation",
    body: {
      ...tracked,
      ...tagged,
      identity,
      zones: ["s"],
      properties: {
        ...state,
        ...guid,
        "operationalState-": "s",
        sku: { name: "s", tier: "s", capacity: "i" },
        gatewayIPConfigurations: part({ subnet: ref, "provisioningState-": "s" }),
        frontendIPConfigurations: frontends,
        frontendPorts: part({ port: "i", "provisioningState-": "s" }),
        backendAddressPools: part({
          ...state,
          backendAddresses: [{ fqdn: "s", ipAddress: "s" }],
        }),
        backendHttpSettingsCollection: part({
          ...state,
          port: "i",
          protocol: "Http|Https",
          cookieBasedAffinity: "Enabled|Disabled",
          requestTimeout: "i",
          probe: ref,
          hostName: "s",
          pickHostNameFromBackendAddress: "b",
        }),
        httpListeners: part({
          ...state,
          frontendIPConfiguration: ref,
          frontendPort: ref,
          protocol: "Http|Https",
          hostName: "s",
          hostNames: ["s"],
          sslCertificate: ref,
          requireServerNameIndication: "b",
        }),
        requestRoutingRules: part({
          ...state,
          ruleType: "Basic|PathBasedRouting",
          priority: "i",
          httpListener: ref,
          backendAddressPool: ref,
          backendHttpSettings: ref,
          urlPathMap: ref,
          redirectConfiguration: ref,
        }),
        enableHttp2: "b",
      },
    },
    set: { "properties.operationalState": "Running" },
  },
  "Microsoft.Network/routeTables": {
    version: NETWORK,
    style: "operation",
    body: {
      ...tracked,
      ...tagged,
      properties: {
        ...state,
        ...guid,
        disableBgpRoutePropagation: "b",
        routes: part({
          "provisioningState-": "s",
          addressPrefix: "s",
          "nextHopType!": "s",
          nextHopIpAddress: "s",
        }),
      },
    },
  },
  "Microsoft.Network/natGateways": {
    version: NETWORK,
    style: "operation",
    body: {
      ...tracked,
      ...tagged,
      sku: { name: "s" },
      zones: ["s"],
      properties: { ...state, ...guid, idleTimeoutInMinutes: "i", publicIpAddresses: [ref] },
    },
  },
  "Microsoft.Network/privateEndpoints": {
    version: NETWORK,
    style: "operation",
    body: {
      ...tracked,
      ...tagged,
      properties: {
        ...state,
        subnet: { id: "s" },
        privateLinkServiceConnections: part({
          "provisioningState-": "s",
          privateLinkServiceId: "s",
          groupIds: ["s"],
          requestMessage: "s",
        }),
        "networkInterfaces-": ["*"],
        customDnsConfigs: [{ fqdn: "s", ipAddresses: ["s"] }],
      },
    },
  },
  "Microsoft.Network/privateDnsZones": {
    version: "2024-06-01",
    style: "operation",
    conditional: true,
    body: { ...tracked, etag: "s", ...system, properties: { ...state, "internalId-": "s" } },
    set: { systemData: made },
  },
  "Microsoft.Network/privateDnsZones/virtualNetworkLinks": {
    version: "2024-06-01",
    style: "operation",
    conditional: true,
    body: {
      ...tracked,
      etag: "s",
      ...system,
      properties: {
        ...state,
        virtualNetwork: ref,
        registrationEnabled: "b",
        resolutionPolicy: "s",
      },
    },
    set: { systemData: made },
  },
  "Microsoft.Network/privateDnsZones/A": privateRecord("A"),
  "Microsoft.Network/privateDnsZones/CNAME": privateRecord("CNAME"),
  "Microsoft.Network/privateDnsZones/TXT": privateRecord("TXT"),
  "Microsoft.Network/dnsZones": {
    version: "2018-05-01",
    style: "at once",
    conditional: true,
    body: {
      ...needsLocation,
      etag: "s",
      properties: { zoneType: "Public|Private", "nameServers-": ["s"] },
    },
    set: { "properties.nameServers": ["ns1-01.azure-dns.com."] },
  },
  "Microsoft.Network/dnsZones/A": publicRecord("A"),
  "Microsoft.Network/dnsZones/AAAA": publicRecord("AAAA"),
  "Microsoft.Network/dnsZones/CNAME": publicRecord("CNAME"),
  "Microsoft.Network/dnsZones/MX": publicRecord("MX"),
  "Microsoft.Network/dnsZones/TXT": publicRecord("TXT"),
  "Microsoft.Compute/virtualMachines": {
    version: "2026-04-01",
    style: "operation",
    immutable: ["properties.osProfile.adminUsername"],
    body: {
      ...needsLocation,
      ...system,
      "etag-": "s",
      identity,
      zones: ["s"],
      properties: {
        ...state,
        "vmId-": "s",
        hardwareProfile: { vmSize: "s" },
        storageProfile: {
          imageReference: { publisher: "s", offer: "s", sku: "s", version: "s" },
          osDisk: {
            "createOption!": "FromImage|Empty|Attach",
            deleteOption: "Delete|Detach",
            managedDisk: { storageAccountType: "s" },
          },
        },
        osProfile: {
          computerName: "s",
          adminUsername: "s",
          "adminPassword+": "s",
          linuxConfiguration: { disablePasswordAuthentication: "b" },
        },
        networkProfile: { networkInterfaces: [{ id: "s", properties: { primary: "b" } }] },
      },
    },
    set: { "properties.vmId": "{uuid}", systemData: made },
  },
  "Microsoft.Compute/disks": {
    version: "2026-03-02",
    style: "location",
    body: {
      ...needsLocation,
      ...system,
      sku: { name: "s", "tier-": "s" },
      zones: ["s"],
      properties: {
        ...state,
        "creationData!": { "createOption!": "s", sourceResourceId: "s" },
        diskSizeGB: "i",
        "uniqueId-": "s",
        "diskState-": "s",
      },
    },
    set: { "properties.uniqueId": "{uuid}", systemData: made },
  },
  "Microsoft.ContainerRegistry/registries": {
    version: "2025-11-01",
    style: "operation",
    global: true,
    body: {
      ...needsLocation,
      ...system,
      "sku!": { "name!": "s", "tier-": "s" },
      identity,
      properties: {
        ...state,
        adminUserEnabled: "b",
        publicNetworkAccess: "Enabled|Disabled",
        "loginServer-": "s",
      },
    },
    set: { "properties.loginServer": "shop.azurecr.io", systemData: made },
    actions: {
      listCredentials: {
        username: "shop",
        passwords: [
          { name: "password", value: "canary-registry-1" },
          { name: "password2", value: "canary-registry-2" },
        ],
      },
    },
  },
  "Microsoft.ContainerService/managedClusters": {
    version: "2026-05-01",
    style: "operation",
    immutable: ["properties.dnsPrefix"],
    body: {
      ...needsLocation,
      ...system,
      sku: { name: "s", tier: "s" },
      identity,
      properties: {
        ...state,
        dnsPrefix: "s",
        kubernetesVersion: "s",
        enableRBAC: "b",
        agentPoolProfiles: [{ "name!": "s", count: "i", vmSize: "s", mode: "s", osType: "s" }],
        "fqdn-": "s",
      },
    },
    set: { "properties.fqdn": "shop.hcp.westeurope.azmk8s.io", systemData: made },
  },
  "Microsoft.ContainerService/managedClusters/agentPools": {
    version: "2026-05-01",
    style: "operation",
    body: {
      ...shownAlways,
      ...system,
      properties: {
        ...state,
        count: "i",
        vmSize: "s",
        mode: "s",
        osType: "s",
      },
    },
    set: { systemData: made },
  },
  "Microsoft.Storage/storageAccounts": {
    version: "2024-01-01",
    style: "location",
    global: true,
    immutable: ["location"],
    body: {
      ...needsLocation,
      "sku!": { "name!": "s", "tier-": "s" },
      "kind!": "s",
      identity,
      properties: {
        ...state,
        accessTier: "Hot|Cool|Cold|Premium",
        minimumTlsVersion: "s",
        allowBlobPublicAccess: "b",
        supportsHttpsTrafficOnly: "b",
        isHnsEnabled: "b",
        "primaryEndpoints-": { "blob-": "s" },
      },
    },
    set: {
      "sku.tier": "Standard",
      "properties.primaryEndpoints": { blob: "https://shop.blob.core.windows.net/" },
    },
    actions: {
      listKeys: {
        keys: [
          { keyName: "key1", value: "canary-storage-1", permissions: "FULL" },
          { keyName: "key2", value: "canary-storage-2", permissions: "FULL" },
        ],
      },
    },
  },
  "Microsoft.Storage/storageAccounts/blobServices/containers": {
    version: "2024-01-01",
    style: "at once",
    body: {
      ...shownAlways,
      ...tagged,
      properties: {
        publicAccess: "None|Blob|Container",
        metadata: { "*": "s" },
        "lastModifiedTime-": "s",
      },
    },
    set: { "properties.lastModifiedTime": "{now}" },
  },
  "Microsoft.DBforPostgreSQL/flexibleServers": {
    version: "2025-08-01",
    style: "operation",
    global: true,
    immutable: ["location", "properties.administratorLogin"],
    body: {
      ...needsLocation,
      ...system,
      sku: { "name!": "s", "tier!": "Burstable|GeneralPurpose|MemoryOptimized" },
      properties: {
        administratorLogin: "s",
        "administratorLoginPassword+": "s",
        version: "s",
        "createMode+": "s",
        storage: { storageSizeGB: "i" },
        backup: { backupRetentionDays: "i", geoRedundantBackup: "Enabled|Disabled" },
        network: { delegatedSubnetResourceId: "s", privateDnsZoneArmResourceId: "s" },
        "state-": "s",
        "fullyQualifiedDomainName-": "s",
      },
    },
    set: {
      "properties.fullyQualifiedDomainName": "shop.postgres.database.azure.com",
      systemData: made,
    },
    state: { path: "properties.state", working: "Starting", ready: "Ready", failed: "Disabled" },
  },
  "Microsoft.DBforPostgreSQL/flexibleServers/databases": {
    version: "2025-08-01",
    style: "operation",
    body: { ...shownAlways, ...system, properties: { charset: "s", collation: "s" } },
    set: { systemData: made },
  },
  "Microsoft.DBforPostgreSQL/flexibleServers/firewallRules": {
    version: "2025-08-01",
    style: "location",
    body: {
      ...shownAlways,
      ...system,
      "properties!": { "startIpAddress!": "s", "endIpAddress!": "s" },
    },
    set: { systemData: made },
  },
  "Microsoft.DBforPostgreSQL/flexibleServers/configurations": {
    version: "2025-08-01",
    style: "operation",
    given: true,
    body: {
      ...shownAlways,
      ...system,
      properties: { value: "s", source: "s", "defaultValue-": "s", "dataType-": "s" },
    },
    set: { "properties.defaultValue": "100", systemData: made },
  },
  "Microsoft.App/managedEnvironments": {
    version: "2025-07-01",
    style: "operation",
    body: {
      ...needsLocation,
      ...system,
      properties: {
        "provisioningState-": "s",
        appLogsConfiguration: {
          destination: "s",
          logAnalyticsConfiguration: { customerId: "s", "sharedKey+": "s" },
        },
        vnetConfiguration: { infrastructureSubnetId: "s", internal: "b" },
        zoneRedundant: "b",
        "defaultDomain-": "s",
        "staticIp-": "s",
      },
    },
    set: {
      "properties.defaultDomain": "happy-sea.westeurope.azurecontainerapps.io",
      "properties.staticIp": "203.0.113.8",
      systemData: made,
    },
  },
  "Microsoft.App/containerApps": {
    version: "2025-07-01",
    style: "operation",
    body: {
      ...needsLocation,
      ...system,
      identity,
      properties: {
        "provisioningState-": "s",
        environmentId: "s",
        configuration: {
          activeRevisionsMode: "Single|Multiple|Labels",
          secrets: appSecrets,
          registries,
          ingress: {
            "fqdn-": "s",
            external: "b",
            targetPort: "i",
            transport: "auto|http|http2|tcp",
            allowInsecure: "b",
          },
        },
        template: {
          containers: container({
            probes: [
              {
                type: "Liveness|Readiness|Startup",
                httpGet: { path: "s", "port!": "i", scheme: "HTTP|HTTPS", host: "s" },
                tcpSocket: { "port!": "i", host: "s" },
                initialDelaySeconds: "i",
                periodSeconds: "i",
                timeoutSeconds: "i",
                failureThreshold: "i",
                successThreshold: "i",
              },
            ],
          }),
          scale: { minReplicas: "i", maxReplicas: "i" },
        },
        "latestRevisionName-": "s",
      },
    },
    set: {
      "properties.configuration.ingress.fqdn": "shop.happy-sea.westeurope.azurecontainerapps.io",
      "properties.latestRevisionName": "shop--1",
      systemData: made,
    },
  },
  "Microsoft.App/jobs": {
    version: "2025-07-01",
    style: "operation",
    body: {
      ...needsLocation,
      ...system,
      identity,
      properties: {
        "provisioningState-": "s",
        environmentId: "s",
        configuration: {
          "triggerType!": "Schedule|Event|Manual",
          "replicaTimeout!": "i",
          replicaRetryLimit: "i",
          secrets: appSecrets,
          registries,
          scheduleTriggerConfig: { "cronExpression!": "s", parallelism: "i" },
          manualTriggerConfig: { parallelism: "i" },
        },
        template: { containers: container() },
      },
    },
    set: { systemData: made },
  },
  "Microsoft.Web/serverfarms": {
    version: "2024-11-01",
    style: "state",
    body: {
      ...needsLocation,
      kind: "s",
      sku: { name: "s", tier: "s", capacity: "i" },
      properties: { ...state, reserved: "b", zoneRedundant: "b", "numberOfSites-": "i" },
    },
  },
  "Microsoft.Web/sites": site,
  "Microsoft.Web/sites/slots": { ...site, style: "location" },
  ...serviceDescription,
};
