/** An object of every type, one change of it in place and one that replaces it, and what they refer to. */
import type { JsonMap } from "#platform/json.ts";
import { ACCOUNT, type GoogleCloud } from "./google-cloud.ts";
import { PROJECT, REGION, ZONE } from "./shown.ts";

export interface Sample {
  properties: JsonMap;
  changed?: JsonMap;
  replaced?: JsonMap;
  /** Further lives of the type. */
  more?: readonly Sample[];
}

const at = `projects/${PROJECT}`;
export const parents = {
  network: `${at}/global/networks/base`,
  subnetwork: `${at}/regions/${REGION}/subnetworks/base`,
  secret: `${at}/secrets/base`,
  topic: `${at}/topics/base`,
  zone: `${at}/managedZones/base`,
  instance: `${at}/instances/base`,
  cluster: `${at}/locations/${REGION}/clusters/base`,
  service: `${at}/locations/${REGION}/services/base`,
  account: `${at}/serviceAccounts/base@${PROJECT}.iam.gserviceaccount.com`,
  bucket: "base-bucket",
};

/** Puts what the samples refer to. */
export function addParents(cloud: GoogleCloud): void {
  cloud.put("compute/Network", parents.network, { name: "base" });
  cloud.put("compute/Subnetwork", parents.subnetwork, { name: "base" });
  cloud.put("secretmanager/Secret", parents.secret, { replication: { automatic: {} } });
  cloud.put("pubsub/Topic", parents.topic, {});
  cloud.put("dns/ManagedZone", parents.zone, { name: "base", dnsName: "example.com." });
  cloud.put("sql/Instance", parents.instance, { name: "base", region: REGION });
  cloud.put("container/Cluster", parents.cluster, { name: "base" });
  cloud.put("run/Service", parents.service, {});
  cloud.put("iam/ServiceAccount", parents.account, {});
  cloud.put("storage/Bucket", `b/${parents.bucket}`, { name: parents.bucket });
}

const labels = { app: "shop" };
const others = { app: "shop", tier: "two" };
const containers = (image: string) => ({ template: { containers: [{ image }] } });
const image = `${REGION}-docker.pkg.dev/${PROJECT}/shop/web`;
const machine = (type: string) => ({
  name: "vm-1",
  zone: ZONE,
  machineType: `zones/${ZONE}/machineTypes/${type}`,
  disks: [{ boot: true, autoDelete: true, initializeParams: { sourceImage: "family/debian-13" } }],
  networkInterfaces: [{ subnetwork: parents.subnetwork }],
});

const sourced = (object: string) => ({
  name: "resize",
  location: REGION,
  environment: "GEN_2",
  buildConfig: {
    runtime: "nodejs24",
    entryPoint: "resize",
    source: { storageSource: { bucket: parents.bucket, object } },
    environmentVariables: { MODE: "shop" },
  },
  labels,
});
const redis = {
  name: "cache",
  location: REGION,
  tier: "BASIC",
  memorySizeGb: 1,
  authorizedNetwork: parents.network,
  authEnabled: true,
};
const connection = (...reservedPeeringRanges: string[]) => ({
  network: parents.network,
  service: "servicenetworking.googleapis.com",
  reservedPeeringRanges,
});
const template = (version: string) => `${at}/global/instanceTemplates/web-${version}`;
const group = (place: JsonMap): Sample => {
  const properties = {
    name: "web",
    ...place,
    baseInstanceName: "web",
    targetSize: 2,
    versions: [{ instanceTemplate: template("1") }],
    namedPorts: [{ name: "http", port: 80 }],
  };
  return {
    properties,
    changed: {
      ...properties,
      targetSize: 3,
      versions: [{ instanceTemplate: template("2") }],
      namedPorts: [{ name: "http", port: 8080 }],
      updatePolicy: { type: "PROACTIVE", minimalAction: "REPLACE", maxSurge: { fixed: 1 } },
    },
    replaced: { ...properties, baseInstanceName: "shop" },
  };
};
/** A subscription that hands messages on, in one way and then in another of the same kind or not at all. */
const handedOn = (one: JsonMap, two: JsonMap): Sample => {
  const properties = { name: "orders", topic: parents.topic };
  return { properties: { ...properties, ...one }, changed: { ...properties, ...two } };
};

