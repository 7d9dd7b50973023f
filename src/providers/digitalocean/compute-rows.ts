import {
  aFlag,
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
} from "#providers/rest/fields.ts";
import { kubernetesLeftovers } from "#providers/rest/kubernetes-leftovers.ts";
import { appSpec } from "./app-spec.ts";
import { envelope, unpaged } from "./envelope.ts";
import {
  aChoice,
  address,
  aLabel,
  amount,
  anAmount,
  choice,
  content,
  label,
  slug,
  someAddresses,
  someLabelled,
} from "./fields.ts";
import type { DigitalOceanRows } from "./prepare-request.ts";
import { byMark, tagParts } from "./tag-parts.ts";

export function computeRows(): DigitalOceanRows {
  const inRegion = {
    region: { property: "region" },
    defaults: { region: { region: true } },
  } as const;

  const nodePool = {
    size: aChoice,
    name: aLabel,
    count: anAmount,
    tags: someTexts,
    labels: someLabelled,
    taints: listOf(
      group({
        key: aLabel,
        value: aLabel,
        effect: oneOf("NoSchedule", "PreferNoSchedule", "NoExecute"),
      }),
    ),
    auto_scale: aFlag,
    min_nodes: anAmount,
    max_nodes: anAmount,
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
      takes: fields(
        {
          name: label("The host name."),
          region: choice("The region's slug."),
          size: choice(
            "The size's slug. A change resizes a Droplet that is powered off, its disk excepted.",
          ),
          image: slug("The image's slug or id."),
          ssh_keys: field("Ids or fingerprints of the SSH keys of the root user.", listOf({})),
          backups: flag("Whether backups are made."),
          backup_policy: field(
            "When backups are made.",
            group({
              plan: oneOf("daily", "weekly"),
              weekday: oneOf("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"),
              hour: anAmount,
            }),
          ),
          ipv6: flag("Whether it has an IPv6 address."),
          monitoring: flag("Whether the monitoring agent is installed."),
          tags: texts("Tags."),
          user_data: content("The cloud-init configuration or script of the first boot."),
          private_networking: flag("Obsolete: use `vpc_uuid`."),
          volumes: texts("Ids of volumes to attach."),
          vpc_uuid: text("The id of its VPC."),
          with_droplet_agent: flag("Whether the agent for the web console is installed."),
          public_networking: flag("Whether it has a public address."),
        },
        ["size", "image"],
      ),
      name: { property: "name", rule: { maxLength: 63 } },
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
        {
          properties: ["backups"],
          when: true,
          shownIn: { list: "features", item: "backups" },
          method: "POST",
          path: "/v2/droplets/{id}/actions",
          body: { type: "enable_backups", backup_policy: "{backup_policy}" },
        },
        {
          properties: ["backups"],
          when: false,
          shownIn: { list: "features", item: "backups" },
          method: "POST",
          path: "/v2/droplets/{id}/actions",
          body: { type: "disable_backups" },
        },
        {
          properties: ["backup_policy"],
          method: "POST",
          path: "/v2/droplets/{id}/actions",
          body: { type: "change_backup_policy", backup_policy: "{backup_policy}" },
          absent: "keep",
        },
        {
          properties: ["ipv6"],
          when: true,
          shownIn: { list: "features", item: "ipv6" },
          method: "POST",
          path: "/v2/droplets/{id}/actions",
          body: { type: "enable_ipv6" },
        },
        {
          properties: ["volumes"],
          each: "removed",
          method: "POST",
          path: "/v2/volumes/{item}/actions",
          body: { type: "detach", droplet_id: "{#id}" },
        },
        {
          properties: ["volumes"],
          each: "added",
          method: "POST",
          path: "/v2/volumes/{item}/actions",
          body: { type: "attach", droplet_id: "{#id}" },
        },
        ...tagParts("droplet"),
      ],
      // An image and a key may be given by slug, id or fingerprint, so another value may be shown than was sent.
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
      compare: {
        at: { region: "region.slug", size: "size_slug", volumes: "volume_ids" },
        sets: ["tags", "volumes", "ssh_keys"],
        caseInsensitive: ["tags[*]"],
      },
      facts: { oneWay: ["ipv6"] },
      state: { path: "status", ready: ["active", "off"], fail: ["archive"] },
      find: { ...byMark, query: "tag_name" },
      delete: { asynchronous: true },
      timing: { createMinutes: 15, updateMinutes: 30, deleteMinutes: 15 },
    },

    Volume: {
      description: "A block storage volume.",
      path: "/v2/volumes",
      ...envelope("volume"),
      ...inRegion,
      refers: { snapshot_id: "VolumeSnapshot" },
      takes: fields(
        {
          name: label("The name, unique in the region."),
          region: choice("The region's slug."),
          size_gigabytes: amount("The size in GiB. It can grow, not shrink."),
          description: label("A description."),
          snapshot_id: text("The id of the snapshot that it is made from."),
          filesystem_type: text("The file system that it is formatted with.", "", "ext4", "xfs"),
          filesystem_label: label("The label of the file system."),
          tags: texts("Tags."),
        },
        ["size_gigabytes"],
      ),
      name: { property: "name", rule: { maxLength: 64, letterFirst: true }, unique: true },
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
      compare: { at: { region: "region.slug" }, sets: ["tags"], caseInsensitive: ["tags[*]"] },
      find: byMark,
    },

    VolumeSnapshot: {
      description: "A snapshot of a volume, which outlives it.",
      path: "/v2/snapshots",
      paths: {
        create: "/v2/volumes/{volume_id}/snapshots",
        list: "/v2/snapshots?resource_type=volume",
      },
      ...envelope("snapshot"),
      refers: { volume_id: "Volume" },
      takes: fields(
        {
          volume_id: text("The id of the volume."),
          name: label("The name."),
          tags: texts("Tags."),
        },
        ["volume_id"],
      ),
      outputs: ["id", "created_at", "regions", "min_disk_size", "size_gigabytes", "resource_id"],
      name: { property: "name" },
      unsent: ["volume_id"],
      update: "none",
      parts: tagParts("volume_snapshot"),
      // The path of one snapshot shows those of Droplets too.
      read: { importsListed: true },
      compare: {
        at: { volume_id: "resource_id" },
        sets: ["tags"],
        caseInsensitive: ["tags[*]"],
      },
      find: byMark,
    },

    /**
     * Its create is an action of the Droplet, which does not name it. A Droplet's snapshots show no tags, and one is
     * listed when it is complete. (The vendor's description; the source of Terraform's provider finds it by its time.)
     */
    DropletSnapshot: {
      description: "A snapshot of a Droplet, which outlives it.",
      path: "/v2/droplets/{droplet_id}/actions",
      paths: { list: "/v2/droplets/{droplet_id}/snapshots", item: "/v2/snapshots/{id}" },
      envelope: { read: "snapshot", list: "snapshots" },
      refers: { droplet_id: "Droplet" },
      takes: fields({ droplet_id: whole("The id of the Droplet."), name: label("The name.") }, [
        "droplet_id",
      ]),
      outputs: [
        "id",
        "created_at",
        "regions",
        "min_disk_size",
        "size_gigabytes",
        "resource_id",
        "resource_type",
        "tags",
      ],
      name: { property: "name" },
      fixed: { type: "snapshot" },
      update: "none",
      create: { unnamed: true, listLagMs: 60 * 60_000 },
      // The path of one snapshot shows those of volumes too.
      read: { importsListed: true },
      find: { by: "properties", properties: ["name"], createdAt: "created_at" },
      timing: { pollMs: 5_000, createMinutes: 120 },
    },

    SshKey: {
      description: "A public SSH key of the account.",
      path: "/v2/account/keys",
      ...envelope("ssh_key"),
      takes: fields(
        {
          name: label("A name."),
          public_key: content("The public key, as in `authorized_keys`."),
        },
        ["public_key"],
      ),
      outputs: ["id", "fingerprint"],
      name: { property: "name" },
      update: "PUT",
      createOnly: ["public_key"],
      find: { by: "name" },
    },

    App: {
      description: "An app of App Platform.",
      path: "/v2/apps",
      ...envelope("app"),
      region: { property: "spec.region" },
      refers: {
        project_id: "Project",
        "spec.domains[*].zone": "Domain",
        "spec.vpc.id": "Vpc",
      },
      takes: fields(
        {
          spec: field("The app specification.", {
            type: "object",
            object: {
              properties: appSpec(),
              required: ["name"],
              // The API's description lacks members of the reference of app specifications, such as `envs`.
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
      state: {
        at: "/v2/apps/{id}/deployments?per_page=1",
        path: "deployments.0.phase",
        ready: ["ACTIVE"],
        fail: ["ERROR", "CANCELED"],
        since: "deployments.0.created_at",
        mendable: true,
      },
      name: { unique: "spec.name" },
      find: { by: "properties", properties: ["spec.name"], createdAt: "created_at" },
      timing: { pollMs: 5_000, createMinutes: 45, updateMinutes: 45 },
    },

    Kubernetes: {
      description: "A Kubernetes cluster, with the node pools that it is created with.",
      path: "/v2/kubernetes/clusters",
      ...envelope("kubernetes_cluster"),
      ...inRegion,
      refers: { vpc_uuid: "Vpc" },
      takes: fields(
        {
          name: label("The name."),
          region: choice("The region's slug."),
          version: choice(
            "The version's slug, or its beginning (`1.34`), or `latest`. The whole slug of a newer one upgrades the cluster.",
          ),
          node_pools: field(
            "The first node pools, as the cluster is created with them: use NodePool for what changes.",
            listOf(group(nodePool)),
          ),
          vpc_uuid: text("The id of its VPC."),
          cluster_subnet: address("The range of the pods' addresses."),
          service_subnet: address("The range of the services' addresses."),
          worker_subnet_uuid: text("The id of the workers' subnet."),
          tags: texts("Tags."),
          maintenance_policy: field(
            "When maintenance is done.",
            group({ start_time: aChoice, day: aChoice }),
          ),
          auto_upgrade: flag("Whether patch versions are installed by themselves."),
          surge_upgrade: flag("Whether upgrades add nodes first."),
          isolated_workers: flag("Whether the workers have no public addresses."),
          ha: flag("Whether the control plane is highly available."),
          control_plane_firewall: field(
            "Who may reach the control plane.",
            group({ enabled: aFlag, allowed_addresses: someAddresses }),
          ),
          cluster_autoscaler_configuration: field(
            "How the autoscaler scales down.",
            group({
              scale_down_utilization_threshold: { type: "number", names: "amount" },
              scale_down_unneeded_time: aLabel,
              expanders: listOf(oneOf("random", "priority", "least_waste")),
            }),
          ),
          // A user of a cluster reaches everything that its controllers do: volumes and load balancers of the account.
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
      name: { property: "name", rule: { maxLength: 63, letterFirst: true }, unique: true },
      update: "PUT",
      // A replacement would end everything that runs on the cluster.
      onlyAtCreate: {
        node_pools: "Pools that change are resources of the type digitalocean:NodePool.",
      },
      facts: {
        floating: ["version"],
        leaves: kubernetesLeftovers,
      },
      createOnly: [
        "region",
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
      state: {
        path: "status.state",
        ready: ["running"],
        fail: ["error", "deleted"],
        gone: ["deleted"],
      },
      find: byMark,
      delete: { asynchronous: true },
      timing: { pollMs: 10_000, createMinutes: 45, updateMinutes: 90, deleteMinutes: 30 },
    },

    NodePool: {
      description: "A node pool of a Kubernetes cluster.",
      path: "/v2/kubernetes/clusters/{cluster_id}/node_pools",
      ...envelope("node_pool"),
      ...unpaged,
      refers: { cluster_id: "Kubernetes" },
      takes: fields(
        {
          cluster_id: text("The id of its cluster."),
          name: label("The name."),
          size: choice("The slug of the nodes' size."),
          count: amount("How many nodes. With `auto_scale` name it in `ignoreChanges`."),
          tags: texts("Tags of the nodes."),
          labels: field("Kubernetes labels of the nodes.", someLabelled),
          taints: field("Kubernetes taints of the nodes.", nodePool.taints),
          auto_scale: flag("Whether the count is scaled by load."),
          min_nodes: amount("The smallest count when scaled."),
          max_nodes: amount("The largest count when scaled."),
        },
        ["cluster_id", "size", "count"],
      ),
      name: { property: "name", rule: { maxLength: 63, letterFirst: true }, unique: true },
      update: "PUT",
      createOnly: ["size"],
      writeOnly: ["tags"],
      compare: { sets: ["taints"] },
      find: byMark,
      delete: { asynchronous: true },
      timing: { pollMs: 10_000, deleteMinutes: 30 },
    },

    Registry: {
      description: "A container registry.",
      path: "/v2/registries",
      ...envelope("registry", "registries"),
      ...unpaged,
      ...inRegion,
      id: { at: "name" },
      // The account has one subscription, which every registry shares and can change.
      refers: { subscription_tier_slug: "any" },
      takes: fields(
        {
          name: label("The name, unique at DigitalOcean."),
          subscription_tier_slug: text("The tier.", "starter", "basic", "professional"),
          region: choice("The region's slug."),
        },
        ["subscription_tier_slug"],
      ),
      name: { property: "name", rule: { maxLength: 63 }, unique: true },
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
    },

    FunctionsNamespace: {
      description: "A namespace for functions.",
      path: "/v2/functions/namespaces",
      ...envelope("namespace"),
      ...unpaged,
      ...inRegion,
      id: { at: "namespace" },
      takes: fields({ label: label("The name."), region: choice("The region's slug.") }),
      outputs: ["id", "namespace", "uuid", "api_host", "key", "created_at", "updated_at"],
      name: { property: "label", rule: { maxLength: 63, letterFirst: true } },
      update: "none",
      secretOutputs: ["key"],
      find: { by: "properties", properties: ["label"], createdAt: "created_at" },
    },
  };
}
