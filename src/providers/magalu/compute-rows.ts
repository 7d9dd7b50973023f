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
} from "#providers/rest/fields.ts";
import {
  CLUSTERS,
  COMPUTE,
  foundBy,
  type MagaluType,
  paged,
  REGISTRIES,
  regional,
  SNAPSHOTS,
  VOLUMES,
} from "./place.ts";

const INSTANCE = `${COMPUTE}/instances/{id}`;
const VOLUME = `${VOLUMES}/{id}`;
const NODE_POOL = `${CLUSTERS}/{cluster_id}/node_pools/{id}`;

export function computeRows(): Readonly<Record<string, MagaluType>> {
  const anId = group({ id: aText }, ["id"]);
  const idOrName = group({ id: aText, name: aText });
  const volumes = { properties: ["volumes"], method: "POST", itemAt: "id" } as const;
  const subnets = field("Its subnets.", group({ subnet_ids: someTexts }, ["subnet_ids"]));
  const taints = listOf(
    group(
      {
        key: aText,
        value: aText,
        effect: oneOf("NoSchedule", "PreferNoSchedule", "NoExecute"),
      },
      ["key", "value", "effect"],
    ),
  );
  const autoScale = group({ min_replicas: aNumber, max_replicas: aNumber }, [
    "min_replicas",
    "max_replicas",
  ]);
  const snapshotState = {
    path: "status",
    ready: ["completed"],
    fail: ["creating_error", "creating_error_quota"],
    gone: ["deleted"],
    goneAt: "state",
  } as const;
  const zones = listOf(oneOf("a", "b", "c"));

  return {
    Vm: {
      description: "A virtual machine.",
      path: `${COMPUTE}/instances`,
      paths: { read: `${INSTANCE}?expand=network&expand=image&expand=machine-types` },
      apiVersion: "1.1",
      envelope: { list: "instances" },
      ...paged(50),
      refers: {
        "network.vpc.id": "Vpc",
        "network.interface.id": "Port",
        "network.interface.security_groups[*].id": "SecurityGroup",
        "network.interface.subnets[*].id": "Subnet",
        "volumes[*].id": "Volume",
        ssh_key_name: "any",
      },
      ...regional(
        {
          name: text("The name."),
          machine_type: field("The id or name of its type. A change resizes it.", idOrName),
          image: field("The id or name of its image.", idOrName),
          ssh_key_name: text("The name of the SSH key of the first user."),
          availability_zone: text("The zone, for example br-se1-a."),
          network: field(
            "Its network. `associate_public_ip` says whether it gets an address that is deleted with it.",
            group(
              {
                vpc: anId,
                interface: group({
                  id: aText,
                  security_groups: listOf(anId),
                  subnets: listOf(anId),
                }),
                associate_public_ip: aFlag,
              },
              ["associate_public_ip"],
            ),
          ),
          user_data: text("The cloud-init configuration or script of the first boot, in base64."),
          labels: texts("Labels."),
          volumes: field("The volumes that are attached to it.", listOf(anId)),
        },
        ["machine_type", "image", "network"],
      ),
      name: { property: "name", rule: { maxLength: 63, letterFirst: true } },
      update: "none",
      parts: [
        { properties: ["name"], method: "PATCH", path: `${INSTANCE}/rename` },
        { properties: ["machine_type"], method: "POST", path: `${INSTANCE}/retype` },
        { ...volumes, each: "removed", path: `${VOLUMES}/{item}/detach` },
        { ...volumes, each: "added", path: `${VOLUMES}/{item}/attach/{id}` },
      ],
      writeOnly: ["network.interface", "network.associate_public_ip", "user_data", "volumes"],
      compare: { sets: ["labels"] },
      state: {
        path: "status",
        ready: ["completed"],
        fail: [
          "creating_error",
          "creating_error_gpu",
          "creating_network_error",
          "creating_error_quota",
          "creating_error_quota_ram",
          "creating_error_quota_vcpu",
          "creating_error_quota_disk",
          "creating_error_quota_instance",
          "creating_error_quota_floating_ip",
          "creating_error_quota_network",
          "retyping_error",
          "retyping_error_quota",
          "retyping_error_quota_ram",
          "retyping_error_quota_vcpu",
        ],
        gone: ["deleted"],
        goneAt: "state",
      },
      ...foundBy("name"),
      delete: { asynchronous: true },
      timing: { createMinutes: 20, updateMinutes: 30, deleteMinutes: 15 },
    },

    Volume: {
      description: "A block storage volume. `volumes` of a Vm attaches it.",
      path: VOLUMES,
      paths: { read: `${VOLUME}?expand=volume_type&expand=attachment` },
      envelope: { list: "volumes" },
      ...paged(50),
      refers: { "snapshot.id": "VolumeSnapshot" },
      ...regional(
        {
          name: text("The name, unique in the region, of at least three characters."),
          size: whole("The size in GiB. It can grow, not shrink."),
          type: field("The id or name of its type.", idOrName),
          availability_zone: text("The zone, for example br-se1-a."),
          snapshot: field("The snapshot that it is made from.", anId),
          encrypted: flag("Whether it is encrypted."),
        },
        ["size", "type"],
      ),
      name: { property: "name", rule: { maxLength: 50, letterFirst: true }, unique: true },
      update: "none",
      parts: [
        { properties: ["name"], method: "PATCH", path: `${VOLUME}/rename` },
        { properties: ["size"], method: "POST", path: `${VOLUME}/extend` },
        {
          properties: ["type"],
          method: "POST",
          path: `${VOLUME}/retype`,
          body: { new_type: "{type}" },
        },
      ],
      writeOnly: ["snapshot"],
      state: {
        path: "status",
        ready: ["completed"],
        fail: [
          "creating_error",
          "creating_error_quota",
          "extend_error",
          "extend_error_quota",
          "retype_error",
          "retype_error_quota",
        ],
        gone: ["deleted"],
        goneAt: "state",
      },
      ...foundBy("name"),
      delete: { asynchronous: true },
    },

    VmSnapshot: {
      description: "A snapshot of a virtual machine, which outlives it.",
      path: `${COMPUTE}/snapshots`,
      apiVersion: "1.1",
      envelope: { list: "snapshots" },
      ...paged(50),
      refers: { "instance.id": "Vm" },
      ...regional(
        {
          name: text("The name."),
          instance: field("The id of the machine.", anId),
        },
        ["instance"],
      ),
      name: { property: "name", rule: { maxLength: 50, letterFirst: true } },
      update: "none",
      parts: [{ properties: ["name"], method: "PATCH", path: `${COMPUTE}/snapshots/{id}/rename` }],
      state: snapshotState,
      ...foundBy("name"),
      delete: { asynchronous: true },
      timing: { pollMs: 10_000, createMinutes: 60, deleteMinutes: 15 },
    },

    VolumeSnapshot: {
      description: "A snapshot of a volume, which outlives it.",
      path: SNAPSHOTS,
      envelope: { list: "snapshots" },
      ...paged(50),
      refers: { "volume.id": "Volume" },
      ...regional(
        {
          name: text("The name, of at least three characters."),
          description: text("A description."),
          volume: field("The id of the volume.", anId),
          type: text(
            "Where it is kept: beside the volume, or in object storage.",
            "instant",
            "object",
          ),
        },
        ["description", "volume"],
      ),
      name: { property: "name", rule: { maxLength: 50, letterFirst: true } },
      update: "none",
      parts: [{ properties: ["name"], method: "PATCH", path: `${SNAPSHOTS}/{id}/rename` }],
      state: snapshotState,
      ...foundBy("name"),
      delete: { asynchronous: true },
      timing: { pollMs: 10_000, createMinutes: 60, deleteMinutes: 15 },
    },

    // The account's, in every region.
    SshKey: {
      description: "A public SSH key of the account. A Vm names it by its name.",
      path: "/profile/v0/ssh-keys",
      envelope: { list: "results" },
      ...paged(50),
      takes: fields(
        {
          name: text("The name, unique in the account."),
          key: text("The public key, as in `authorized_keys`."),
        },
        ["key"],
      ),
      name: { property: "name", rule: { maxLength: 45 }, unique: true },
      read: { back: true },
      update: "none",
      // It does not say when it was made: an equal one proves nothing, unless the engine chose its name.
      ...foundBy("name", "key"),
    },

    Kubernetes: {
      description: "A Kubernetes cluster, with the node pools that it is created with.",
      path: CLUSTERS,
      envelope: { list: "results" },
      refers: {
        "network.subnet_ids[*]": "Subnet",
        "node_pools[*].network.subnet_ids[*]": "Subnet",
      },
      ...regional({
        name: text("The name, unique in the region."),
        version: text("The version, for example v1.32.3. A newer one upgrades the cluster."),
        description: text("A description."),
        node_pools: field(
          "The first node pools, as the cluster is created with them: use NodePool for what changes.",
          listOf(
            group(
              {
                name: aText,
                flavor: aText,
                replicas: aNumber,
                tags: someTexts,
                labels: aMap,
                taints,
                auto_scale: autoScale,
                max_pods_per_node: aNumber,
                availability_zones: zones,
                network: group({ subnet_ids: someTexts }, ["subnet_ids"]),
              },
              ["name", "flavor", "replicas"],
            ),
          ),
        ),
        enabled_server_group: flag("Whether nodes are kept on different hosts."),
        allowed_cidrs: texts("Who may reach the control plane."),
        cluster_ipv4_cidr: text("The range of the pods' addresses."),
        services_ipv4_cidr: text("The range of the services' addresses."),
        network: subnets,
      }),
      name: { property: "name", rule: { maxLength: 63, letterFirst: true }, unique: true },
      update: "none",
      // A replacement would end everything that runs on the cluster.
      onlyAtCreate: {
        node_pools: "Pools that change are resources of the type magalu:NodePool.",
      },
      parts: [
        { properties: ["version"], method: "PATCH", path: `${CLUSTERS}/{id}`, absent: "keep" },
        {
          properties: ["description"],
          method: "PATCH",
          path: `${CLUSTERS}/{id}`,
          absent: { description: "" },
        },
        { properties: ["allowed_cidrs"], method: "PATCH", path: `${CLUSTERS}/{id}` },
      ],
      // It shows every pool, those of NodePool included.
      writeOnly: ["node_pools", "enabled_server_group", "network"],
      state: { path: "status.state", ready: ["Running", "Provisioned"], fail: ["Failed"] },
      ...foundBy("name"),
      delete: { asynchronous: true },
      timing: { pollMs: 10_000, createMinutes: 60, updateMinutes: 90, deleteMinutes: 60 },
    },

    NodePool: {
      description: "A node pool of a Kubernetes cluster.",
      path: `${CLUSTERS}/{cluster_id}/node_pools`,
      paths: {
        // The only list that says when they were made.
        list: `${CLUSTERS}/{cluster_id}`,
      },
      envelope: { list: "node_pools" },
      refers: { cluster_id: "Kubernetes", "network.subnet_ids[*]": "Subnet" },
      ...regional(
        {
          cluster_id: text("The id of its cluster."),
          name: text("The name, unique in the cluster."),
          flavor: text("The name of the nodes' type."),
          replicas: whole("How many nodes. With `auto_scale` name it in `ignoreChanges`."),
          tags: texts("Tags of the nodes."),
          labels: field("Kubernetes labels of the nodes.", aMap),
          taints: field("Kubernetes taints of the nodes.", taints),
          auto_scale: field("Between which counts it is scaled by load.", autoScale),
          max_pods_per_node: whole("How many pods a node takes."),
          availability_zones: field("The zones of the nodes, each a letter.", zones),
          network: subnets,
        },
        ["cluster_id", "flavor", "replicas"],
      ),
      name: { property: "name", rule: { maxLength: 63, letterFirst: true }, unique: true },
      update: "none",
      parts: [
        {
          properties: ["replicas", "auto_scale"],
          method: "PATCH",
          path: NODE_POOL,
          absent: "keep",
        },
        { properties: ["flavor"], method: "PATCH", path: NODE_POOL },
      ],
      writeOnly: ["labels", "network"],
      compare: { at: { flavor: "instance_template.flavor.name" } },
      state: { path: "status.state", ready: ["Running"], fail: ["Failed"] },
      ...foundBy("name"),
      delete: { asynchronous: true },
      timing: { pollMs: 10_000, createMinutes: 45, updateMinutes: 45, deleteMinutes: 45 },
    },

    Registry: {
      description: "A container registry.",
      path: REGISTRIES,
      envelope: { list: "results" },
      ...paged(50),
      refers: { proxy_cache_id: "any" },
      ...regional({
        name: text("The name: lowercase letters and digits, unique at Magalu."),
        proxy_cache_id: text("The id of the proxy cache that it fills itself from."),
      }),
      name: {
        property: "name",
        rule: { maxLength: 45, alphabet: "alphanumeric", letterFirst: true },
        unique: true,
      },
      update: "none",
      ...foundBy("name"),
    },
  };
}
