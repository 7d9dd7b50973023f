/** Properties of one object of every type: as created, changed in place, and changed so that it is replaced. */
import type { JsonMap } from "#platform/json.ts";

export interface Sample {
  properties: JsonMap;
  /** Absent: nothing can be changed in place. */
  changed?: JsonMap;
  /** Absent: everything can. */
  replaced?: JsonMap;
}

/** Ids of objects that others refer to. */
export interface SampleParents {
  vpc: string;
  instance: string;
  other: string;
  firewall: string;
  domain: string;
  kubernetes: string;
  database: string;
  second: string;
}

export const parentTypes = {
  vpc: "Vpc",
  instance: "Instance",
  other: "Instance",
  firewall: "Firewall",
  domain: "Domain",
  kubernetes: "Kubernetes",
  database: "Database",
  second: "Database",
} as const satisfies Record<keyof SampleParents, string>;

const region = "ewr";
const pool = { node_quantity: 2, label: "first", plan: "vc2-2c-4gb", auto_scaler: false };
const forward = {
  frontend_protocol: "http",
  frontend_port: 80,
  backend_protocol: "http",
  backend_port: 8080,
};

/** By the cloud's name of what makes an object unique: its label, description, name or domain. */
export const labelOf: Readonly<Record<string, string>> = {
  Vpc: "description",
  Firewall: "description",
  Domain: "domain",
  Registry: "name",
  SshKey: "name",
  StartupScript: "name",
};

