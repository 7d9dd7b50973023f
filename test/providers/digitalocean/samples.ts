/** Properties of one object of every type: as created, changed in place, and changed so that it is replaced. */
import type { JsonMap } from "#platform/json.ts";

export interface Sample {
  properties: JsonMap;
  /** Absent: nothing can be changed in place. */
  changed?: JsonMap;
  /** Absent: everything can. */
  replaced?: JsonMap;
  /** It always exists: a delete sets it back. */
  stays?: true;
}

/** Ids of objects that others refer to. */
export interface SampleParents {
  vpc: string;
  peer: string;
  cluster: string;
  kubernetes: string;
  domain: string;
  project: string;
  droplet: number;
  volume: string;
}

export const parentTypes = {
  vpc: "Vpc",
  peer: "Vpc",
  cluster: "Database",
  kubernetes: "Kubernetes",
  domain: "Domain",
  project: "Project",
  droplet: "Droplet",
  volume: "Volume",
} as const satisfies Record<keyof SampleParents, string>;

const cors = {
  allowed_methods: ["GET", "PUT"],
  allowed_origins: ["https://shop.example"],
  allowed_headers: ["*"],
  max_age_seconds: 600,
};
const bucket = {
  name: "shop-files",
  region: "nyc3",
  acl: "public-read",
  versioning: true,
  cors_rules: [cors],
  lifecycle_rules: [
    { enabled: true, prefix: "tmp/", expiration: { days: 7 } },
    {
      id: "old",
      enabled: false,
      expiration: { date: "2030-01-01" },
      noncurrent_version_expiration: { days: 30 },
      abort_incomplete_multipart_upload_days: 2,
    },
  ],
};
const policy = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Principal: "*",
      Action: ["s3:GetObject"],
      Resource: ["arn:aws:s3:::shop/*"],
    },
  ],
};

const pool = { size: "s-1vcpu-2gb", name: "first", count: 2 };
const rule = { type: "ip_addr", value: "192.0.2.1" };
const forward = {
  entry_protocol: "http",
  entry_port: 80,
  target_protocol: "http",
  target_port: 8080,
};
const service = { name: "web", image: { registry_type: "DOCR", repository: "web", tag: "1" } };

