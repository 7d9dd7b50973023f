/** Properties of one object of every type: as created, changed in place, and changed so that it is replaced. */
import type { JsonMap } from "#platform/json.ts";

export interface Sample {
  properties: JsonMap;
  /** Absent: nothing can be changed in place. */
  changed?: JsonMap;
  replaced?: JsonMap;
}

/** Ids of objects that others refer to. */
export interface SampleParents {
  vpc: string;
  subnet: string;
  group: string;
  port: string;
  volume: string;
  cluster: string;
  database: string;
}

export const parentTypes = {
  vpc: "Vpc",
  subnet: "Subnet",
  group: "SecurityGroup",
  port: "Port",
  volume: "Volume",
  cluster: "Kubernetes",
  database: "Database",
} as const satisfies Record<keyof SampleParents, string>;

const uuid = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;

export function samplesOf(parents: SampleParents): Readonly<Record<string, Sample>> {
  const region = "br-se1";
  const vpc = { region, name: "network", description: "The shop's" };
  const subnet = {
    region,
    vpc_id: parents.vpc,
    name: "subnet",
    cidr_block: "172.26.1.0/24",
    ip_version: 4,
  };
  const pool = { region, name: "pool", description: "Ranges", cidr: "172.26.0.0/16" };
  const group = { region, name: "web-servers", skip_default_rules: true };
  const rule = {
    region,
    security_group_id: parents.group,
    direction: "ingress",
    ethertype: "IPv4",
    protocol: "tcp",
    port_range_min: 443,
    port_range_max: 443,
    remote_ip_prefix: "0.0.0.0/0",
  };
  const port = {
    region,
    vpc_id: parents.vpc,
    name: "web-port",
    has_pip: false,
    has_sg: false,
    subnets: [parents.subnet],
  };
  const address = { region, vpc_id: parents.vpc, description: "front", port_id: parents.port };
  const nat = { region, vpc_id: parents.vpc, name: "way-out", zone: "a" };
  const balancer = {
    region,
    name: "front",
    visibility: "external",
    vpc_id: parents.vpc,
    listeners: [{ name: "http", backend_name: "web", protocol: "tcp", port: 80 }],
    backends: [
      {
        name: "web",
        balance_algorithm: "round_robin",
        targets_type: "instance",
        targets: [{ nic_id: parents.port, port: 8080 }],
      },
    ],
  };
  const acl = {
    ethertype: "IPv4",
    protocol: "tcp",
    remote_ip_prefix: "192.0.2.0/24",
    action: "ALLOW",
  };
  const machine = {
    region,
    name: "web-1",
    machine_type: { name: "BV1-1-40" },
    image: { name: "cloud-debian-13" },
    network: {
      vpc: { id: parents.vpc },
      interface: { security_groups: [{ id: parents.group }] },
      associate_public_ip: true,
    },
    user_data: "I2Nsb3VkLWNvbmZpZw==",
  };
  const volume = { region, name: "data", size: 10, type: { name: "cloud_nvme1k" } };
  const key = { name: "laptop", key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 someone" };
  const bucket = {
    region,
    name: "shop-files",
    versioning: true,
    cors_rules: [{ allowed_methods: ["GET"], allowed_origins: ["*"], expose_headers: ["ETag"] }],
  };
  const saved = { region, name: "before-upgrade", instance: { id: uuid(5) } };
  const snapshot = {
    region,
    name: "before-upgrade",
    description: "The data",
    volume: { id: parents.volume },
    type: "instant",
  };
  const nodePool = {
    region,
    cluster_id: parents.cluster,
    name: "second",
    flavor: "BV2-4-40",
    replicas: 2,
  };
  const cluster = {
    region,
    name: "apps",
    version: "v1.32.3",
    node_pools: [{ name: "first", flavor: "BV2-4-40", replicas: 1 }],
  };
  const database = {
    region,
    name: "main",
    engine_id: uuid(1),
    instance_type_id: uuid(2),
    user: "shop",
    password: "canary-of-the-sample",
    volume: { size: 20 },
  };
  const larger = { ...database, instance_type_id: uuid(3), volume: { size: 40 } };
  const moved = { ...database, engine_id: uuid(4) };
  const replica = { region, source_id: parents.database, name: "copy", instance_type_id: uuid(2) };
  const parameters = { region, name: "tuned", description: "Tuned", engine_id: uuid(1) };
  return {
    Vpc: { properties: vpc, replaced: { ...vpc, name: "network-2" } },
    Subnet: {
      properties: subnet,
      changed: { ...subnet, dns_nameservers: ["192.0.2.53"] },
      replaced: { ...subnet, cidr_block: "172.26.2.0/24" },
    },
    SubnetPool: { properties: pool, replaced: { ...pool, cidr: "172.27.0.0/16" } },
    SecurityGroup: { properties: group, replaced: { ...group, description: "Of the web" } },
    SecurityGroupRule: { properties: rule, replaced: { ...rule, port_range_max: 444 } },
    Port: {
      properties: port,
      changed: { ...port, security_groups_id: [parents.group], ip_spoofing_guard: true },
      replaced: { ...port, name: "web-port-2" },
    },
    PublicIp: {
      properties: address,
      changed: { region, vpc_id: parents.vpc, description: "front" },
      replaced: { ...address, description: "front-2" },
    },
    NatGateway: { properties: nat, replaced: { ...nat, zone: "b" } },
    LoadBalancer: {
      properties: balancer,
      changed: { ...balancer, name: "front-2", description: "The front", acls: [acl] },
      replaced: { ...balancer, visibility: "internal" },
    },
    Vm: {
      properties: machine,
      changed: {
        ...machine,
        name: "web-2",
        machine_type: { name: "BV2-2-40" },
        volumes: [{ id: parents.volume }],
      },
      replaced: { ...machine, image: { name: "cloud-ubuntu-24.04" } },
    },
    Volume: {
      properties: volume,
      changed: { ...volume, name: "data-2", size: 20, type: { name: "cloud_nvme5k" } },
      replaced: { ...volume, encrypted: true },
    },
    Bucket: {
      properties: bucket,
      changed: {
        region,
        name: bucket.name,
        versioning: false,
        policy: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: "*" }] },
      },
      replaced: { ...bucket, name: "shop-media" },
    },
    SshKey: {
      properties: key,
      replaced: { ...key, name: "desktop" },
    },
    VmSnapshot: {
      properties: saved,
      changed: { ...saved, name: "before-move" },
      replaced: { ...saved, instance: { id: uuid(1) } },
    },
    VolumeSnapshot: {
      properties: snapshot,
      changed: { ...snapshot, name: "before-move" },
      replaced: { ...snapshot, type: "object" },
    },
    Kubernetes: {
      properties: cluster,
      changed: { ...cluster, version: "v1.33.0", allowed_cidrs: ["192.0.2.0/24"] },
      replaced: { ...cluster, name: "apps-2" },
    },
    NodePool: {
      properties: nodePool,
      changed: { ...nodePool, replicas: 3, flavor: "BV4-8-100" },
      replaced: { ...nodePool, name: "third" },
    },
    Registry: {
      properties: { region, name: "images" },
      replaced: { region, name: "images2" },
    },
    Database: {
      properties: database,
      changed: { ...larger, backup_retention_days: 14 },
      replaced: moved,
    },
    DatabaseCluster: { properties: database, changed: larger, replaced: moved },
    DatabaseReplica: {
      properties: replica,
      changed: { ...replica, instance_type_id: uuid(3) },
      replaced: { ...replica, name: "copy-2" },
    },
    ParameterGroup: {
      properties: parameters,
      changed: { ...parameters, name: "tuned-2", description: "Tuned more" },
      replaced: { ...parameters, engine_id: uuid(4) },
    },
  };
}
