/** An object of every type, one change of it in place and one that replaces it, and what they refer to. */
import type { JsonMap } from "#platform/json.ts";
import { COMPARTMENT, type OracleCloud, REGION } from "./oracle-cloud.ts";

export interface Sample {
  properties: JsonMap;
  changed?: JsonMap;
  replaced?: JsonMap;
}

const ocid = (entity: string) => `ocid1.${entity}.oc1.${REGION}.base`;
export const parents = {
  vcn: ocid("vcn"),
  subnet: ocid("subnet"),
  gateway: ocid("internetgateway"),
  group: ocid("networksecuritygroup"),
  zone: ocid("dns-zone"),
};

/** Puts what the samples refer to. */
export function addParents(cloud: OracleCloud): void {
  cloud.put("Vcn", { displayName: "base" }, parents.vcn);
  cloud.put("Subnet", { displayName: "base" }, parents.subnet);
  cloud.put("InternetGateway", { displayName: "base" }, parents.gateway);
  cloud.put("NetworkSecurityGroup", { displayName: "base" }, parents.group);
  cloud.put("DnsZone", { name: "base.example" }, parents.zone);
}

const OTHER = "ocid1.compartment.oc1..other";
const tags = { freeformTags: { app: "shop" } };
const others = { freeformTags: { tier: "two" } };
const AD = "Uocm:EU-FRANKFURT-1-AD-1";

function vary(base: JsonMap, changed: JsonMap, replaced?: JsonMap): Sample {
  return {
    properties: base,
    changed: { ...base, ...changed },
    ...(replaced === undefined ? {} : { replaced: { ...base, ...replaced } }),
  };
}

const ingress = (port: number) => ({
  ingressSecurityRules: [
    {
      protocol: "6",
      source: "0.0.0.0/0",
      tcpOptions: { destinationPortRange: { min: port, max: port } },
    },
  ],
});
const rule = (port: number) => ({
  direction: "INGRESS",
  protocol: "6",
  source: "0.0.0.0/0",
  sourceType: "CIDR_BLOCK",
  tcpOptions: { destinationPortRange: { min: port, max: port } },
});
const record = (rdata: string) => ({ domain: "www.base.example", rtype: "A", rdata, ttl: 300 });

export const samples: Readonly<Record<string, Sample>> = {
  Vcn: vary(
    { displayName: "net", cidrBlocks: ["10.0.0.0/16"], dnsLabel: "net", ...tags },
    { displayName: "network", ...others },
    { cidrBlocks: ["10.1.0.0/16"] },
  ),
  Subnet: vary(
    { vcnId: parents.vcn, cidrBlock: "10.0.1.0/24", securityListIds: [], ...tags },
    { displayName: "renamed", cidrBlock: "10.0.1.0/23" },
    { prohibitPublicIpOnVnic: true },
  ),
  InternetGateway: vary({ vcnId: parents.vcn, isEnabled: true }, { isEnabled: false }),
  NatGateway: vary({ vcnId: parents.vcn }, { blockTraffic: true }),
  RouteTable: vary(
    { vcnId: parents.vcn, routeRules: [] },
    {
      routeRules: [
        {
          destination: "0.0.0.0/0",
          destinationType: "CIDR_BLOCK",
          networkEntityId: parents.gateway,
        },
      ],
    },
  ),
  SecurityList: vary(
    { vcnId: parents.vcn, egressSecurityRules: [], ...ingress(80) },
    { ...ingress(443) },
  ),
  NetworkSecurityGroup: vary({ vcnId: parents.vcn, ...tags }, { displayName: "web", ...others }),
  NetworkSecurityGroupRules: vary(
    { networkSecurityGroupId: parents.group, securityRules: [rule(80), rule(22)] },
    { securityRules: [rule(80), rule(443)] },
  ),
  Instance: vary(
    {
      availabilityDomain: AD,
      shape: "VM.Standard.E5.Flex",
      shapeConfig: { ocpus: 1, memoryInGBs: 8 },
      sourceDetails: { sourceType: "image", imageId: "ocid1.image.oc1..linux" },
      createVnicDetails: { subnetId: parents.subnet, nsgIds: [parents.group] },
      metadata: { user_data: "IyE=" },
      ...tags,
    },
    { shapeConfig: { ocpus: 2, memoryInGBs: 16 }, displayName: "vm-2" },
    { availabilityDomain: "Uocm:EU-FRANKFURT-1-AD-2" },
  ),
  Bucket: vary(
    { name: "assets-1", publicAccessType: "NoPublicAccess", versioning: "Enabled", ...tags },
    { versioning: "Suspended", ...others },
    { storageTier: "Archive" },
  ),
  ContainerInstance: vary(
    {
      availabilityDomain: AD,
      shape: "CI.Standard.E4.Flex",
      shapeConfig: { ocpus: 1 },
      containers: [{ imageUrl: "web:1" }],
      vnics: [{ subnetId: parents.subnet }],
      ...tags,
    },
    { displayName: "web", ...others },
    { containers: [{ imageUrl: "web:2" }] },
  ),
  DbSystem: vary(
    {
      displayName: "db",
      dbVersion: "16",
      shape: "PostgreSQL.VM.Standard.E5.Flex",
      instanceOcpuCount: 2,
      storageDetails: { systemType: "OCI_OPTIMIZED_STORAGE", isRegionallyDurable: true },
      networkDetails: { subnetId: parents.subnet },
      credentials: {
        username: "shop",
        passwordDetails: { passwordType: "PLAIN_TEXT", password: "canary-password" },
      },
    },
    { instanceOcpuCount: 4 },
    { dbVersion: "17" },
  ),
  LoadBalancer: vary(
    {
      shapeName: "flexible",
      shapeDetails: { minimumBandwidthInMbps: 10, maximumBandwidthInMbps: 10 },
      subnetIds: [parents.subnet],
      backendSets: { web: { policy: "ROUND_ROBIN", healthChecker: { protocol: "HTTP" } } },
      ...tags,
    },
    {
      displayName: "front",
      shapeDetails: { minimumBandwidthInMbps: 10, maximumBandwidthInMbps: 100 },
      networkSecurityGroupIds: [parents.group],
    },
    { isPrivate: true },
  ),
  DnsZone: vary({ name: "shop.example", zoneType: "PRIMARY", ...tags }, { ...others }),
  DnsRecords: vary(
    { zone: parents.zone, domain: "www.base.example", rtype: "A", items: [record("192.0.2.1")] },
    { items: [record("192.0.2.2")] },
  ),
  Policy: vary(
    {
      name: "deployers",
      description: "May deploy",
      statements: ["allow group deployers to read all-resources in tenancy"],
    },
    { statements: ["allow group deployers to manage all-resources in tenancy"] },
  ),
  ContainerRepository: vary(
    { displayName: "shop/web", isPublic: false },
    { isPublic: true },
    { displayName: "shop/other" },
  ),
  OkeCluster: vary(
    { vcnId: parents.vcn, kubernetesVersion: "v1.33.1", name: "cluster", ...tags },
    { kubernetesVersion: "v1.34.1" },
    { kmsKeyId: "ocid1.key.oc1..k" },
  ),
};

/** Types whose compartment changes in place. */
export const moving = Object.entries(samples)
  .filter(([type]) => !/^(Policy|OkeCluster|DnsRecords|NetworkSecurityGroupRules)$/.test(type))
  .map(([type, { properties }]) => ({
    type,
    properties: { compartmentId: COMPARTMENT, ...properties },
    changed: { compartmentId: OTHER, ...properties },
  }));