export function samplesOf(parents: SampleParents): Readonly<Record<string, Sample>> {
  const database_cluster_uuid = parents.cluster;
  const vpc = { name: "net", region: "nyc3", ip_range: "10.10.0.0/24" };
  const peering = { name: "shop-peer", vpc_ids: [parents.vpc, parents.peer] };
  const droplet = {
    name: "web-1",
    region: "nyc3",
    size: "s-1vcpu-1gb",
    image: "debian-13-x64",
    vpc_uuid: parents.vpc,
    tags: ["web"],
    user_data: "#cloud-config",
  };
  const database = {
    name: "main",
    engine: "pg",
    version: "16",
    num_nodes: 1,
    size: "db-s-1vcpu-1gb",
    region: "nyc3",
    private_network_uuid: parents.vpc,
    project_id: parents.project,
    tags: ["main"],
  };
  const user = { database_cluster_uuid, name: "app" };
  const dbPool = {
    database_cluster_uuid,
    name: "app_pool",
    mode: "transaction",
    size: 5,
    db: "defaultdb",
    user: "doadmin",
  };
  const replica = { database_cluster_uuid, name: "copy", region: "nyc3", size: "db-s-1vcpu-1gb" };
  const kubernetes = { name: "apps", region: "nyc3", version: "1.34.1-do.0", node_pools: [pool] };
  const nodePool = { cluster_id: parents.kubernetes, ...pool, name: "second" };
  const volume = { name: "data", region: "nyc3", size_gigabytes: 10, tags: ["data"] };
  const snapshot = { volume_id: parents.volume, name: "before-upgrade", tags: ["data"] };
  const record = {
    domain: parents.domain,
    type: "A",
    name: "www",
    data: "192.0.2.1",
    ttl: 300,
  };
  const key = { name: "laptop", public_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 someone" };
  const project = {
    name: "shop",
    description: "The shop",
    purpose: "Web Application",
    environment: "Staging",
  };
  const alert = {
    description: "The web servers are busy",
    type: "v1/insights/droplet/cpu",
    compare: "GreaterThan",
    value: 80,
    window: "5m",
    entities: [String(parents.droplet)],
    tags: [],
    alerts: { email: ["someone@shop.example"], slack: [] },
    enabled: true,
  };
  const balancer = {
    name: "front",
    region: "nyc3",
    vpc_uuid: parents.vpc,
    forwarding_rules: [forward],
    droplet_ids: [parents.droplet],
  };
  const inbound = { protocol: "tcp", ports: "22", sources: { addresses: ["192.0.2.0/24"] } };
  const firewall = { name: "ssh", droplet_ids: [parents.droplet], inbound_rules: [inbound] };
  const certificate = { name: "tls", type: "lets_encrypt", dns_names: ["shop.example"] };
  const cdn = { origin: "space.nyc3.digitaloceanspaces.com", ttl: 3600 };
  const registry = { name: "images", subscription_tier_slug: "basic", region: "nyc3" };
  const spaces = { name: "uploads", grants: [{ bucket: "uploads", permission: "read" }] };
  const spec = { name: "shop", region: "nyc", services: [service] };
  return {
    Vpc: {
      properties: vpc,
      changed: { ...vpc, description: "The network" },
      replaced: { ...vpc, name: "net-2", ip_range: "10.11.0.0/24" },
    },
    VpcPeering: {
      properties: peering,
      changed: { ...peering, name: "shop-peer-2" },
    },
    Droplet: {
      properties: droplet,
      changed: { ...droplet, name: "web-2", tags: ["web", "blue"] },
      replaced: { ...droplet, image: "ubuntu-24-04-x64" },
    },
    App: {
      properties: { spec },
      changed: { spec: { ...spec, services: [{ ...service, instance_count: 2 }] } },
      replaced: { spec: { ...spec, name: "shop-2" }, project_id: parents.project },
    },
    Database: {
      properties: database,
      changed: { ...database, num_nodes: 2, size: "db-s-2vcpu-4gb", rules: [rule], tags: [] },
      replaced: { ...database, name: "main-2", engine: "mysql", version: "8" },
    },
    DatabaseDb: {
      properties: { database_cluster_uuid, name: "shop" },
      replaced: { database_cluster_uuid, name: "shop_2" },
    },
    DatabaseUser: {
      properties: user,
      changed: { ...user, settings: { pg_allow_replication: true } },
      replaced: { ...user, name: "app_2" },
    },
    DatabasePool: {
      properties: dbPool,
      changed: { ...dbPool, size: 8 },
      replaced: { ...dbPool, name: "app_pool_2" },
    },
    DatabaseReplica: { properties: replica, replaced: { ...replica, name: "copy-2" } },
    DatabaseFirewall: {
      properties: { database_cluster_uuid, rules: [rule] },
      changed: { database_cluster_uuid, rules: [rule, { type: "tag", value: "web" }] },
      stays: true,
    },
    Kubernetes: {
      properties: kubernetes,
      changed: { ...kubernetes, version: "1.34.2-do.0", auto_upgrade: true, tags: ["apps"] },
      replaced: { ...kubernetes, name: "apps-2", vpc_uuid: parents.vpc },
    },
    NodePool: {
      properties: nodePool,
      changed: { ...nodePool, count: 3, labels: { tier: "web" } },
      replaced: { ...nodePool, size: "s-2vcpu-4gb" },
    },
    Volume: {
      properties: volume,
      changed: { ...volume, size_gigabytes: 20, tags: [] },
      replaced: { ...volume, name: "data-2" },
    },
    VolumeSnapshot: {
      properties: snapshot,
      changed: { ...snapshot, tags: [] },
      replaced: { ...snapshot, name: "after-upgrade" },
    },
    Domain: {
      properties: { name: "shop.example" },
      replaced: { name: "shop-2.example" },
    },
    Record: {
      properties: record,
      changed: { ...record, data: "192.0.2.2" },
      replaced: { ...record, type: "TXT" },
    },
    SshKey: {
      properties: key,
      changed: { ...key, name: "desktop" },
      replaced: { ...key, public_key: `${key.public_key}-2` },
    },
    Project: { properties: project, changed: { ...project, purpose: "Operations" } },
    MonitoringAlert: {
      properties: alert,
      changed: { ...alert, value: 90, enabled: false },
    },
    LoadBalancer: {
      properties: balancer,
      changed: { ...balancer, redirect_http_to_https: true },
      replaced: { ...balancer, name: "front-2", network: "INTERNAL" },
    },
    Firewall: {
      properties: firewall,
      changed: { ...firewall, inbound_rules: [{ ...inbound, ports: "443" }] },
    },
    Certificate: {
      properties: certificate,
      replaced: { ...certificate, name: "tls-2" },
    },
    ReservedIp: {
      properties: { region: "nyc3" },
      changed: { region: "nyc3", droplet_id: parents.droplet },
      replaced: { region: "fra1" },
    },
    Cdn: {
      properties: cdn,
      changed: { ...cdn, ttl: 600 },
      replaced: { ...cdn, origin: "other.nyc3.digitaloceanspaces.com" },
    },
    Registry: {
      properties: registry,
      changed: { ...registry, subscription_tier_slug: "professional" },
      replaced: { ...registry, name: "images-2" },
    },
    SpacesKey: { properties: spaces, replaced: { ...spaces, name: "uploads-2" } },
    DropletSnapshot: {
      properties: { droplet_id: parents.droplet, name: "before-upgrade" },
      replaced: { droplet_id: parents.droplet, name: "after-upgrade" },
    },
    SpacesBucket: {
      properties: bucket,
      changed: {
        ...bucket,
        acl: "private",
        versioning: false,
        cors_rules: [cors, { ...cors, id: "second", expose_headers: ["ETag"] }],
        lifecycle_rules: [],
        policy,
      },
      replaced: { ...bucket, region: "fra1" },
    },
    FunctionsNamespace: {
      properties: { label: "jobs", region: "nyc1" },
      replaced: { label: "jobs-2", region: "nyc1" },
    },
  };
}
