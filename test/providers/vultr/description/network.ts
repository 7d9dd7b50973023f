import {
  aFlag,
  aText,
  aTime,
  aUuid,
  anInteger,
  choice,
  listOf,
  object,
  type WrittenCall,
  type WrittenCollection,
} from "#test/support/fake-cloud/write-description.ts";

const someTexts = listOf(aText);
const made = { "id!": aUuid, "date_created!": aTime };

const vpc = {
  region: aText,
  description: aText,
  v4_subnet: aText,
  v4_subnet_mask: anInteger,
};

const rule = {
  ip_type: choice("v4", "v6"),
  protocol: aText,
  subnet: aText,
  subnet_size: anInteger,
};
const ruleMore = { port: aText, source: aText, notes: aText };

const forwarding = object({
  "frontend_protocol!": choice("http", "https", "tcp", "udp"),
  "frontend_port!": anInteger,
  "backend_protocol!": choice("http", "https", "tcp", "udp"),
  "backend_port!": anInteger,
});

const health = object({
  protocol: choice("http", "https", "tcp"),
  port: anInteger,
  path: aText,
  check_interval: anInteger,
  response_timeout: anInteger,
  unhealthy_threshold: anInteger,
  healthy_threshold: anInteger,
  proxy_protocol: aFlag,
});

const balancer = {
  label: aText,
  balancing_algorithm: choice("roundrobin", "leastconn"),
  ssl_redirect: aFlag,
  http2: aFlag,
  http3: aFlag,
  nodes: anInteger,
  timeout: anInteger,
  proxy_protocol: aFlag,
  health_check: health,
  forwarding_rules: listOf(forwarding),
  sticky_session: object({ cookie_name: aText }),
  ssl: object({ "private_key!": aText, "certificate!": aText, chain: aText }),
  instances: someTexts,
  firewall_rules: listOf(
    object({ "port!": anInteger, "source!": aText, "ip_type!": choice("v4", "v6") }),
  ),
  vpc: aText,
  global_regions: someTexts,
};

const reserved = { region: aText, ip_type: choice("v4", "v6"), label: aText };

export const networkCollections: readonly WrittenCollection[] = [
  {
    path: "/v2/vpcs",
    param: "vpc-id",
    one: "vpc",
    many: "vpcs",
    shown: object({ ...made, ...vpc }),
    create: object({ ...vpc, "region!": aText }),
    update: { method: "put", body: object({ "description!": aText }), status: 204 },
    paged: "cursor",
  },
  {
    path: "/v2/firewalls",
    param: "firewall-group-id",
    one: "firewall_group",
    many: "firewall_groups",
    shown: object({
      ...made,
      description: aText,
      instance_count: anInteger,
      rule_count: anInteger,
      max_rule_count: anInteger,
    }),
    create: object({ description: aText }),
    update: { method: "put", body: object({ "description!": aText }), status: 204 },
    paged: "cursor",
  },
  {
    path: "/v2/firewalls/{firewall-group-id}/rules",
    param: "firewall-rule-id",
    one: "firewall_rule",
    many: "firewall_rules",
    shown: object({ id: anInteger, ...rule, ...ruleMore, action: aText }),
    create: object({
      "ip_type!": choice("v4", "v6"),
      "protocol!": aText,
      "subnet!": aText,
      "subnet_size!": anInteger,
      ...ruleMore,
    }),
    paged: "cursor",
  },
  {
    path: "/v2/domains",
    param: "dns-domain",
    one: "domain",
    many: "domains",
    shown: object({
      domain: aText,
      "date_created!": aTime,
      dns_sec: choice("enabled", "disabled"),
    }),
    create: object({ "domain!": aText, ip: aText, dns_sec: choice("enabled", "disabled") }),
    created: 200,
    update: {
      method: "put",
      body: object({ "dns_sec!": choice("enabled", "disabled") }),
      status: 204,
    },
    paged: "cursor",
  },
  {
    path: "/v2/domains/{dns-domain}/records",
    param: "record-id",
    one: "record",
    many: "records",
    shown: object({
      "id!": aUuid,
      type: aText,
      name: aText,
      data: aText,
      ttl: anInteger,
      priority: anInteger,
    }),
    create: object({
      "name!": aText,
      "type!": aText,
      "data!": aText,
      ttl: anInteger,
      priority: anInteger,
    }),
    update: {
      method: "patch",
      body: object({ name: aText, data: aText, ttl: anInteger, priority: anInteger }),
      status: 204,
    },
    paged: "cursor",
  },
  {
    path: "/v2/load-balancers",
    param: "load-balancer-id",
    one: "load_balancer",
    many: "load_balancers",
    shown: object({
      ...made,
      region: aText,
      label: aText,
      status: aText,
      ipv4: aText,
      ipv6: aText,
      generic_info: object({
        balancing_algorithm: aText,
        ssl_redirect: aFlag,
        proxy_protocol: aFlag,
        timeout: anInteger,
        sticky_sessions: object({ cookie_name: aText }),
        vpc: aText,
      }),
      health_check: health,
      has_ssl: aFlag,
      http2: aFlag,
      http3: aFlag,
      nodes: anInteger,
      forwarding_rules: balancer.forwarding_rules,
      instances: someTexts,
      firewall_rules: balancer.firewall_rules,
      global_regions: someTexts,
    }),
    create: object({ ...balancer, "region!": aText }),
    created: 202,
    update: { method: "patch", body: object(balancer), status: 204 },
    paged: "cursor",
  },
  {
    path: "/v2/reserved-ips",
    param: "reserved-ip",
    one: "reserved_ip",
    many: "reserved_ips",
    shown: object({
      "id!": aUuid,
      ...reserved,
      subnet: aText,
      subnet_size: anInteger,
      instance_id: aText,
    }),
    create: object({ "region!": aText, "ip_type!": choice("v4", "v6"), label: aText }),
    update: { method: "patch", body: object({ "label!": aText }) },
    paged: "cursor",
  },
];

export const networkCalls: readonly WrittenCall[] = [
  {
    method: "post",
    path: "/v2/reserved-ips/{reserved-ip}/attach",
    body: object({ "instance_id!": aText }),
    status: 204,
  },
  { method: "post", path: "/v2/reserved-ips/{reserved-ip}/detach", status: 204 },
];