export const samples: Readonly<Record<string, Sample>> = {
  "run/Service": {
    properties: {
      name: "web",
      location: REGION,
      labels,
      invokerIamDisabled: false,
      ...containers(`${image}:1`),
    },
    changed: {
      name: "web",
      location: REGION,
      labels: {},
      invokerIamDisabled: true,
      ...containers(`${image}:2`),
    },
    replaced: { name: "web", location: "europe-north1", ...containers(`${image}:1`) },
  },
  "run/Job": {
    properties: { name: "job", location: REGION, template: { template: { maxRetries: 1 } } },
    changed: { name: "job", location: REGION, template: { template: { maxRetries: 3 } } },
  },
  "cloudfunctions/Function": {
    properties: sourced("one.zip"),
    changed: {
      ...sourced("two.zip"),
      serviceConfig: { availableMemory: "512Mi", environmentVariables: { A_KEY: "b" } },
      labels: others,
    },
    replaced: { ...sourced("one.zip"), location: "europe-north1" },
  },
  "redis/Instance": {
    properties: { ...redis, redisVersion: "REDIS_7_0", labels },
    changed: { ...redis, redisVersion: "REDIS_7_2", memorySizeGb: 2, labels: others },
    replaced: { ...redis, tier: "STANDARD_HA" },
    more: [{ properties: { ...redis, authEnabled: false } }],
  },
  "servicenetworking/Connection": {
    properties: connection("services-1"),
    changed: connection("services-1", "services-2"),
    replaced: { ...connection("services-1"), service: "services.shop.example" },
  },
  "storage/Bucket": {
    properties: {
      name: "shop-files-1",
      location: "EU",
      labels: others,
      versioning: { enabled: true },
    },
    changed: { name: "shop-files-1", location: "EU", labels, versioning: { enabled: false } },
    replaced: { name: "shop-files-1", location: REGION },
  },
  "secretmanager/Secret": {
    properties: { name: "key", replication: { automatic: {} }, labels: others },
    changed: { name: "key", replication: { automatic: {} }, labels },
  },
  "secretmanager/SecretVersion": {
    properties: { secret: parents.secret, payload: { data: "Y2FuYXJ5LXZlcnNpb24tdmFsdWU=" } },
    replaced: { secret: parents.secret, payload: { data: "b3RoZXI=" } },
  },
  "pubsub/Topic": {
    properties: { name: "orders", labels, messageRetentionDuration: "600s" },
    changed: { name: "orders", labels: others, messageRetentionDuration: "900s" },
  },
  "pubsub/Subscription": {
    properties: { name: "orders", topic: parents.topic, ackDeadlineSeconds: 20 },
    changed: { name: "orders", topic: parents.topic, ackDeadlineSeconds: 30 },
    replaced: { name: "orders", topic: parents.topic, filter: "attributes.a" },
    more: [
      handedOn(
        { pushConfig: { pushEndpoint: "https://shop.example.com/one" } },
        {
          pushConfig: {
            pushEndpoint: "https://shop.example.com/two",
            oidcToken: { serviceAccountEmail: ACCOUNT, audience: "shop" },
          },
        },
      ),
      handedOn({ pushConfig: { pushEndpoint: "https://shop.example.com/one" } }, {}),
      handedOn(
        { bigqueryConfig: { table: `${PROJECT}.orders.all`, useTableSchema: true } },
        { bigqueryConfig: { table: `${PROJECT}.orders.all`, writeMetadata: true } },
      ),
      handedOn(
        { cloudStorageConfig: { bucket: parents.bucket, maxDuration: "300s", textConfig: {} } },
        {
          cloudStorageConfig: {
            bucket: parents.bucket,
            maxDuration: "600s",
            filenamePrefix: "orders-",
            avroConfig: { writeMetadata: true },
          },
        },
      ),
    ],
  },
  "dns/ManagedZone": {
    properties: { name: "shop", dnsName: "shop.example.", description: "one", labels: others },
    changed: { name: "shop", dnsName: "shop.example.", description: "two", labels },
    replaced: { name: "shop", dnsName: "store.example.", description: "one" },
  },
  "dns/ResourceRecordSet": {
    properties: {
      managedZone: parents.zone,
      name: "www.example.com.",
      type: "A",
      ttl: 300,
      rrdatas: ["203.0.113.7"],
    },
    changed: {
      managedZone: parents.zone,
      name: "www.example.com.",
      type: "A",
      ttl: 60,
      rrdatas: ["203.0.113.8"],
    },
  },
  "iam/ServiceAccount": {
    properties: { name: "shop-web", displayName: "one", description: "for the shop" },
    changed: { name: "shop-web", displayName: "two" },
    replaced: { name: "shop-other" },
  },
  "artifactregistry/Repository": {
    properties: { name: "images", location: REGION, format: "DOCKER", labels },
    changed: { name: "images", location: REGION, format: "DOCKER", description: "now", labels },
    replaced: { name: "images", location: REGION, format: "NPM" },
  },
  "sql/Instance": {
    properties: {
      name: "db",
      region: REGION,
      databaseVersion: "POSTGRES_18",
      rootPassword: "canary-root-password-0123",
      settings: { tier: "db-f1-micro", userLabels: labels },
    },
    changed: {
      name: "db",
      region: REGION,
      databaseVersion: "POSTGRES_18",
      rootPassword: "canary-root-password-0123",
      settings: { tier: "db-g1-small", userLabels: others },
    },
    replaced: {
      name: "db",
      region: "europe-north1",
      databaseVersion: "POSTGRES_18",
      settings: { tier: "db-f1-micro" },
    },
  },
  "sql/Database": {
    properties: { instance: parents.instance, name: "shop", charset: "UTF8" },
    changed: { instance: parents.instance, name: "shop", charset: "UTF8", collation: "C" },
  },
  "sql/User": {
    properties: { instance: parents.instance, name: "web", password: "canary-user-password-1" },
    changed: { instance: parents.instance, name: "web", password: "canary-user-password-2" },
  },
  "container/Cluster": {
    properties: {
      name: "main",
      location: REGION,
      initialNodeCount: 1,
      network: parents.network,
      resourceLabels: labels,
    },
    changed: {
      name: "main",
      location: REGION,
      initialNodeCount: 1,
      network: parents.network,
      resourceLabels: others,
      releaseChannel: { channel: "STABLE" },
    },
    replaced: { name: "main", location: ZONE, initialNodeCount: 1 },
  },
  "container/NodePool": {
    properties: { cluster: parents.cluster, name: "pool", initialNodeCount: 1, locations: [ZONE] },
    changed: {
      cluster: parents.cluster,
      name: "pool",
      initialNodeCount: 3,
      locations: [ZONE],
      autoscaling: { enabled: true, maxNodeCount: 5 },
      version: "1.34.1",
    },
  },
  "compute/Network": {
    properties: { name: "net", autoCreateSubnetworks: false },
    changed: {
      name: "net",
      autoCreateSubnetworks: false,
      routingConfig: { routingMode: "GLOBAL" },
    },
    replaced: { name: "net", autoCreateSubnetworks: true },
  },
  "compute/Subnetwork": {
    properties: {
      name: "sub",
      region: REGION,
      network: parents.network,
      ipCidrRange: "10.1.0.0/24",
      secondaryIpRanges: [{ rangeName: "pods", ipCidrRange: "10.2.0.0/16" }],
    },
    changed: {
      name: "sub",
      region: REGION,
      network: parents.network,
      ipCidrRange: "10.1.0.0/20",
      privateIpGoogleAccess: true,
      secondaryIpRanges: [],
    },
  },
  "compute/Firewall": {
    properties: {
      name: "web",
      network: parents.network,
      allowed: [{ IPProtocol: "tcp", ports: ["443"] }],
      sourceRanges: ["0.0.0.0/0"],
    },
    changed: {
      name: "web",
      network: parents.network,
      allowed: [{ IPProtocol: "tcp", ports: ["443", "80"] }],
      sourceRanges: ["0.0.0.0/0"],
      disabled: true,
    },
  },
  "compute/Address": {
    properties: { name: "ip", region: REGION, labels },
    changed: { name: "ip", region: REGION, labels: others },
    replaced: { name: "ip", region: REGION, addressType: "INTERNAL" },
  },
  "compute/GlobalAddress": {
    properties: { name: "ip", labels: others },
    changed: { name: "ip", labels },
    replaced: { name: "ip", ipVersion: "IPV6" },
  },
  "compute/Router": {
    properties: { name: "out", region: REGION, network: parents.network },
    changed: {
      name: "out",
      region: REGION,
      network: parents.network,
      nats: [
        {
          name: "nat",
          natIpAllocateOption: "AUTO_ONLY",
          sourceSubnetworkIpRangesToNat: "ALL_SUBNETWORKS_ALL_IP_RANGES",
        },
      ],
    },
  },
  "compute/Disk": {
    properties: { name: "data", zone: ZONE, sizeGb: "10", labels },
    changed: { name: "data", zone: ZONE, sizeGb: "20", labels: others },
    replaced: { name: "data", zone: ZONE, sizeGb: "10", architecture: "ARM64" },
  },
  "compute/Instance": {
    properties: { ...machine("e2-small"), labels, tags: { items: ["web"] } },
    changed: {
      ...machine("e2-medium"),
      labels: others,
      tags: { items: ["web", "api"] },
      metadata: { items: [{ key: "a", value: "b" }] },
      deletionProtection: true,
    },
    replaced: { ...machine("e2-small"), canIpForward: true },
  },
  "compute/InstanceTemplate": {
    properties: { name: "vm", properties: { machineType: "e2-small" } },
    replaced: { name: "vm", properties: { machineType: "e2-medium" } },
  },
  "compute/HealthCheck": {
    properties: { name: "ok", type: "HTTP", httpHealthCheck: { port: 80 } },
    changed: { name: "ok", type: "HTTP", httpHealthCheck: { port: 8080 }, timeoutSec: 3 },
  },
  "compute/RegionNetworkEndpointGroup": {
    properties: {
      name: "neg",
      region: REGION,
      networkEndpointType: "SERVERLESS",
      cloudRun: { service: "web" },
    },
    replaced: {
      name: "neg",
      region: REGION,
      networkEndpointType: "SERVERLESS",
      cloudRun: { service: "api" },
    },
  },
  "compute/BackendService": {
    properties: { name: "web", loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "HTTPS" },
    changed: {
      name: "web",
      loadBalancingScheme: "EXTERNAL_MANAGED",
      protocol: "HTTPS",
      enableCDN: true,
    },
    replaced: { name: "web", loadBalancingScheme: "INTERNAL_SELF_MANAGED", protocol: "HTTPS" },
  },
  "compute/UrlMap": {
    properties: { name: "web", defaultService: `${at}/global/backendServices/web` },
    changed: { name: "web", defaultService: `${at}/global/backendServices/api` },
  },
  "compute/TargetHttpsProxy": {
    properties: {
      name: "web",
      urlMap: `${at}/global/urlMaps/web`,
      sslCertificates: [`${at}/global/sslCertificates/one`],
    },
    changed: {
      name: "web",
      urlMap: `${at}/global/urlMaps/web`,
      sslCertificates: [`${at}/global/sslCertificates/two`],
      quicOverride: "ENABLE",
      sslPolicy: `${at}/global/sslPolicies/modern`,
      certificateMap:
        "//certificatemanager.googleapis.com/projects/p/locations/global/certificateMaps/web",
    },
  },
  "compute/TargetHttpProxy": {
    properties: { name: "web", urlMap: `${at}/global/urlMaps/web` },
    changed: { name: "web", urlMap: `${at}/global/urlMaps/api` },
    replaced: { name: "web", urlMap: `${at}/global/urlMaps/web`, httpKeepAliveTimeoutSec: 60 },
  },
  "compute/InstanceGroupManager": group({ zone: ZONE }),
  "compute/RegionInstanceGroupManager": group({ region: REGION }),
  "compute/ManagedSslCertificate": {
    properties: { name: "tls", type: "MANAGED", managed: { domains: ["shop.example.com"] } },
    replaced: { name: "tls", type: "MANAGED", managed: { domains: ["store.example.com"] } },
  },
  "compute/GlobalForwardingRule": {
    properties: {
      name: "https",
      target: `${at}/global/targetHttpsProxies/web`,
      portRange: "443",
      labels,
    },
    changed: {
      name: "https",
      target: `${at}/global/targetHttpsProxies/api`,
      portRange: "443",
      labels: others,
    },
  },
  "cloudresourcemanager/ProjectIamMember": {
    properties: { role: "roles/logging.logWriter", member: `serviceAccount:${ACCOUNT}` },
    replaced: { role: "roles/browser", member: `serviceAccount:${ACCOUNT}` },
  },
  "run/ServiceIamMember": {
    properties: { service: parents.service, role: "roles/run.invoker", member: "allUsers" },
  },
  "storage/BucketIamMember": {
    properties: { bucket: parents.bucket, role: "roles/storage.objectViewer", member: "allUsers" },
  },
  "secretmanager/SecretIamMember": {
    properties: {
      secret: parents.secret,
      role: "roles/secretmanager.secretAccessor",
      member: `serviceAccount:${ACCOUNT}`,
    },
  },
  "iam/ServiceAccountIamMember": {
    properties: {
      serviceAccount: parents.account,
      role: "roles/iam.workloadIdentityUser",
      member: `serviceAccount:${ACCOUNT}`,
    },
  },
};
