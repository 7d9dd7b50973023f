import {
  aFlag,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  someNumbers,
  someTexts,
  text,
  texts,
  whole,
} from "#providers/rest/fields.ts";
import { envelope } from "./envelope.ts";
import {
  aContent,
  address,
  aHost,
  aLabel,
  amount,
  anAddress,
  anAmount,
  choice,
  content,
  label,
  someAddresses,
  someHosts,
  someLabelled,
  zone,
} from "./fields.ts";
import type { DigitalOceanRows } from "./prepare-request.ts";

export function networkRows(): DigitalOceanRows {
  /** The other end of a firewall's rule. */
  const ends = group({
    addresses: someAddresses,
    droplet_ids: someNumbers,
    load_balancer_uids: someTexts,
    kubernetes_ids: someTexts,
    tags: someTexts,
  });
  const ruleStart = { protocol: oneOf("tcp", "udp", "icmp"), ports: anAddress };

  return {
    Vpc: {
      description: "A private network.",
      path: "/v2/vpcs",
      ...envelope("vpc"),
      region: { property: "region" },
      defaults: { region: { region: true } },
      takes: fields({
        name: label("The name, unique in the account."),
        description: label("A description."),
        region: choice("The region's slug."),
        ip_range: address("The address range, for example 10.10.10.0/24."),
      }),
      outputs: ["id", "urn", "default", "created_at"],
      name: { property: "name", rule: { maxLength: 63 }, unique: true },
      update: "PUT",
      createOnly: ["region", "ip_range"],
      find: { by: "properties", properties: ["name", "region"], createdAt: "created_at" },
      timing: { deleteMinutes: 20 },
    },

    VpcPeering: {
      description: "A peering of two VPCs.",
      path: "/v2/vpc_peerings",
      ...envelope("vpc_peering"),
      refers: { "vpc_ids[*]": "Vpc" },
      takes: fields(
        {
          name: label("The name, unique in the account."),
          vpc_ids: texts("The ids of the two VPCs."),
        },
        ["vpc_ids"],
      ),
      outputs: ["id", "status", "created_at"],
      name: { property: "name", rule: { maxLength: 63 }, unique: true },
      update: "PATCH",
      createOnly: ["vpc_ids"],
      compare: { sets: ["vpc_ids"] },
      state: { path: "status", ready: ["ACTIVE"] },
      find: { by: "properties", properties: ["name", "vpc_ids"], createdAt: "created_at" },
      delete: { asynchronous: true },
      timing: { createMinutes: 10, deleteMinutes: 10 },
    },

    Domain: {
      description: "A DNS zone.",
      path: "/v2/domains",
      ...envelope("domain"),
      id: { at: "name", known: "{name}" },
      takes: fields(
        {
          name: zone("The domain."),
          ip_address: address("The address of a first A record of the domain itself."),
        },
        ["name"],
      ),
      outputs: ["id", "ttl", "zone_file"],
      update: "none",
      // A replacement would take all records of the domain with it.
      onlyAtCreate: {
        ip_address: "The address is that of an A record, which is changed as a Record.",
      },
      writeOnly: ["ip_address"],
      find: { by: "name" },
      name: { unique: "name" },
    },

    Record: {
      description: "A DNS record of a domain.",
      path: "/v2/domains/{domain}/records",
      ...envelope("domain_record"),
      refers: { domain: "Domain" },
      takes: fields(
        {
          domain: text("The domain that it belongs to."),
          type: choice("The type: A, AAAA, CAA, CNAME, MX, NS, SRV, TXT."),
          name: label("The host's name in the domain; `@` is the domain itself."),
          data: content("What the record says. A host name ends with a dot."),
          priority: amount("The priority of MX and SRV records."),
          port: amount("The port of SRV records."),
          ttl: amount("Time to live in seconds."),
          weight: amount("The weight of SRV records."),
          flags: amount("The flags of CAA records."),
          tag: label("The tag of CAA records."),
        },
        ["domain", "type"],
      ),
      update: "PUT",
      immutable: ["type"],
      // A record does not say when it was made: an equal one proves nothing, but a list without one does.
      find: { by: "properties", properties: ["type", "name", "data"], createdAt: "created_at" },
    },

    LoadBalancer: {
      description: "A load balancer.",
      path: "/v2/load_balancers",
      ...envelope("load_balancer"),
      region: { property: "region", elsewhere: { type: ["GLOBAL"] } },
      facts: { regionKeys: ["glb_settings.region_priorities"] },
      defaults: { region: { region: true } },
      refers: {
        project_id: "Project",
        "forwarding_rules[*].certificate_id": "Certificate",
        vpc_uuid: "Vpc",
        "domains[*].certificate_id": "Certificate",
        "target_load_balancer_ids[*]": "LoadBalancer",
        "droplet_ids[*]": "Droplet",
      },
      takes: fields(
        {
          name: label("The name."),
          region: choice("The region's slug. Not where `type` is GLOBAL."),
          project_id: text("The id of its project."),
          size: text("The size.", "lb-small", "lb-medium", "lb-large"),
          size_unit: amount("How many nodes."),
          algorithm: text("Obsolete.", "round_robin", "least_connections"),
          forwarding_rules: field(
            "What is forwarded where.",
            listOf(
              group(
                {
                  entry_protocol: oneOf("http", "https", "http2", "http3", "tcp", "udp"),
                  entry_port: anAmount,
                  target_protocol: oneOf("http", "https", "http2", "tcp", "udp"),
                  target_port: anAmount,
                  certificate_id: aText,
                  tls_passthrough: aFlag,
                },
                ["entry_protocol", "entry_port", "target_protocol", "target_port"],
              ),
            ),
          ),
          health_check: field(
            "How its targets are checked.",
            group({
              protocol: oneOf("http", "https", "tcp"),
              port: anAmount,
              path: aContent,
              check_interval_seconds: anAmount,
              response_timeout_seconds: anAmount,
              unhealthy_threshold: anAmount,
              healthy_threshold: anAmount,
            }),
          ),
          sticky_sessions: field(
            "Whether a client keeps its target.",
            group({
              type: oneOf("cookies", "none"),
              cookie_name: aLabel,
              cookie_ttl_seconds: anAmount,
            }),
          ),
          redirect_http_to_https: flag("Whether http is redirected to https."),
          enable_proxy_protocol: flag("Whether the PROXY protocol is used."),
          enable_backend_keepalive: flag("Whether connections to targets are kept open."),
          http_idle_timeout_seconds: amount("When an idle connection is closed."),
          vpc_uuid: text("The id of its VPC."),
          disable_lets_encrypt_dns_records: flag(
            "Whether no DNS records are made for certificates.",
          ),
          firewall: field("Who is let in.", group({ deny: someAddresses, allow: someAddresses })),
          network: text("Whether it is reachable from outside.", "EXTERNAL", "INTERNAL"),
          network_stack: text("Its addresses.", "IPV4", "DUALSTACK"),
          type: text("The type.", "REGIONAL", "REGIONAL_NETWORK", "GLOBAL"),
          domains: field(
            "The domains of a global one.",
            listOf(group({ name: aHost, is_managed: aFlag, certificate_id: aText })),
          ),
          glb_settings: field(
            "Settings of a global one.",
            group({
              target_protocol: oneOf("http", "https", "http2"),
              target_port: anAmount,
              cdn: group({ is_enabled: aFlag }),
              region_priorities: someLabelled,
              failover_threshold: anAmount,
            }),
          ),
          target_load_balancer_ids: texts("The load balancers behind a global one."),
          tls_cipher_policy: text("Which ciphers are offered.", "DEFAULT", "STRONG"),
          droplet_ids: field("The ids of its Droplets. Not with `tag`.", someNumbers),
          tag: text("The tag of its Droplets. Not with `droplet_ids`."),
        },
        ["forwarding_rules"],
      ),
      name: { property: "name", rule: { maxLength: 63 }, unique: true },
      update: "PUT",
      immutable: ["region", "vpc_uuid", "network", "network_stack", "type"],
      compare: {
        at: { region: "region.slug" },
        sets: ["forwarding_rules", "droplet_ids", "firewall.deny", "firewall.allow"],
      },
      state: { path: "status", ready: ["active"], fail: ["errored"] },
      find: { by: "properties", properties: ["name"], createdAt: "created_at" },
      delete: { asynchronous: true },
      timing: { pollMs: 5_000, createMinutes: 20, updateMinutes: 20, deleteMinutes: 15 },
    },

    Firewall: {
      description: "A firewall for Droplets.",
      path: "/v2/firewalls",
      ...envelope("firewall"),
      refers: Object.fromEntries([
        ["droplet_ids[*]", "Droplet"],
        ...["inbound_rules[*].sources", "outbound_rules[*].destinations"].flatMap((end) => [
          [`${end}.droplet_ids[*]`, "Droplet"],
          [`${end}.load_balancer_uids[*]`, "LoadBalancer"],
          [`${end}.kubernetes_ids[*]`, "Kubernetes"],
        ]),
      ]),
      takes: fields({
        name: label("The name, unique in the account."),
        droplet_ids: field("The ids of its Droplets.", someNumbers),
        tags: texts("The tags of its Droplets."),
        inbound_rules: field(
          "What is let in.",
          listOf(group({ ...ruleStart, sources: ends }, ["protocol", "ports", "sources"])),
        ),
        outbound_rules: field(
          "What is let out.",
          listOf(
            group({ ...ruleStart, destinations: ends }, ["protocol", "ports", "destinations"]),
          ),
        ),
      }),
      name: { property: "name", rule: { maxLength: 63 }, unique: true },
      update: "PUT",
      compare: { sets: ["droplet_ids", "tags", "inbound_rules", "outbound_rules"] },
      state: { path: "status", ready: ["succeeded"], fail: ["failed"] },
      find: { by: "properties", properties: ["name"], createdAt: "created_at" },
    },

    Certificate: {
      description: "A TLS certificate: uploaded, or of Let's Encrypt.",
      path: "/v2/certificates",
      ...envelope("certificate"),
      takes: fields({
        name: label("The name, unique in the account."),
        type: text("Where it is from; without a type, uploaded.", "custom", "lets_encrypt"),
        dns_names: field("The domains of a certificate of Let's Encrypt.", someHosts),
        private_key: content("The private key of an uploaded one, PEM."),
        leaf_certificate: content("The certificate of an uploaded one, PEM."),
        certificate_chain: content("The chain of an uploaded one, PEM."),
      }),
      name: { property: "name", rule: { maxLength: 63 }, unique: true },
      update: "none",
      writeOnly: ["private_key", "leaf_certificate", "certificate_chain"],
      compare: { sets: ["dns_names"] },
      state: { path: "state", ready: ["verified"], fail: ["error"] },
      find: { by: "properties", properties: ["name"], createdAt: "created_at" },
      timing: { createMinutes: 15 },
    },

    ReservedIp: {
      description: "An address that is kept: of a region, or of a Droplet.",
      path: "/v2/reserved_ips",
      ...envelope("reserved_ip"),
      id: { at: "ip" },
      region: { property: "region", elsewhere: { droplet_id: true } },
      defaults: { region: { region: true } },
      refers: { droplet_id: "Droplet", project_id: "Project" },
      takes: fields({
        region: choice(
          "The region's slug. A new one with `droplet_id` is in the region of the Droplet.",
        ),
        droplet_id: whole("The id of its Droplet."),
        project_id: text(
          "The id of its project. A new one with `droplet_id` is in the default project.",
        ),
      }),
      update: "none",
      parts: [
        {
          properties: ["droplet_id"],
          method: "POST",
          path: "/v2/reserved_ips/{id}/actions",
          body: { type: "assign", droplet_id: "{droplet_id}" },
          absent: { type: "unassign" },
        },
      ],
      without: { droplet_id: ["region", "project_id"] },
      compare: { at: { region: "region.slug", droplet_id: "droplet.id" } },
      // Like a record, an address does not say when it was made.
      find: { by: "properties", properties: ["region", "droplet_id"], createdAt: "created_at" },
    },

    Cdn: {
      description: "A CDN endpoint of a Space.",
      path: "/v2/cdn/endpoints",
      ...envelope("endpoint"),
      refers: { certificate_id: "Certificate" },
      takes: fields(
        {
          origin: text("The host name of the Space."),
          ttl: field("How long content is cached, in seconds.", {
            type: "integer",
            enum: [60, 600, 3600, 86_400, 604_800],
          }),
          certificate_id: text("The id of the custom domain's certificate."),
          custom_domain: field("The custom domain.", aHost),
        },
        ["origin"],
      ),
      outputs: ["id", "endpoint", "created_at"],
      update: "PUT",
      createOnly: ["origin"],
      find: { by: "properties", properties: ["origin"], createdAt: "created_at" },
      deleteFirst: true,
    },
  };
}
