/** An object of every type, one change of it in place and one that replaces it, and what they refer to. */
import type { JsonMap } from "#platform/json.ts";
import { COMPARTMENT, type OracleCloud, REGION, VAULT_ENDPOINT } from "./oracle-cloud.ts";

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
  cluster: ocid("cluster"),
  balancer: ocid("loadbalancer"),
  vault: ocid("vault"),
  key: ocid("key"),
};

/** Puts what the samples refer to. */
export function addParents(cloud: OracleCloud): void {
  cloud.put("Vcn", { displayName: "base" }, parents.vcn);
  cloud.put("Subnet", { displayName: "base" }, parents.subnet);
  cloud.put("InternetGateway", { displayName: "base" }, parents.gateway);
  cloud.put("NetworkSecurityGroup", { displayName: "base" }, parents.group);
  cloud.put("DnsZone", { name: "base.example" }, parents.zone);
  cloud.put("OkeCluster", { name: "base" }, parents.cluster);
  cloud.put("LoadBalancer", { displayName: "base" }, parents.balancer);
  cloud.put("Vault", { displayName: "base" }, parents.vault);
  cloud.put("Key", { displayName: "base" }, parents.key);
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

const secret = (content: string) => ({
  secretContent: { contentType: "BASE64", content: btoa(content) },
});

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
  ServiceGateway: vary(
    { vcnId: parents.vcn, services: [{ serviceId: "ocid1.service.oc1..storage" }], ...tags },
    { services: [{ serviceId: "ocid1.service.oc1..all" }] },
  ),
  Volume: vary(
    { availabilityDomain: AD, sizeInGBs: 50, vpusPerGB: 10, ...tags },
    { sizeInGBs: 100, vpusPerGB: 20, kmsKeyId: parents.key, ...others },
    { availabilityDomain: "Uocm:EU-FRANKFURT-1-AD-2" },
  ),
  Vault: vary(
    { displayName: "shop", vaultType: "DEFAULT", ...tags },
    { displayName: "shop-2", ...others },
    { vaultType: "VIRTUAL_PRIVATE" },
  ),
  Key: vary(
    {
      displayName: "shop",
      managementEndpoint: VAULT_ENDPOINT,
      keyShape: { algorithm: "AES", length: 32 },
      ...tags,
    },
    { isAutoRotationEnabled: true, ...others },
    { keyShape: { algorithm: "AES", length: 16 } },
  ),
  Secret: vary(
    {
      secretName: "database",
      vaultId: parents.vault,
      keyId: parents.key,
      ...secret("canary-secret-1"),
      ...tags,
    },
    { description: "of the shop", ...secret("canary-secret-2"), ...others },
    { secretName: "other" },
  ),
  AutonomousDatabase: vary(
    {
      displayName: "shop",
      dbName: "shop",
      adminPassword: "Canary-Password-1",
      computeModel: "ECPU",
      computeCount: 2,
      dataStorageSizeInTBs: 1,
      whitelistedIps: ["192.0.2.1"],
      ...tags,
    },
    {
      adminPassword: "Canary-Password-2",
      computeCount: 4,
      whitelistedIps: ["192.0.2.1", "192.0.2.2"],
      ...others,
    },
    { characterSet: "AL32UTF8" },
  ),
  OkeNodePool: vary(
    {
      name: "web",
      clusterId: parents.cluster,
      nodeShape: "VM.Standard.E5.Flex",
      kubernetesVersion: "v1.33.1",
      nodeConfigDetails: {
        size: 1,
        placementConfigs: [{ availabilityDomain: AD, subnetId: parents.subnet }],
      },
      ...tags,
    },
    {
      kubernetesVersion: "v1.34.1",
      nodeConfigDetails: {
        size: 3,
        placementConfigs: [{ availabilityDomain: AD, subnetId: parents.subnet }],
      },
    },
  ),
  LoadBalancerBackendSet: vary(
    {
      loadBalancerId: parents.balancer,
      name: "web",
      policy: "ROUND_ROBIN",
      healthChecker: { protocol: "HTTP", port: 80, urlPath: "/" },
      backends: [{ ipAddress: "10.0.1.4", port: 80 }],
    },
    {
      backends: [
        { ipAddress: "10.0.1.4", port: 80 },
        { ipAddress: "10.0.1.5", port: 80 },
      ],
    },
    { name: "api" },
  ),
  LoadBalancerListener: vary(
    {
      loadBalancerId: parents.balancer,
      name: "http",
      defaultBackendSetName: "web",
      port: 80,
      protocol: "HTTP",
    },
    { port: 8080 },
    { name: "https" },
  ),
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
      storageDetails: {
        systemType: "OCI_OPTIMIZED_STORAGE",
        isRegionallyDurable: true,
        iops: 75_000,
      },
      networkDetails: { subnetId: parents.subnet, nsgIds: [] },
      credentials: {
        username: "shop",
        passwordDetails: { passwordType: "PLAIN_TEXT", password: "canary-password" },
      },
    },
    {
      instanceOcpuCount: 4,
      storageDetails: {
        systemType: "OCI_OPTIMIZED_STORAGE",
        isRegionallyDurable: true,
        iops: 150_000,
      },
      networkDetails: { subnetId: parents.subnet, nsgIds: [parents.group] },
    },
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
      ipMode: "IPV6",
      ipv6SubnetCidr: "2001:db8::/64",
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
    { kmsKeyId: parents.key },
  ),
};

/** Types whose compartment changes in place. */
export const moving = Object.entries(samples)
  .filter(
    ([type]) =>
      !/^(Policy|Oke\w+|DnsRecords|NetworkSecurityGroupRules|LoadBalancer\w+)$/.test(type),
  )
  .map(([type, { properties }]) => ({
    type,
    properties: { compartmentId: COMPARTMENT, ...properties },
    changed: { compartmentId: OTHER, ...properties },
  }));
