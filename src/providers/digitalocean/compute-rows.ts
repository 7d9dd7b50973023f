import type { RestRows } from "#providers/rest/rest-types.ts";
import { envelope } from "./envelope.ts";
import {
  aFlag,
  aMap,
  aNumber,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  someTexts,
  text,
  texts,
  whole,
} from "./fields.ts";
import { tagParts } from "./tag-parts.ts";

const MINUTE_MS = 60_000;

export function computeRows(): RestRows {
  const inRegion = { regionProperty: "region", defaults: { region: { region: true } } } as const;

  const nodePool = {
    size: aText,
    name: aText,
    count: aNumber,
    tags: someTexts,
    labels: aMap,
    taints: listOf(
      group({
        key: aText,
        value: aText,
        effect: oneOf("NoSchedule", "PreferNoSchedule", "NoExecute"),
      }),
    ),
    auto_scale: aFlag,
    min_nodes: aNumber,
    max_nodes: aNumber,
  };

  const enabled = group({ enabled: aFlag });

  /** Parts of an app that have variables, of which the cloud shows secret ones encrypted. */
  const appParts = ["services", "static_sites", "jobs", "workers", "functions"];

  return {
    Droplet: {
      description: "A virtual machine.",
      path: "/v2/droplets",
      ...envelope("droplet"),
      ...inRegion,
      refers: { "ssh_keys[*]": "SshKey", "volumes[*]": "Volume", vpc_uuid: "Vpc" },
      ...fields(
        {
          name: text("The host name."),
          region: text("The region's slug."),
          size: text(
            "The size's slug. A change resizes a Droplet that is powered off, its disk excepted.",
          ),
          image: field("The image's slug or id.", {}),
          ssh_keys: field("Ids or fingerprints of the SSH keys of the root user.", {
            type: "array",
          }),
          backups: flag("Whether backups are made."),
          backup_policy: field(
            "When backups are made.",
            group({
              plan: oneOf("daily", "weekly"),
              weekday: oneOf("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"),
              hour: aNumber,
            }),
          ),
          ipv6: flag("Whether it has an IPv6 address."),
          monitoring: flag("Whether the monitoring agent is installed."),
          tags: texts("Tags."),
          user_data: text("The cloud-init configuration or script of the first boot."),
          private_networking: flag("Obsolete: use `vpc_uuid`."),
          volumes: texts("Ids of volumes to attach."),
          vpc_uuid: text("The id of its VPC."),
          with_droplet_agent: flag("Whether the agent for the web console is installed."),
          public_networking: flag("Whether it has a public address."),
        },
        ["size", "image"],
      ),
      nameProperty: "name",
      nameRule: { maxLength: 63 },
      update: "none",
      parts: [
        {
          properties: ["name"],
          method: "POST",
          path: "/v2/droplets/{id}/actions",
          body: { type: "rename", name: "{name}" },
        },
        {
          properties: ["size"],
          method: "POST",
          path: "/v2/droplets/{id}/actions",
          body: { type: "resize", size: "{size}", disk: false },
        },
        ...tagParts("droplet"),
      ],
      // An image and a key may be given by slug, id or fingerprint: what is shown need not be what was sent.
      writeOnly: [
        "image",
        "ssh_keys",
        "backups",
        "backup_policy",
        "ipv6",
        "monitoring",
        "user_data",
        "private_networking",
        "with_droplet_agent",
        "public_networking",
      ],
      shownAt: { region: "region.slug", size: "size_slug", volumes: "volume_ids" },
      sets: ["tags", "volumes", "ssh_keys"],
      ready: { path: "status", values: ["active", "off"], fail: ["archive"] },
      find: { by: "tag", property: "tags", query: "tag_name" },
      asyncDelete: true,
      timeouts: { create: 15 * MINUTE_MS, update: 30 * MINUTE_MS, delete: 15 * MINUTE_MS },
    },

    Volume: {
      description: "A block storage volume.",
      path: "/v2/volumes",
      ...envelope("volume"),
      ...inRegion,
      refers: { snapshot_id: "any" },
      ...fields(
        {
          name: text("The name, unique in the region."),
          region: text("The region's slug."),
          size_gigabytes: whole("The size in GiB. It can grow, not shrink."),
          description: text("A description."),
          snapshot_id: text("The id of the snapshot that it is made from."),
          filesystem_type: text("The file system that it is formatted with.", "", "ext4", "xfs"),
          filesystem_label: text("The label of the file system."),
          tags: texts("Tags."),
        },
        ["size_gigabytes"],
      ),
      nameProperty: "name",
      nameRule: { maxLength: 64, letterFirst: true },
      update: "none",
      parts: [
        {
          properties: ["size_gigabytes"],
          method: "POST",
          path: "/v2/volumes/{id}/actions",
          body: { type: "resize", size_gigabytes: "{size_gigabytes}", region: "{region}" },
        },
        ...tagParts("volume"),
      ],
      writeOnly: ["snapshot_id"],
      shownAt: { region: "region.slug" },
      sets: ["tags"],
      find: { by: "tag", property: "tags" },
    },

    SshKey: {
      description: "A public SSH key of the account.",
      path: "/v2/account/keys",
      ...envelope("ssh_key"),
      ...fields(
        { name: text("A name."), public_key: text("The public key, as in `authorized_keys`.") },
        ["public_key"],
      ),
      outputs: ["id", "fingerprint"],
      nameProperty: "name",
      update: "PUT",
      createOnly: ["public_key"],
      find: { by: "name" },
    },

    App: {
      description: "An app of App Platform.",
      path: "/v2/apps",
      ...envelope("app"),
      regionProperty: "spec.region",
      refers: {
        project_id: "Project",
        "spec.databases[*].cluster_name": "any",
        "spec.vpc.id": "Vpc",
      },
      ...fields(
        {
          spec: field("The app specification.", {
            type: "object",
            object: {
              properties: {
                name: aText,
                region: aText,
                services: listOf(aMap),
                static_sites: listOf(aMap),
                jobs: listOf(aMap),
                workers: listOf(aMap),
                functions: listOf(aMap),
                databases: listOf(aMap),
                domains: listOf(aMap),
                envs: listOf(aMap),
                alerts: listOf(aMap),
                ingress: aMap,
                egress: aMap,
                features: someTexts,
                vpc: aMap,
              },
              required: ["name"],
              open: true,
            },
          }),
          project_id: text("The id of its project."),
        },
        ["spec"],
      ),
      update: "PUT",
      createOnly: ["project_id"],
      writeOnly: [
        "spec.envs[*].value",
        ...appParts.map((part) => `spec.${part}[*].envs[*].value`),
        ...["services", "jobs", "workers"].map(
          (part) => `spec.${part}[*].image.registry_credentials`,
        ),
      ],
      ready: {
        at: "/v2/apps/{id}/deployments?per_page=1",
        path: "deployments.0.phase",
        values: ["ACTIVE"],
        fail: ["ERROR", "CANCELED"],
      },
      find: { by: "properties", properties: ["spec.name"], createdAt: "created_at" },
      pollMs: 5_000,
      timeouts: { create: 45 * MINUTE_MS, update: 45 * MINUTE_MS },
    },

    Kubernetes: {
      description: "A Kubernetes cluster, with the node pools that it is created with.",
      path: "/v2/kubernetes/clusters",
      ...envelope("kubernetes_cluster"),
      ...inRegion,
      refers: { vpc_uuid: "Vpc" },
      ...fields(
        {
          name: text("The name."),
          region: text("The region's slug."),
          version: text("The version's slug. A newer one upgrades the cluster."),
          node_pools: field(
            "The first node pools. A change replaces the cluster: use NodePool for what changes.",
            listOf(group(nodePool)),
          ),
          vpc_uuid: text("The id of its VPC."),
          cluster_subnet: text("The range of the pods' addresses."),
          service_subnet: text("The range of the services' addresses."),
          worker_subnet_uuid: text("The id of the workers' subnet."),
          tags: texts("Tags."),
          maintenance_policy: field(
            "When maintenance is done.",
            group({ start_time: aText, day: aText }),
          ),
          auto_upgrade: flag("Whether patch versions are installed by themselves."),
          surge_upgrade: flag("Whether upgrades add nodes first."),
          isolated_workers: flag("Whether the workers have no public addresses."),
          ha: flag("Whether the control plane is highly available."),
          control_plane_firewall: field(
            "Who may reach the control plane.",
            group({ enabled: aFlag, allowed_addresses: someTexts }),
          ),
          cluster_autoscaler_configuration: field(
            "How the autoscaler scales down.",
            group({
              scale_down_utilization_threshold: { type: "number" },
              scale_down_unneeded_time: aText,
              expanders: listOf(oneOf("random", "priority", "least_waste")),
            }),
          ),
          sso: field(
            "Single sign-on.",
            group({ enabled: aFlag, required: aFlag, issuer_url: aText, client_id: aText }),
          ),
          routing_agent: field("The routing agent.", enabled),
          p2p_oci_registry_plugin: field("The plugin that shares images among nodes.", enabled),
          amd_gpu_device_plugin: field("The plugin for AMD GPUs.", enabled),
          amd_gpu_device_metrics_exporter_plugin: field("Metrics of AMD GPUs.", enabled),
          nvidia_gpu_device_plugin: field("The plugin for NVIDIA GPUs.", enabled),
          rdma_shared_dev_plugin: field("The plugin for RDMA devices.", enabled),
          coredns_autoscaler: field("The autoscaler of CoreDNS.", enabled),
        },
        ["version", "node_pools"],
      ),
      nameProperty: "name",
      nameRule: { maxLength: 63, letterFirst: true },
      update: "PUT",
      createOnly: [
        "region",
        "node_pools",
        "vpc_uuid",
        "cluster_subnet",
        "service_subnet",
        "worker_subnet_uuid",
        "isolated_workers",
      ],
      parts: [
        { properties: ["version"], method: "POST", path: "/v2/kubernetes/clusters/{id}/upgrade" },
      ],
      // The cloud adds tags of its own, and shows every pool, those of NodePool included.
      writeOnly: ["tags", "node_pools"],
      ready: { path: "status.state", values: ["running"], fail: ["error", "deleted"] },
      gone: { path: "status.state", values: ["deleted"] },
      find: { by: "tag", property: "tags" },
      asyncDelete: true,
      pollMs: 10_000,
      timeouts: { create: 45 * MINUTE_MS, update: 90 * MINUTE_MS, delete: 30 * MINUTE_MS },
    },

    NodePool: {
      description: "A node pool of a Kubernetes cluster.",
      path: "/v2/kubernetes/clusters/{cluster_id}/node_pools",
      ...envelope("node_pool"),
      refers: { cluster_id: "Kubernetes" },
      ...fields(
        {
          cluster_id: text("The id of its cluster."),
          name: text("The name."),
          size: text("The slug of the nodes' size."),
          count: whole("How many nodes."),
          tags: texts("Tags of the nodes."),
          labels: field("Kubernetes labels of the nodes.", aMap),
          taints: field("Kubernetes taints of the nodes.", nodePool.taints),
          auto_scale: flag("Whether the count is scaled by load."),
          min_nodes: whole("The smallest count when scaled."),
          max_nodes: whole("The largest count when scaled."),
        },
        ["cluster_id", "size"],
      ),
      nameProperty: "name",
      nameRule: { maxLength: 63, letterFirst: true },
      update: "PUT",
      createOnly: ["size"],
      writeOnly: ["tags"],
      sets: ["taints"],
      find: { by: "tag", property: "tags" },
      asyncDelete: true,
      pollMs: 10_000,
      timeouts: { delete: 30 * MINUTE_MS },
    },

    Registry: {
      description: "A container registry.",
      path: "/v2/registries",
      ...envelope("registry", "registries"),
      ...inRegion,
      id: "name",
      ...fields(
        {
          name: text("The name, unique at DigitalOcean."),
          subscription_tier_slug: text("The tier.", "starter", "basic", "professional"),
          region: text("The region's slug."),
        },
        ["subscription_tier_slug"],
      ),
      nameProperty: "name",
      nameRule: { maxLength: 63 },
      update: "none",
      parts: [
        {
          properties: ["subscription_tier_slug"],
          method: "POST",
          path: "/v2/registries/subscription",
          body: { tier_slug: "{subscription_tier_slug}" },
        },
      ],
      writeOnly: ["subscription_tier_slug"],
      find: { by: "properties", properties: ["name"], createdAt: "created_at" },
      deleteFirst: true,
    },

    FunctionsNamespace: {
      description: "A namespace for functions.",
      path: "/v2/functions/namespaces",
      ...envelope("namespace"),
      ...inRegion,
      id: "namespace",
      ...fields({ label: text("The name."), region: text("The region's slug.") }),
      outputs: ["id", "namespace", "uuid", "api_host", "key", "created_at", "updated_at"],
      nameProperty: "label",
      nameRule: { maxLength: 63, letterFirst: true },
      update: "none",
      secretOutputs: ["key"],
      find: { by: "properties", properties: ["label"], createdAt: "created_at" },
    },
  };
}
