import {
  aFlag,
  aMap,
  anInteger,
  aText,
  aTime,
  aUuid,
  choice,
  eitherOf,
  listOf,
  object,
  orNull,
  type WrittenCall,
  type WrittenCollection,
} from "#test/support/fake-cloud/write-description.ts";
import { action, region, someIntegers, someTexts, tags } from "./shared.ts";

const vpcNamed = { "name!": { type: "string", pattern: "^[a-zA-Z0-9.-]+$" }, description: aText };
const vpcPlace = { "region!": aText, ip_range: aText };

const peering = {
  name: { type: "string", pattern: "^[a-zA-Z0-9-]+$" },
  vpc_ids: { ...someTexts, minItems: 2, maxItems: 2 },
};

const record = {
  name: aText,
  data: aText,
  priority: orNull(anInteger),
  port: orNull(anInteger),
  ttl: anInteger,
  weight: orNull(anInteger),
  flags: orNull(anInteger),
  tag: orNull(aText),
};

const balancer = {
  name: aText,
  project_id: aText,
  size: choice("lb-small", "lb-medium", "lb-large"),
  size_unit: anInteger,
  algorithm: choice("round_robin", "least_connections"),
  "forwarding_rules!": listOf(
    object({
      "entry_protocol!": choice("http", "https", "http2", "http3", "tcp", "udp"),
      "entry_port!": anInteger,
      "target_protocol!": choice("http", "https", "http2", "tcp", "udp"),
      "target_port!": anInteger,
      certificate_id: aText,
      tls_passthrough: aFlag,
    }),
  ),
  health_check: object({
    protocol: choice("http", "https", "tcp"),
    port: anInteger,
    path: aText,
    check_interval_seconds: anInteger,
    response_timeout_seconds: anInteger,
    unhealthy_threshold: anInteger,
    healthy_threshold: anInteger,
  }),
  sticky_sessions: object({
    type: choice("cookies", "none"),
    cookie_name: aText,
    cookie_ttl_seconds: anInteger,
  }),
  redirect_http_to_https: aFlag,
  enable_proxy_protocol: aFlag,
  enable_backend_keepalive: aFlag,
  http_idle_timeout_seconds: anInteger,
  vpc_uuid: aUuid,
  disable_lets_encrypt_dns_records: aFlag,
  firewall: object({ deny: someTexts, allow: someTexts }),
  network: choice("EXTERNAL", "INTERNAL"),
  network_stack: choice("IPV4", "DUALSTACK"),
  type: choice("REGIONAL", "REGIONAL_NETWORK", "GLOBAL"),
  domains: listOf(object({ name: aText, is_managed: aFlag, certificate_id: aText })),
  glb_settings: object({
    target_protocol: choice("http", "https", "http2"),
    target_port: anInteger,
    cdn: object({ is_enabled: aFlag }),
    region_priorities: aMap,
    failover_threshold: anInteger,
  }),
  target_load_balancer_ids: someTexts,
  tls_cipher_policy: choice("DEFAULT", "STRONG"),
};

const balancerBody = eitherOf(
  object({ ...balancer, region: aText, droplet_ids: someIntegers }),
  object({ ...balancer, region: aText, tag: aText }),
);

const ends = object({
  addresses: someTexts,
  droplet_ids: someIntegers,
  load_balancer_uids: someTexts,
  kubernetes_ids: someTexts,
  tags,
});

const firewallRule = { "protocol!": choice("tcp", "udp", "icmp"), "ports!": aText };
const firewall = { "name!": aText, droplet_ids: orNull(someIntegers), tags };
const inbound = orNull(listOf(object({ ...firewallRule, "sources!": ends })));

const outbound = orNull(listOf(object({ ...firewallRule, "destinations!": ends })));

const firewallBody = eitherOf(
  object({ ...firewall, "inbound_rules!": inbound, outbound_rules: outbound }),
  object({ ...firewall, inbound_rules: inbound, "outbound_rules!": outbound }),
);

const ttl = { type: "integer", enum: [60, 600, 3600, 86_400, 604_800] };

const cdn = { ttl, certificate_id: aUuid, custom_domain: aText };

