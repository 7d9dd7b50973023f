import type { ArmRow, ArmRows } from "./arm-row.ts";

const VERSION = "2025-09-01";
const CDN_VERSION = "2025-12-01";
const DNS_VERSION = "2018-05-01";
const PRIVATE_DNS_VERSION = "2024-06-01";

/** Members that Azure adds to objects inside another object. */
const within = (...lists: readonly string[]): string[] =>
  lists.flatMap((list) =>
    ["id", "etag", "type", "properties.provisioningState"].map(
      (member) => `properties.${list}[*].${member}`,
    ),
  );

/** A number by which Azure tells objects apart. */
const usual = ["properties.resourceGuid"];
const networkName = { maxLength: 80 } as const;

/** A set of records of one kind; its zone is the `parent`. */
const records = (kind: string, version: string, metadata: string): ArmRow => ({
  version,
  about: `The ${kind} records of one name in a zone. The zone itself is named @.`,
  location: "none",
  mark: metadata,
  guard: "header",
  required: ["properties"],
  readOnly: ["properties.fqdn", "properties.isAutoRegistered"],
  nameRule: { maxLength: 63 },
  state: "none",
});

/** A part of Front Door, which spreads to the edges for hours at most (Terraform's provider waits four, and six). */
const frontDoor = {
  version: CDN_VERSION,
  timing: { pollMs: 10_000, createMinutes: 240, updateMinutes: 240, deleteMinutes: 360 },
} as const satisfies Partial<ArmRow>;

const publicRecords = (kind: string) => records(kind, DNS_VERSION, "properties.metadata");
const privateRecords = (kind: string) => records(kind, PRIVATE_DNS_VERSION, "properties.metadata");

