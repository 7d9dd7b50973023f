import {
  aFlag,
  aMap,
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
const base64 = { type: "string", pattern: "^[A-Za-z0-9+/]*={0,2}$" };

/** What both kinds of machines start with. */
const start = {
  "region!": aText,
  "plan!": aText,
  os_id: anInteger,
  app_id: anInteger,
  image_id: aText,
  snapshot_id: aText,
  script_id: aText,
  ipxe_chain_url: aText,
  sshkey_id: someTexts,
  user_data: base64,
  user_scheme: choice("root", "limited"),
  app_variables: aMap,
  label: aText,
  hostname: aText,
  activation_email: aFlag,
  reserved_ipv4: aText,
  enable_ipv6: aFlag,
  tags: someTexts,
};

const shownMachine = {
  "id!": aUuid,
  "date_created!": aTime,
  region: aText,
  plan: aText,
  os: aText,
  os_id: anInteger,
  app_id: anInteger,
  image_id: aText,
  label: aText,
  main_ip: aText,
  netmask_v4: aText,
  gateway_v4: aText,
  v6_main_ip: aText,
  v6_network: aText,
  v6_network_size: anInteger,
  default_password: aText,
  status: choice("pending", "active", "suspended", "resizing"),
  tags: someTexts,
};

const instance = object({
  ...shownMachine,
  hostname: aText,
  ram: anInteger,
  disk: anInteger,
  vcpu_count: anInteger,
  allowed_bandwidth: anInteger,
  power_status: choice("running", "stopped"),
  server_status: choice("none", "locked", "installingbooting", "ok"),
  internal_ip: aText,
  kvm: aText,
  firewall_group_id: aText,
  features: someTexts,
});

const metal = object({
  ...shownMachine,
  ram: aText,
  disk: aText,
  cpu_count: anInteger,
  mac_address: anInteger,
});

const taint = object({
  key: aText,
  value: aText,
  effect: choice("NoSchedule", "PreferNoSchedule", "NoExecute"),
});

const scaled = {
  tag: aText,
  auto_scaler: aFlag,
  min_nodes: anInteger,
  max_nodes: anInteger,
  labels: aMap,
  taints: listOf(taint),
};

const pool = object({ "node_quantity!": anInteger, "label!": aText, "plan!": aText, ...scaled });

const shownPool = object({
  "id!": aUuid,
  "date_created!": aTime,
  label: aText,
  plan: aText,
  node_quantity: anInteger,
  ...scaled,
  status: aText,
  nodes: listOf(aMap),
});

const CLUSTERS = "/v2/kubernetes/clusters";

export const computeCollections: readonly WrittenCollection[] = [
  {
    path: "/v2/instances",
    param: "instance-id",
    one: "instance",
    many: "instances",
    shown: instance,
    create: object({
      ...start,
      iso_id: aText,
      disable_public_ipv4: aFlag,
      attach_vpc: someTexts,
      enable_vpc: aFlag,
      vpc_only: aFlag,
      backups: choice("enabled", "disabled"),
      ddos_protection: aFlag,
      firewall_group_id: aText,
    }),
    created: 202,
    update: {
      method: "patch",
      body: object({
        plan: aText,
        label: aText,
        tags: someTexts,
        firewall_group_id: aText,
        backups: choice("enabled", "disabled"),
        enable_ipv6: aFlag,
        ddos_protection: aFlag,
        user_data: base64,
      }),
      status: 202,
    },
    paged: "cursor",
    filters: ["tag", "label", "main_ip", "region"],
  },
  {
    path: "/v2/bare-metals",
    param: "baremetal-id",
    one: "bare_metal",
    many: "bare_metals",
    shown: metal,
    create: object({ ...start, persistent_pxe: aFlag }),
    created: 202,
    update: {
      method: "patch",
      body: object({ label: aText, tags: someTexts, user_data: base64 }),
      status: 202,
    },
    paged: "cursor",
  },
  {
    path: "/v2/ssh-keys",
    param: "ssh-key-id",
    one: "ssh_key",
    many: "ssh_keys",
    shown: object({ "id!": aUuid, "date_created!": aTime, name: aText, ssh_key: aText }),
    create: object({ "name!": aText, "ssh_key!": aText }),
    update: { method: "patch", body: object({ name: aText, ssh_key: aText }), status: 204 },
    paged: "cursor",
  },
  {
    path: "/v2/snapshots",
    param: "snapshot-id",
    one: "snapshot",
    many: "snapshots",
    shown: object({
      "id!": aUuid,
      "date_created!": aTime,
      description: aText,
      size: anInteger,
      status: choice("pending", "complete", "deleted"),
      os_id: anInteger,
      app_id: anInteger,
    }),
    create: object({ "instance_id!": aText, description: aText }),
    update: { method: "put", body: object({ "description!": aText }), status: 204 },
    paged: "cursor",
    filters: ["description"],
  },
  {
    path: "/v2/startup-scripts",
    param: "startup-id",
    one: "startup_script",
    many: "startup_scripts",
    shown: object({
      "id!": aUuid,
      "date_created!": aTime,
      name: aText,
      type: choice("boot", "pxe"),
      script: base64,
    }),
    create: object({ "name!": aText, type: choice("boot", "pxe"), "script!": base64 }),
    update: { method: "patch", body: object({ name: aText, script: base64 }), status: 204 },
    paged: "cursor",
  },
  {
    path: CLUSTERS,
    param: "vke-id",
    one: "vke_cluster",
    many: "vke_clusters",
    shown: object({
      "id!": aUuid,
      "date_created!": aTime,
      label: aText,
      region: aText,
      version: aText,
      status: aText,
      ip: aText,
      endpoint: aText,
      cluster_subnet: aText,
      service_subnet: aText,
      ha_controlplanes: aFlag,
      node_pools: listOf(aMap),
    }),
    create: object({
      label: aText,
      "region!": aText,
      "version!": aText,
      node_pools: listOf(pool),
      vpc_id: aText,
      ha_controlplanes: aFlag,
      enable_firewall: aFlag,
    }),
    update: { method: "put", body: object({ "label!": aText }), status: 204 },
  },
  {
    path: `${CLUSTERS}/{vke-id}/node-pools`,
    param: "nodepool-id",
    one: "node_pool",
    many: "node_pools",
    shown: shownPool,
    create: pool,
    update: {
      method: "patch",
      body: object({ node_quantity: anInteger, ...scaled }),
      status: 202,
    },
  },
];

export const computeCalls: readonly WrittenCall[] = [
  {
    method: "get",
    path: "/v2/account",
    status: 200,
    answer: object({
      "account!": object({ "name!": aText, "email!": aText, acls: someTexts }),
    }),
  },
  ...["attach", "detach"].map((verb): WrittenCall => ({
    method: "post",
    path: `/v2/instances/{instance-id}/vpcs/${verb}`,
    body: object({ "vpc_id!": aText }),
    status: 204,
  })),
  {
    method: "get",
    path: `${CLUSTERS}/{vke-id}/config`,
    status: 200,
    answer: object({ "kube_config!": aText }),
  },
  {
    method: "post",
    path: `${CLUSTERS}/{vke-id}/upgrades`,
    body: object({ "upgrade_version!": aText }),
    status: 202,
  },
];