export const networkCollections: readonly WrittenCollection[] = [
  {
    path: "/v2/vpcs",
    param: "vpc_id",
    one: "vpc",
    many: "vpcs",
    shown: object({
      ...vpcNamed,
      ...vpcPlace,
      "id!": aUuid,
      urn: aText,
      default: aFlag,
      created_at: aTime,
    }),
    create: object({ ...vpcNamed, ...vpcPlace }),
    update: { method: "put", body: object({ ...vpcNamed, default: aFlag }) },
    paged: true,
  },
  {
    path: "/v2/vpc_peerings",
    param: "vpc_peering_id",
    one: "vpc_peering",
    many: "vpc_peerings",
    shown: object({
      ...peering,
      id: aUuid,
      created_at: aTime,
      status: choice("PROVISIONING", "ACTIVE", "DELETING"),
    }),
    create: object({ "name!": peering.name, "vpc_ids!": peering.vpc_ids }),
    created: 202,
    update: { method: "patch", body: object({ "name!": peering.name }) },
    deleted: { status: 202, body: object({ vpc_peering: aMap }) },
    paged: true,
  },
  {
    path: "/v2/domains",
    param: "domain_name",
    one: "domain",
    many: "domains",
    shown: object({
      name: aText,
      ip_address: aText,
      ttl: orNull(anInteger),
      zone_file: orNull(aText),
    }),
    create: object({ "name!": aText, ip_address: aText }),
    paged: true,
  },
  {
    path: "/v2/domains/{domain_name}/records",
    param: "domain_record_id",
    one: "domain_record",
    many: "domain_records",
    shown: object({ ...record, "type!": aText, id: anInteger }),
    create: object({ ...record, "type!": aText }),
    update: { method: "put", body: object({ ...record, "type!": aText }) },
    paged: true,
    filters: ["name", "type"],
  },
  {
    path: "/v2/load_balancers",
    param: "lb_id",
    one: "load_balancer",
    many: "load_balancers",
    shown: object({
      ...balancer,
      id: aUuid,
      ip: aText,
      ipv6: aText,
      status: choice("new", "active", "errored"),
      created_at: aTime,
      region,
      droplet_ids: someIntegers,
      tag: aText,
    }),
    create: balancerBody,
    created: 202,
    update: { method: "put", body: balancerBody },
    paged: true,
  },
  {
    path: "/v2/firewalls",
    param: "firewall_id",
    one: "firewall",
    many: "firewalls",
    shown: object({
      ...firewall,
      inbound_rules: inbound,
      outbound_rules: outbound,
      id: aText,
      status: choice("waiting", "succeeded", "failed"),
      created_at: aTime,
      pending_changes: listOf(aMap),
    }),
    create: firewallBody,
    created: 202,
    update: { method: "put", body: firewallBody },
    paged: true,
  },
  {
    path: "/v2/certificates",
    param: "certificate_id",
    one: "certificate",
    many: "certificates",
    shown: object({
      id: aUuid,
      name: aText,
      not_after: aTime,
      sha1_fingerprint: aText,
      created_at: aTime,
      dns_names: someTexts,
      state: choice("pending", "verified", "error"),
      type: choice("custom", "lets_encrypt"),
    }),
    create: eitherOf(
      object({
        "name!": aText,
        type: choice("custom", "lets_encrypt"),
        "dns_names!": someTexts,
      }),
      object({
        "name!": aText,
        type: choice("custom", "lets_encrypt"),
        "private_key!": aText,
        "leaf_certificate!": aText,
        certificate_chain: aText,
      }),
    ),
    paged: true,
    filters: ["name"],
  },
  {
    path: "/v2/reserved_ips",
    param: "reserved_ip",
    one: "reserved_ip",
    many: "reserved_ips",
    shown: object({
      ip: { type: "string", format: "ipv4" },
      region,
      droplet: orNull(aMap),
      locked: aFlag,
      project_id: aUuid,
    }),
    create: eitherOf(
      object({ "droplet_id!": anInteger }),
      object({ "region!": aText, project_id: aUuid }),
    ),
    created: 202,
    paged: true,
  },
  {
    path: "/v2/cdn/endpoints",
    param: "cdn_id",
    one: "endpoint",
    many: "endpoints",
    shown: object({ ...cdn, id: aUuid, "origin!": aText, endpoint: aText, created_at: aTime }),
    create: object({ ...cdn, "origin!": aText }),
    update: { method: "put", body: object(cdn) },
    paged: true,
  },
];

export const networkCalls: readonly WrittenCall[] = [
  {
    method: "post",
    path: "/v2/reserved_ips/{reserved_ip}/actions",
    body: eitherOf(
      object({ "type!": choice("unassign") }),
      object({ "type!": choice("assign"), "droplet_id!": anInteger }),
    ),
    status: 201,
    answer: action,
  },
];