export function samplesOf(parents: SampleParents): Readonly<Record<string, Sample>> {
  const vpc = { region, description: "net", v4_subnet: "10.10.0.0", v4_subnet_mask: 24 };
  const instance = {
    region,
    plan: "vc2-1c-1gb",
    os_id: 2136,
    label: "web-1",
    hostname: "web-1",
    attach_vpc: [parents.vpc],
    enable_ipv6: false,
    backups: "disabled",
    firewall_group_id: parents.firewall,
    user_data: btoa("#cloud-config"),
    tags: ["web"],
  };
  const metal = { region, plan: "vbm-4c-32gb", os_id: 2136, label: "metal", tags: ["db"] };
  const block = { region, size_gb: 10, label: "data", attached_to_instance: parents.instance };
  const { attached_to_instance: _, ...detached } = block;
  const kubernetes = { region, label: "apps", version: "v1.33.0+1", node_pools: [pool] };
  const nodePool = { cluster_id: parents.kubernetes, ...pool, label: "second", tag: "apps" };
  const storage = { cluster_id: 2, label: "uploads" };
  const domain = { domain: "shop.example", dns_sec: "disabled" };
  const record = { domain: parents.domain, type: "A", name: "www", data: "192.0.2.1", ttl: 600 };
  const key = { name: "laptop", ssh_key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 someone" };
  const firewall = { description: "web" };
  const rule = {
    firewall_group_id: parents.firewall,
    ip_type: "v4",
    protocol: "TCP",
    subnet: "192.0.2.0",
    subnet_size: 24,
    port: "443",
    notes: "https",
  };
  const balancer = {
    region,
    label: "front",
    vpc: parents.vpc,
    balancing_algorithm: "leastconn",
    forwarding_rules: [forward],
    instances: [parents.instance],
    health_check: { protocol: "http", port: 8080, path: "/healthz" },
    firewall_rules: [{ port: 80, source: "0.0.0.0/0", ip_type: "v4" }],
  };
  const reserved = { region, ip_type: "v4", label: "front", instance_id: parents.instance };
  const script = { name: "setup", type: "boot", script: btoa("#!/bin/sh") };
  const database = {
    region,
    database_engine: "pg",
    database_engine_version: "16",
    plan: "vultr-dbaas-startup-cc-1-55-2",
    label: "main",
    tag: "shop",
    trusted_ips: ["192.0.2.1/32"],
  };
  const database_id = parents.database;
  const dbPool = {
    database_id,
    name: "app_pool",
    database: "shop",
    username: "app",
    mode: "transaction",
    size: 5,
  };
  const replica = { database_id, region, label: "copy", tag: "shop", vpc_id: parents.vpc };
  const snapshot = { instance_id: parents.instance, description: "before the upgrade" };
  const user = { database_id, username: "app", password: "canary-given" };
  const registry = { name: "images", region, plan: "start_up", public: false };
  return {
    Vpc: {
      properties: vpc,
      changed: { ...vpc, description: "the network" },
      replaced: { ...vpc, description: "net-2", v4_subnet: "10.11.0.0" },
    },
    Instance: {
      properties: instance,
      changed: {
        ...instance,
        plan: "vc2-2c-4gb",
        enable_ipv6: true,
        attach_vpc: [],
        firewall_group_id: "",
        tags: ["web", "blue"],
      },
      replaced: { ...instance, os_id: 2284 },
    },
    BareMetal: {
      properties: metal,
      changed: { ...metal, label: "metal-2", tags: [] },
      replaced: { ...metal, plan: "vbm-6c-32gb" },
    },
    Block: {
      properties: block,
      changed: { ...detached, size_gb: 20 },
      replaced: { ...block, region: "ams" },
    },
    Kubernetes: {
      properties: kubernetes,
      changed: { ...kubernetes, label: "apps-2", version: "v1.34.0+1" },
      replaced: { ...kubernetes, region: "ams" },
    },
    NodePool: {
      properties: nodePool,
      changed: { ...nodePool, node_quantity: 3, auto_scaler: true, min_nodes: 2, max_nodes: 5 },
      replaced: { ...nodePool, plan: "vc2-4c-8gb" },
    },
    ObjectStorage: {
      properties: storage,
      changed: { ...storage, label: "uploads-2" },
      replaced: { ...storage, cluster_id: 5 },
    },
    Domain: {
      properties: domain,
      changed: { ...domain, dns_sec: "enabled" },
      replaced: { ...domain, domain: "shop-2.example" },
    },
    Record: {
      properties: record,
      changed: { ...record, data: "192.0.2.2" },
      replaced: { ...record, type: "AAAA", data: "2001:db8::1" },
    },
    SshKey: { properties: key, changed: { ...key, name: "laptop-2" } },
    Snapshot: {
      properties: snapshot,
      changed: { ...snapshot, description: "before the move" },
      replaced: { ...snapshot, instance_id: parents.other },
    },
    Firewall: { properties: firewall, changed: { description: "web-2" } },
    FirewallRule: {
      properties: rule,
      replaced: { ...rule, ip_type: "v6", subnet: "2001:DB8::", subnet_size: 32 },
    },
    LoadBalancer: {
      properties: balancer,
      changed: { ...balancer, balancing_algorithm: "roundrobin", instances: [] },
      replaced: { ...balancer, region: "ams" },
    },
    ReservedIp: {
      properties: reserved,
      changed: { region, ip_type: "v4", label: "front-2" },
      replaced: { ...reserved, region: "ams" },
    },
    StartupScript: {
      properties: script,
      changed: { ...script, script: btoa("#!/bin/bash") },
      replaced: { ...script, type: "pxe" },
    },
    Database: {
      properties: database,
      changed: {
        ...database,
        plan: "vultr-dbaas-business-cc-1-55-2",
        database_engine_version: "17",
        trusted_ips: [],
      },
      replaced: { ...database, database_engine: "mysql", database_engine_version: "8" },
    },
    DatabaseReplica: {
      properties: replica,
      changed: { ...replica, label: "copy-2", region: "ams" },
      replaced: { ...replica, database_id: parents.second },
    },
    DatabaseDb: {
      properties: { database_id, name: "shop" },
      replaced: { database_id, name: "shop_2" },
    },
    DatabasePool: {
      properties: dbPool,
      changed: { ...dbPool, size: 8, mode: "session" },
      replaced: { ...dbPool, name: "app_pool_2" },
    },
    DatabaseUser: {
      properties: user,
      changed: { ...user, password: "canary-changed" },
      replaced: { ...user, username: "app_2" },
    },
    Registry: {
      properties: registry,
      changed: { ...registry, public: true, plan: "business" },
      replaced: { ...registry, name: "images2" },
    },
  };
}
