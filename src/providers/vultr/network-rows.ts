import {
  aFlag,
  aNumber,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  text,
  texts,
  whole,
} from "#providers/rest/fields.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { attachedBy, envelope, inRegion, paged, since } from "./row-parts.ts";

export function networkRows(): RestRows {
  return {
    Vpc: {
      description: "A private network.",
      ...paged("/v2/vpcs"),
      ...envelope("vpc"),
      ...inRegion,
      takes: fields({
        region: text("The region's id."),
        description: text("What it is called."),
        v4_subnet: text("The first address of its range; without one, Vultr chooses."),
        v4_subnet_mask: whole("The bits of the range's mask, for example 24."),
      }),
      name: { property: "description" },
      update: "PUT",
      fallback: { description: "" },
      createOnly: ["region", "v4_subnet", "v4_subnet_mask"],
      ...since("description", "region", "v4_subnet"),
      timing: { deleteMinutes: 20 },
    },

    Firewall: {
      description: "A firewall group: its rules hold for the instances that name it.",
      ...paged("/v2/firewalls"),
      ...envelope("firewall_group"),
      takes: fields({ description: text("What it is called.") }),
      name: { property: "description" },
      update: "PUT",
      fallback: { description: "" },
      ...since("description"),
    },

    FirewallRule: {
      description: "A rule of a firewall group, which lets in what it names.",
      ...paged("/v2/firewalls/{firewall_group_id}/rules"),
      ...envelope("firewall_rule"),
      id: {
        // Rules are counted in each group.
        within: "{firewall_group_id}",
      },
      refers: { firewall_group_id: "Firewall", source: "LoadBalancer" },
      takes: fields(
        {
          firewall_group_id: text("The id of its firewall group."),
          ip_type: text("Which addresses it is for; `subnet` is one of these.", "v4", "v6"),
          protocol: text("The protocol: TCP, UDP, ICMP, GRE, ESP or AH."),
          subnet: text("The address, or the first one of the range, that is let in."),
          subnet_size: whole("The bits of the range's mask: 32 is one IPv4 address."),
          port: text("TCP and UDP: the port, or a range such as 8000:8010."),
          source: text(
            "In place of `subnet`: `cloudflare`, or the id of a load balancer in the account.",
          ),
          notes: text("A note."),
        },
        ["firewall_group_id", "ip_type", "protocol", "subnet", "subnet_size"],
      ),
      update: "none",
      compare: { caseInsensitive: ["protocol", "subnet"] },
      // A rule does not say when it was made: an equal one proves nothing, but a list without one does.
      ...since("ip_type", "protocol", "subnet", "subnet_size", "port", "source"),
    },

    Domain: {
      description: "A DNS zone.",
      ...paged("/v2/domains"),
      ...envelope("domain"),
      id: { at: "domain", known: "{domain}" },
      takes: fields(
        {
          domain: text("The domain."),
          ip: text("The address of the first records: of the domain itself, and of `*`."),
          dns_sec: text("Whether its answers are signed.", "enabled", "disabled"),
        },
        ["domain"],
      ),
      update: "PUT",
      fallback: { dns_sec: "disabled" },
      createOnly: ["domain"],
      // A replacement would take all records of the domain with it.
      onlyAtCreate: {
        ip: "The address is that of records, which are changed as resources of the type vultr:Record.",
      },
      writeOnly: ["ip"],
      compare: { caseInsensitive: ["domain"] },
      ...since("domain"),
      name: { unique: "domain" },
    },

    Record: {
      description: "A DNS record of a domain.",
      ...paged("/v2/domains/{domain}/records"),
      ...envelope("record"),
      refers: { domain: "Domain" },
      takes: fields(
        {
          domain: text("The domain that it belongs to."),
          name: text("The host's name in the domain; empty for the domain itself."),
          type: text("The type: A, AAAA, CNAME, NS, MX, SRV, TXT, CAA or SSHFP."),
          data: text("What the record says."),
          ttl: whole("Time to live in seconds."),
          priority: whole("The priority of MX and SRV records."),
        },
        ["domain", "name", "type", "data"],
      ),
      update: "PATCH",
      fallback: { ttl: 300, priority: 0 },
      immutable: ["type"],
      // Like a rule, a record does not say when it was made.
      ...since("type", "name", "data"),
    },

    LoadBalancer: {
      description: "A load balancer.",
      ...paged("/v2/load-balancers"),
      ...envelope("load_balancer"),
      ...inRegion,
      region: { ...inRegion.region, more: ["global_regions[*]"] },
      refers: { "instances[*]": "Instance", vpc: "Vpc" },
      takes: fields({
        region: text("The region's id."),
        label: text("What it is called."),
        balancing_algorithm: text("Who gets the next request.", "roundrobin", "leastconn"),
        ssl_redirect: flag("Whether http is redirected to https."),
        http2: flag("Whether HTTP/2 is offered."),
        http3: flag("Whether HTTP/3 is offered."),
        nodes: whole("How many nodes it has, an odd number."),
        timeout: whole("When an idle connection is closed, in seconds."),
        proxy_protocol: flag("Whether the PROXY protocol is used."),
        health_check: field(
          "How its instances are checked.",
          group({
            protocol: oneOf("http", "https", "tcp"),
            port: aNumber,
            path: aText,
            check_interval: aNumber,
            response_timeout: aNumber,
            unhealthy_threshold: aNumber,
            healthy_threshold: aNumber,
            proxy_protocol: aFlag,
          }),
        ),
        forwarding_rules: field(
          "What is forwarded where.",
          listOf(
            group(
              {
                frontend_protocol: oneOf("http", "https", "tcp", "udp"),
                frontend_port: aNumber,
                backend_protocol: oneOf("http", "https", "tcp", "udp"),
                backend_port: aNumber,
              },
              ["frontend_protocol", "frontend_port", "backend_protocol", "backend_port"],
            ),
          ),
        ),
        sticky_session: field(
          "The cookie by which a client keeps its instance.",
          group({ cookie_name: aText }),
        ),
        ssl: field(
          "The certificate, PEM.",
          group({ private_key: aText, certificate: aText, chain: aText }, [
            "private_key",
            "certificate",
          ]),
        ),
        instances: texts("The ids of its instances."),
        firewall_rules: field(
          "Who is let in.",
          listOf(
            group({ port: aNumber, source: aText, ip_type: oneOf("v4", "v6") }, [
              "port",
              "source",
              "ip_type",
            ]),
          ),
        ),
        vpc: text("The id of the VPC by which it reaches its instances."),
        global_regions: texts("The ids of further regions."),
      }),
      name: { property: "label" },
      update: "PATCH",
      fallback: {
        balancing_algorithm: "roundrobin",
        ssl_redirect: false,
        http2: false,
        http3: false,
        nodes: 1,
        timeout: 600,
        proxy_protocol: false,
        sticky_session: { cookie_name: "" },
        forwarding_rules: [],
        instances: [],
        firewall_rules: [],
        vpc: "",
        global_regions: [],
        health_check: {
          protocol: "http",
          port: 80,
          path: "/",
          check_interval: 15,
          response_timeout: 5,
          unhealthy_threshold: 5,
          healthy_threshold: 5,
        },
      },
      createOnly: ["region"],
      // Vultr keeps a certificate that is no longer sent.
      parts: [
        {
          properties: ["ssl"],
          method: "PATCH",
          path: "/v2/load-balancers/{id}",
          absent: "keep",
        },
      ],
      writeOnly: ["ssl"],
      compare: {
        at: {
          balancing_algorithm: "generic_info.balancing_algorithm",
          ssl_redirect: "generic_info.ssl_redirect",
          proxy_protocol: "generic_info.proxy_protocol",
          timeout: "generic_info.timeout",
          sticky_session: "generic_info.sticky_sessions",
          vpc: "generic_info.vpc",
        },
        sets: ["forwarding_rules", "instances", "firewall_rules", "global_regions"],
      },
      state: { path: "status", ready: ["active"] },
      ...since("label", "region"),
      timing: { pollMs: 5_000, createMinutes: 20, updateMinutes: 20, deleteMinutes: 15 },
    },

    ReservedIp: {
      description: "An address that is kept.",
      ...paged("/v2/reserved-ips"),
      ...envelope("reserved_ip"),
      ...inRegion,
      refers: { instance_id: "Instance" },
      takes: fields(
        {
          region: text("The region's id."),
          ip_type: text("Which kind of address.", "v4", "v6"),
          label: text("What it is called."),
          instance_id: text("The id of the instance that has it."),
        },
        ["ip_type"],
      ),
      name: { property: "label" },
      update: "PATCH",
      fallback: { label: "" },
      createOnly: ["region", "ip_type"],
      ...attachedBy("instance_id", "/v2/reserved-ips"),
      // An address does not say when it was made, so a label from the template proves nothing.
      find: { by: "name" },
    },
  };
}
