import {
  aFlag,
  aNumber,
  aText,
  field,
  flag,
  group,
  listOf,
  oneOf,
  text,
  texts,
  whole,
} from "#providers/rest/fields.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { BALANCERS, foundBy, NETWORK, paged, regional } from "./place.ts";

export function networkRows(): RestRows {
  const vpc = text("The id of its VPC.");
  const description = text("A description.");
  const nameRule = { maxLength: 100, letterFirst: true } as const;
  /** The states of security groups and their rules. */
  const created = { state: { path: "status", ready: ["created"], fail: ["error"] } };
  const port = `${NETWORK}/v0/ports/{id}`;
  const publicIp = `${NETWORK}/v0/public_ips/{id}`;
  const named = { name: aText, description: aText };

  return {
    Vpc: {
      description: "A private network.",
      path: `${NETWORK}/v0/vpcs`,
      paths: { create: `${NETWORK}/v1/vpcs` },
      envelope: { list: "vpcs" },
      ...regional({ name: text("The name."), description }),
      name: { property: "name", rule: nameRule },
      update: "none",
      state: {
        path: "status",
        ready: ["created"],
        fail: ["error", "error_interconnect", "error_azdc_migration"],
      },
      ...foundBy("name"),
      delete: { asynchronous: true },
    },

    Subnet: {
      description: "A range of addresses of a VPC.",
      path: `${NETWORK}/v0/vpcs/{vpc_id}/subnets`,
      paths: { item: `${NETWORK}/v0/subnets/{id}` },
      envelope: { list: "subnets" },
      refers: { vpc_id: "Vpc", subnetpool_id: "SubnetPool" },
      ...regional(
        {
          vpc_id: vpc,
          name: text("The name."),
          description,
          cidr_block: text("The range, for example 172.26.1.0/24."),
          ip_version: field("The version of its addresses.", { type: "integer", enum: [4, 6] }),
          dns_nameservers: texts("The addresses of its name servers."),
          subnetpool_id: text("The id of the pool that the range is taken from."),
        },
        ["vpc_id", "cidr_block", "ip_version"],
      ),
      name: { property: "name", rule: nameRule },
      update: "none",
      parts: [
        { properties: ["dns_nameservers"], method: "PATCH", path: `${NETWORK}/v0/subnets/{id}` },
      ],
      // Sent as a number and shown as a text.
      writeOnly: ["ip_version"],
      compare: { sets: [] },
      ...foundBy("name", "cidr_block"),
    },

    SubnetPool: {
      description: "A pool of ranges for subnets.",
      path: `${NETWORK}/v0/subnetpools`,
      envelope: { list: "results" },
      ...paged(50),
      ...regional(
        {
          name: text("The name."),
          description,
          cidr: text("The range of the whole pool."),
          type: text("What it is for: ranges of addresses, or public addresses.", "default", "pip"),
        },
        ["description"],
      ),
      name: { property: "name", rule: nameRule },
      update: "none",
      writeOnly: ["type"],
      // A list does not say when they were made.
      find: { by: "name" },
    },

    SecurityGroup: {
      description: "A group of rules for who may reach ports, and whom they may reach.",
      path: `${NETWORK}/v0/security_groups`,
      paths: { create: `${NETWORK}/v0/security_groups?wait=false` },
      envelope: { list: "security_groups" },
      ...regional({
        name: text("The name, of at least five characters."),
        description,
        skip_default_rules: flag("Whether it begins without the rules that new groups have."),
      }),
      name: { property: "name", rule: nameRule },
      update: "none",
      unsent: ["skip_default_rules"],
      writeOnly: ["skip_default_rules"],
      ...created,
      ...foundBy("name"),
    },

    SecurityGroupRule: {
      description: "A rule of a security group.",
      path: `${NETWORK}/v0/security_groups/{security_group_id}/rules`,
      paths: {
        create: `${NETWORK}/v0/security_groups/{security_group_id}/rules?wait=false`,
        item: `${NETWORK}/v0/rules/{id}`,
      },
      envelope: { list: "rules" },
      refers: { security_group_id: "SecurityGroup" },
      ...regional(
        {
          security_group_id: text("The id of its security group."),
          direction: text("Whether it lets in or out.", "ingress", "egress"),
          ethertype: text("The version of the addresses.", "IPv4", "IPv6"),
          protocol: text("The protocol: tcp, udp, icmp, icmpv6. Without one, any."),
          port_range_min: whole("The first port."),
          port_range_max: whole("The last port."),
          remote_ip_prefix: text("The addresses at the other end, as a range."),
          description: text("A description. Without one, the name that a lost rule is found by."),
        },
        ["security_group_id", "direction", "ethertype"],
      ),
      name: { property: "description" },
      update: "none",
      ...created,
      ...foundBy("description", "direction", "ethertype", "protocol", "port_range_min"),
    },

    Port: {
      description: "A network interface. It is deleted with the machine that it is attached to.",
      path: `${NETWORK}/v0/vpcs/{vpc_id}/ports`,
      paths: { item: port },
      envelope: { list: "ports" },
      // Here alone `_offset` counts pages, from one.
      paging: {
        by: "page",
        query: "_offset",
        first: 1,
        size: { query: "_limit", count: 50 },
      },
      refers: {
        vpc_id: "Vpc",
        "subnets[*]": "Subnet",
        "security_groups_id[*]": "SecurityGroup",
      },
      ...regional(
        {
          vpc_id: vpc,
          name: text("The name, of at least five characters."),
          // The cloud would make an address that nothing deletes.
          has_pip: field("False: use PublicIp for a public address.", {
            type: "boolean",
            enum: [false],
          }),
          has_sg: flag("Whether it has security groups; the default one if none is named."),
          subnets: texts("The ids of its subnets."),
          ip_address: text("Its private address."),
          security_groups_id: texts("The ids of its security groups."),
          ip_spoofing_guard: flag("Whether only its own addresses may be sent from."),
        },
        ["vpc_id", "has_pip"],
      ),
      name: { property: "name", rule: nameRule },
      update: "none",
      parts: [
        {
          properties: ["security_groups_id"],
          each: "added",
          method: "POST",
          path: `${port}/attach/{item}`,
        },
        {
          properties: ["security_groups_id"],
          each: "removed",
          method: "POST",
          path: `${port}/detach/{item}`,
        },
        {
          properties: ["ip_spoofing_guard"],
          afterCreate: true,
          method: "PATCH",
          path: port,
          absent: "keep",
        },
      ],
      writeOnly: ["has_pip", "has_sg", "ip_address"],
      compare: {
        at: { subnets: "ip_address[*].subnet_id", security_groups_id: "security_groups" },
        sets: ["subnets", "security_groups_id"],
      },
      ...foundBy("name"),
    },

    PublicIp: {
      description: "A public address, for one port.",
      path: `${NETWORK}/v0/vpcs/{vpc_id}/public_ips`,
      paths: { create: `${NETWORK}/v0/vpcs/{vpc_id}/public_ips?wait_timeout=10`, item: publicIp },
      envelope: { list: "public_ips" },
      refers: { vpc_id: "Vpc", port_id: "Port" },
      ...regional(
        {
          vpc_id: vpc,
          description: text(
            "A description. Without one, the name that a lost address is found by.",
          ),
          port_id: text("The id of the port that it is attached to."),
        },
        ["vpc_id"],
      ),
      name: { property: "description" },
      update: "none",
      parts: [
        {
          properties: ["port_id"],
          each: "removed",
          beforeDelete: true,
          method: "POST",
          path: `${publicIp}/detach/{item}`,
        },
        {
          properties: ["port_id"],
          each: "added",
          afterCreate: true,
          method: "POST",
          path: `${publicIp}/attach/{item}`,
        },
      ],
      ...foundBy("description"),
    },

    NatGateway: {
      description: "The way out for machines without a public address.",
      path: `${NETWORK}/v1/nat_gateways`,
      paths: { list: `${NETWORK}/v1/nat_gateways?vpc_id={vpc_id}` },
      envelope: { list: "result" },
      paging: {
        by: "page",
        query: "page",
        first: 1,
        size: { query: "items_per_page", count: 100 },
        total: "meta.page.total",
      },
      refers: { vpc_id: "Vpc" },
      ...regional(
        {
          vpc_id: vpc,
          name: text("The name."),
          description,
          zone: text("The zone, a letter: a, b or c."),
        },
        ["vpc_id", "zone"],
      ),
      name: { property: "name", rule: nameRule },
      update: "none",
      location: ["vpc_id"],
      state: { path: "status", ready: ["created"], fail: ["error"], gone: ["deleted"] },
      ...foundBy("name"),
      delete: { asynchronous: true },
    },

    LoadBalancer: {
      description: "A network load balancer. A change of its listeners or backends replaces it.",
      path: BALANCERS,
      envelope: { list: "results" },
      ...paged(50),
      refers: {
        vpc_id: "Vpc",
        subnet_pool_id: "SubnetPool",
        public_ip_id: "PublicIp",
        "backends[*].targets[*].nic_id": "Port",
      },
      ...regional(
        {
          name: text("The name."),
          description,
          type: text("The type.", "proxy"),
          visibility: text("Whether it is reachable from outside.", "internal", "external"),
          vpc_id: vpc,
          subnet_pool_id: text("The id of the pool that its addresses are taken from."),
          public_ip_id: text(
            "The id of its public address. An external one without it gets an address of its own.",
          ),
          listeners: field(
            "Where it listens.",
            listOf(
              group(
                {
                  ...named,
                  backend_name: aText,
                  tls_certificate_name: aText,
                  protocol: oneOf("tcp", "tls"),
                  port: aNumber,
                },
                ["name", "backend_name", "protocol", "port"],
              ),
            ),
          ),
          backends: field(
            "Where it forwards to.",
            listOf(
              group(
                {
                  ...named,
                  health_check_name: aText,
                  balance_algorithm: oneOf("round_robin"),
                  panic_threshold: { type: "number" },
                  targets_type: oneOf("instance", "raw"),
                  targets: listOf(
                    group({ nic_id: aText, ip_address: aText, port: aNumber }, ["port"]),
                  ),
                  close_connections_on_host_health_failure: aFlag,
                },
                ["name", "balance_algorithm", "targets_type"],
              ),
            ),
          ),
          health_checks: field(
            "How targets are checked.",
            listOf(
              group(
                {
                  ...named,
                  protocol: oneOf("tcp", "http"),
                  path: aText,
                  port: aNumber,
                  healthy_status_code: aNumber,
                  interval_seconds: aNumber,
                  timeout_seconds: aNumber,
                  initial_delay_seconds: aNumber,
                  healthy_threshold_count: aNumber,
                  unhealthy_threshold_count: aNumber,
                },
                ["name", "protocol", "port"],
              ),
            ),
          ),
          tls_certificates: field(
            "Its certificates, PEM in base64.",
            listOf(
              group({ ...named, certificate: aText, private_key: aText }, [
                "name",
                "certificate",
                "private_key",
              ]),
            ),
          ),
          acls: field(
            "Who may connect.",
            listOf(
              group(
                {
                  name: aText,
                  ethertype: oneOf("IPv4", "IPv6"),
                  protocol: oneOf("tcp", "tls"),
                  remote_ip_prefix: aText,
                  action: oneOf("ALLOW", "DENY", "DENY_UNSPECIFIED"),
                },
                ["ethertype", "protocol", "remote_ip_prefix", "action"],
              ),
            ),
          ),
        },
        ["visibility", "vpc_id", "listeners", "backends"],
      ),
      name: { property: "name", rule: { maxLength: 64, letterFirst: true } },
      update: "PUT",
      fallback: { description: "" },
      createOnly: [
        "type",
        "visibility",
        "vpc_id",
        "subnet_pool_id",
        "public_ip_id",
        "listeners",
        "backends",
        "health_checks",
        "tls_certificates",
      ],
      parts: [
        {
          properties: ["acls"],
          method: "PUT",
          path: `${BALANCERS}/{id}/acls`,
          body: { acls: "{acls}" },
        },
      ],
      writeOnly: [
        "listeners[*].backend_name",
        "listeners[*].tls_certificate_name",
        "backends[*].health_check_name",
        "tls_certificates[*].certificate",
        "tls_certificates[*].private_key",
      ],
      compare: { at: { public_ip_id: "public_ip.id" } },
      state: {
        path: "status",
        ready: ["running"],
        fail: ["failed", "canceled"],
        gone: ["deleted"],
      },
      ...foundBy("name"),
      delete: { asynchronous: true },
      timing: { pollMs: 5_000, createMinutes: 30, updateMinutes: 20, deleteMinutes: 20 },
    },
  };
}