export function networkRows(): ArmRows {
  return {
    "Microsoft.Network/virtualNetworks": {
      version: VERSION,
      about:
        "A virtual network. Its subnets are objects of their own, or stand in `properties.subnets`.",
      top: "extendedLocation",
      required: ["properties"],
      readOnly: [
        ...usual,
        ...within("subnets", "virtualNetworkPeerings"),
        "properties.subnets[*].properties.ipConfigurations",
        "properties.flowLogs",
        "properties.defaultPublicNatGateway",
      ],
      nameRule: { maxLength: 64 },
    },
    "Microsoft.Network/virtualNetworks/subnets": {
      version: VERSION,
      about: "A subnet of a virtual network.",
      location: "none",
      mark: "none",
      required: ["properties"],
      readOnly: [
        ...within("delegations", "serviceEndpointPolicies"),
        "properties.serviceEndpoints[*].provisioningState",
        "properties.privateEndpoints",
        "properties.ipConfigurations",
        "properties.purpose",
      ],
      nameRule: networkName,
    },
    "Microsoft.Network/networkSecurityGroups": {
      version: VERSION,
      about: "Rules for traffic. An update sends all of `properties.securityRules`.",
      readOnly: [
        ...usual,
        ...within("securityRules"),
        "properties.defaultSecurityRules",
        "properties.networkInterfaces",
        "properties.subnets",
        "properties.flowLogs",
      ],
      nameRule: networkName,
    },
    "Microsoft.Network/publicIPAddresses": {
      version: VERSION,
      about: "A public address.",
      top: "sku zones extendedLocation",
      immutable: [
        "sku",
        "zones",
        "properties.ipTags",
        "properties.publicIPPrefix.id",
        "properties.publicIPAddressVersion",
      ],
      readOnly: [...usual, "properties.ipConfiguration", "properties.upgradedToV2"],
      nameRule: networkName,
    },
    "Microsoft.Network/networkInterfaces": {
      deleteFirst: true,
      version: VERSION,
      about: "A network interface.",
      top: "extendedLocation",
      required: ["properties"],
      readOnly: [
        ...usual,
        ...within("ipConfigurations"),
        "properties.virtualMachine",
        "properties.privateEndpoint",
        "properties.macAddress",
        "properties.primary",
        "properties.hostedWorkloads",
        "properties.dnsSettings.appliedDnsServers",
        "properties.dnsSettings.internalFqdn",
        "properties.dnsSettings.internalDomainNameSuffix",
      ],
      nameRule: networkName,
    },
    "Microsoft.Network/loadBalancers": {
      deleteFirst: true,
      version: VERSION,
      about: "A load balancer of layer 4.",
      top: "sku extendedLocation",
      required: ["properties"],
      immutable: ["sku"],
      readOnly: [
        ...usual,
        ...within(
          "frontendIPConfigurations",
          "backendAddressPools",
          "loadBalancingRules",
          "probes",
          "inboundNatRules",
          "inboundNatPools",
          "outboundRules",
        ),
      ],
      nameRule: networkName,
    },
    "Microsoft.Network/applicationGateways": {
      deleteFirst: true,
      version: VERSION,
      about: "A load balancer of layer 7, with or without a firewall.",
      top: "identity zones",
      required: ["properties"],
      immutable: ["zones"],
      writeOnly: [
        "properties.sslCertificates[*].properties.data",
        "properties.sslCertificates[*].properties.password",
      ],
      readOnly: [
        ...usual,
        ...within(
          "gatewayIPConfigurations",
          "frontendIPConfigurations",
          "frontendPorts",
          "backendAddressPools",
          "backendHttpSettingsCollection",
          "httpListeners",
          "requestRoutingRules",
          "probes",
          "sslCertificates",
        ),
        "properties.operationalState",
        "properties.defaultPredefinedSslPolicy",
      ],
      nameRule: networkName,
    },
    "Microsoft.Network/routeTables": {
      version: VERSION,
      about: "Routes of subnets. An update sends all of `properties.routes`.",
      readOnly: [...usual, ...within("routes"), "properties.subnets"],
      nameRule: networkName,
    },
    "Microsoft.Network/natGateways": {
      deleteFirst: true,
      version: VERSION,
      about: "The way out of subnets.",
      top: "sku zones",
      required: ["sku"],
      immutable: ["sku", "zones"],
      readOnly: [...usual, "properties.subnets"],
      nameRule: networkName,
    },
    "Microsoft.Network/privateEndpoints": {
      version: VERSION,
      about: "A private address for a service.",
      top: "extendedLocation",
      required: ["properties"],
      immutable: ["properties.subnet", "properties.customNetworkInterfaceName"],
      readOnly: [
        ...within("privateLinkServiceConnections", "manualPrivateLinkServiceConnections"),
        "properties.networkInterfaces",
        "properties.customDnsConfigs",
      ],
      nameRule: { maxLength: 64 },
    },
    "Microsoft.Network/privateDnsZones": {
      version: PRIVATE_DNS_VERSION,
      about: "A private DNS zone. Its name is the domain, its location `global`.",
      location: "global",
      required: ["name"],
      readOnly: [
        "properties.internalId",
        "properties.numberOfRecordSets",
        "properties.maxNumberOfRecordSets",
        "properties.numberOfVirtualNetworkLinks",
        "properties.maxNumberOfVirtualNetworkLinks",
        "properties.numberOfVirtualNetworkLinksWithRegistration",
        "properties.maxNumberOfVirtualNetworkLinksWithRegistration",
      ],
      guard: "header",
    },
    "Microsoft.Network/privateDnsZones/virtualNetworkLinks": {
      deleteFirst: true,
      version: PRIVATE_DNS_VERSION,
      about: "Lets a virtual network see a private zone.",
      location: "global",
      required: ["properties"],
      immutable: ["properties.virtualNetwork"],
      readOnly: ["properties.virtualNetworkLinkState"],
      guard: "header",
      nameRule: networkName,
    },
    "Microsoft.Network/privateDnsZones/A": privateRecords("A"),
    "Microsoft.Network/privateDnsZones/CNAME": privateRecords("CNAME"),
    "Microsoft.Network/privateDnsZones/TXT": privateRecords("TXT"),
    "Microsoft.Network/dnsZones": {
      version: DNS_VERSION,
      about: "A public DNS zone. Its name is the domain, its location `global`.",
      location: "global",
      required: ["name"],
      readOnly: [
        "properties.nameServers",
        "properties.numberOfRecordSets",
        "properties.maxNumberOfRecordSets",
        "properties.maxNumberOfRecordsPerRecordSet",
      ],
      guard: "header",
      state: "none",
    },
    "Microsoft.Network/dnsZones/A": publicRecords("A"),
    "Microsoft.Network/dnsZones/AAAA": publicRecords("AAAA"),
    "Microsoft.Network/dnsZones/CNAME": publicRecords("CNAME"),
    "Microsoft.Network/dnsZones/MX": publicRecords("MX"),
    "Microsoft.Network/dnsZones/TXT": publicRecords("TXT"),
    "Microsoft.Cdn/profiles": {
      ...frontDoor,
      about: "A profile of Front Door. Its location is `global`.",
      location: "global",
      top: "sku identity",
      required: ["sku"],
      immutable: ["sku"],
      readOnly: [
        "kind",
        "identity.principalId",
        "identity.tenantId",
        "properties.resourceState",
        "properties.extendedProperties",
        "properties.frontDoorId",
      ],
      nameRule: { maxLength: 260 },
    },
    "Microsoft.Cdn/profiles/afdEndpoints": {
      ...frontDoor,
      about: "A host name of Front Door. Its location is `global`.",
      location: "global",
      immutable: ["properties.autoGeneratedDomainNameLabelScope"],
      readOnly: ["properties.profileName", "properties.deploymentStatus", "properties.hostName"],
      nameRule: { maxLength: 46 },
    },
    "Microsoft.Cdn/profiles/originGroups": {
      ...frontDoor,
      about: "Origins among which Front Door chooses.",
      location: "none",
      mark: "none",
      required: ["properties"],
      readOnly: ["properties.profileName", "properties.deploymentStatus"],
      nameRule: { maxLength: 90 },
    },
    "Microsoft.Cdn/profiles/originGroups/origins": {
      ...frontDoor,
      about: "A server to which Front Door sends requests.",
      region: { more: ["properties.sharedPrivateLinkResource.privateLinkLocation"] },
      location: "none",
      mark: "none",
      required: ["properties"],
      readOnly: ["properties.originGroupName", "properties.deploymentStatus"],
      nameRule: { maxLength: 90 },
    },
    "Microsoft.Cdn/profiles/afdEndpoints/routes": {
      ...frontDoor,
      about: "Which requests of an endpoint go to which origins. The group has an origin before.",
      location: "none",
      mark: "none",
      required: ["properties"],
      readOnly: [
        "properties.endpointName",
        "properties.deploymentStatus",
        "properties.customDomains[*].isActive",
      ],
      nameRule: { maxLength: 90 },
    },
  };
}
