/** What Magalu's description does not say: how its objects look, wait, conflict and depend on each other. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type {
  Action,
  ActionCall,
  CollectionRules,
  FakeObject,
  FakeRules,
  FakeWorld,
  Refusal,
} from "#test/support/fake-cloud/rules.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";

const INSTANCES = "/{region}/compute/v1/instances";
const VOLUMES = "/{region}/volume/v1/volumes";
const VM_SNAPSHOTS = "/{region}/compute/v1/snapshots";
const SNAPSHOTS = "/{region}/volume/v1/snapshots";
const NETWORK = "/{region}/network";
const DATABASE = "/{region}/database/v2";
const CLUSTERS = "/{region}/kubernetes/v0/clusters";
const POOLS = `${CLUSTERS}/{cluster_id}/node_pools`;
const BALANCERS = "/{region}/load-balancer/v0beta1/network-load-balancers";

const VPCS = `${NETWORK}/v1/vpcs`;
const SUBNETS = `${NETWORK}/v0/vpcs/{vpc_id}/subnets`;
const GROUPS = `${NETWORK}/v0/security_groups`;
const RULES = `${GROUPS}/{security_group_id}/rules`;
const PORTS = `${NETWORK}/v0/vpcs/{vpc_id}/ports`;
const PUBLIC_IPS = `${NETWORK}/v0/vpcs/{vpc_id}/public_ips`;

const TENANT = "3f0c8f0e-tenant";
/** Every tenant has it in every region from the start. */
const defaultGroup: JsonMap = {
  id: "default-group",
  name: "default",
  status: "created",
  tenant_id: TENANT,
  rules: [],
  ports: [],
};

const refusal = (status: number, code: string, message: string): Refusal => ({
  status,
  code,
  message,
});
const conflict = (message: string): Refusal => refusal(409, "conflict", message);
const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : [];

type Listed = NonNullable<CollectionRules["listed"]>;

const shownOf = (items: readonly FakeObject[]): Json[] => items.map(({ shown }) => shown);

/** Items are counted from the offset. `many`: the key that a list has them under. */
const byOffset =
  (many: string): Listed =>
  (items, { searchParams }) => {
    const offset = Number(searchParams.get("_offset") ?? 0);
    const limit = Number(searchParams.get("_limit") ?? 10);
    const page = items.slice(offset, offset + limit);
    const meta = { offset, limit, count: page.length, total: items.length, max_limit: 1000 };
    const links = { self: "/", next: "", previous: "" };
    return { [many]: shownOf(page), meta: { page: meta, links, filters: [] } };
  };

/** Pages are counted from one. `more`: what stands beside them, for a page of so many. */
const byPage =
  (
    many: string,
    { page: query, size }: { page: string; size: string },
    more: (page: JsonMap) => JsonMap = () => ({}),
  ): Listed =>
  (items, { searchParams }) => {
    const limit = Number(searchParams.get(size) ?? 10);
    const offset = (Number(searchParams.get(query) ?? 1) - 1) * limit;
    const page = items.slice(offset, offset + limit);
    const counts = { offset, limit, count: page.length, total: items.length };
    return { [many]: shownOf(page), ...more(counts) };
  };

/** A create answers these properties alone. */
const told =
  (...names: readonly string[]): NonNullable<CollectionRules["created"]> =>
  (shown) =>
    Object.fromEntries(names.map((name) => [name, shown[name] ?? null]));

const brief = { created: told("id") };
const stated = { from: "pending", to: "created", failed: "error", path: "status" } as const;

/** Why an object cannot go while those in the collections name it at a path. */
const keptBy =
  (...uses: readonly (readonly [string, (object: FakeObject) => readonly Json[]])[]) =>
  ({ key }: FakeObject, world: FakeWorld): Refusal | undefined =>
    uses.some(([path, named]) => world.objects(path).some((one) => named(one).includes(key)))
      ? conflict("The object is in use.")
      : undefined;

const ofVpc = ({ params, shown }: FakeObject): Json[] => [
  params["vpc_id"] ?? "",
  shown["vpc_id"] ?? "",
];

function nic(sent: JsonMap, world: FakeWorld): JsonMap {
  const wanted = isJsonMap(sent["network"]) ? sent["network"] : {};
  const one = isJsonMap(wanted["interface"]) ? wanted["interface"] : {};
  const vpc = isJsonMap(wanted["vpc"]) ? { ...wanted["vpc"], name: "net" } : null;
  return {
    vpc,
    interfaces: [
      {
        id: one["id"] ?? world.newId(),
        name: "first",
        primary: true,
        security_groups: [],
        ip_addresses: { private_ipv4: "172.26.1.10", public_ipv6: null },
        associated_public_ipv4: wanted["associate_public_ip"] === true ? "203.0.113.10" : null,
      },
    ],
  };
}

const database: CollectionRules = {
  ...brief,
  listed: byOffset("results"),
  slowDelete: true,
  states: { path: "status", from: "CREATING", to: "ACTIVE", failed: "ERROR" },
  show: (sent, world) => ({
    user: undefined,
    password: undefined,
    ...(isJsonMap(sent["volume"]) && {
      volume: { type: "CLOUD_NVME15K", encrypted: false, ...sent["volume"] },
      addresses: [
        { access: "PRIVATE", type: "IPv4", address: "172.26.1.20", purpose: "READ_WRITE" },
      ],
      parameter_group_id: sent["parameter_group_id"] ?? world.newId(),
      deletion_protected: sent["deletion_protected"] ?? false,
      backup_retention_days: sent["backup_retention_days"] ?? 7,
      backup_start_at: sent["backup_start_at"] ?? "04:00:00",
    }),
  }),
  keeps: ({ shown }) =>
    shown["deletion_protected"] === true ? conflict("The database is protected.") : undefined,
};

const collections: Readonly<Record<string, CollectionRules>> = {
  [VPCS]: {
    itemPath: `${NETWORK}/v0/vpcs/{id}`,
    listPath: `${NETWORK}/v0/vpcs`,
    listed: (items) => ({ vpcs: shownOf(items) }),
    created: told("id", "status"),
    states: stated,
    show: () => ({ tenant_id: TENANT, is_default: false, subnets: [], security_groups: [] }),
    keeps: keptBy([SUBNETS, ofVpc], [PORTS, ofVpc], [PUBLIC_IPS, ofVpc]),
  },
  [SUBNETS]: {
    ...brief,
    itemPath: `${NETWORK}/v0/subnets/{subnet_id}`,
    show: (sent) => ({
      ...(sent["ip_version"] !== undefined && { ip_version: `IPv${textOf(sent["ip_version"])}` }),
      gateway_ip: "172.26.1.1",
      dhcp_pools: [],
      dns_nameservers: sent["dns_nameservers"] ?? [],
    }),
    keeps: keptBy([
      PORTS,
      ({ shown }) =>
        (Array.isArray(shown["ip_address"]) ? shown["ip_address"] : []).flatMap((one) =>
          isJsonMap(one) ? [one["subnet_id"] ?? ""] : [],
        ),
    ]),
  },
  [`${NETWORK}/v0/subnetpools`]: {
    ...brief,
    listed: byOffset("results"),
    show: () => ({
      tenant_id: TENANT,
      is_default: false,
      ip_version: 4,
      created_at: "2026-01-01T00:00:00Z",
    }),
  },
  [GROUPS]: {
    ...brief,
    states: stated,
    owns: [{ collection: RULES, param: "security_group_id" }],
    show: () => ({ tenant_id: TENANT, rules: [], ports: [] }),
    listed: (items) => ({ security_groups: [defaultGroup, ...shownOf(items)] }),
    keeps: keptBy([PORTS, ({ shown }) => texts(shown["security_groups"])]),
  },
  [RULES]: { ...brief, itemPath: `${NETWORK}/v0/rules/{rule_id}`, states: stated },
  [PORTS]: {
    ...brief,
    itemPath: `${NETWORK}/v0/ports/{port_id}`,
    listed: byPage("ports", { page: "_offset", size: "_limit" }),
    show: (sent) => ({
      ...(sent["name"] !== undefined && {
        security_groups: sent["security_groups_id"] ?? [],
        public_ip: [],
        ip_address: texts(sent["subnets"]).map((subnet_id) => ({
          subnet_id,
          ip_address: "172.26.1.5",
          ethertype: "IPv4",
        })),
      }),
    }),
    keeps: keptBy([PUBLIC_IPS, ({ shown }) => [shown["port_id"] ?? ""]]),
  },
  [PUBLIC_IPS]: {
    ...brief,
    itemPath: `${NETWORK}/v0/public_ips/{public_ip_id}`,
    show: () => ({ tenant_id: TENANT, public_ip: "203.0.113.5", status: "created" }),
    keeps: ({ shown }) =>
      shown["port_id"] === undefined ? undefined : conflict("The address is attached to a port."),
  },
  [`${NETWORK}/v1/nat_gateways`]: {
    created: told("id", "status"),
    listed: byPage("result", { page: "page", size: "items_per_page" }, (page) => ({
      meta: { page: { ...page, max_items_per_page: 100 }, links: { self: "/" } },
    })),
    slowDelete: true,
    states: stated,
    show: () => ({ availability_zone: "br-se1-a", nat_gateway_ip: "203.0.113.6" }),
  },
  [BALANCERS]: {
    ...brief,
    listed: byOffset("results"),
    slowDelete: true,
    states: { path: "status", from: "creating", to: "running", failed: "failed" },
    show: (sent, world) => {
      const isNew = sent["visibility"] !== undefined;
      const withIds = (
        name: string,
        { hidden = [], more = {} }: { hidden?: readonly string[]; more?: JsonMap } = {},
      ): JsonMap => {
        const list = sent[name];
        if (!Array.isArray(list)) return isNew ? { [name]: [] } : {};
        const shown = list.map((one) => {
          const kept = Object.entries(isJsonMap(one) ? one : {}).filter(
            ([key]) => !hidden.includes(key),
          );
          const shownOne: JsonMap = Object.fromEntries(kept);
          const { targets } = shownOne;
          if (Array.isArray(targets))
            shownOne["targets"] = targets.map((target) => ({
              id: world.newId(),
              ...times(world),
              ...(isJsonMap(target) ? target : {}),
            }));
          return { id: world.newId(), ...times(world), ...more, ...shownOne };
        });
        return { [name]: shown };
      };
      return {
        ...withIds("listeners", {
          hidden: ["backend_name", "tls_certificate_name"],
          more: { backend_id: "backend-1", tls_certificate_id: null },
        }),
        ...withIds("backends", {
          hidden: ["health_check_name"],
          more: {
            health_check_id: null,
            close_connections_on_host_health_failure: false,
          },
        }),
        ...withIds("health_checks"),
        ...withIds("tls_certificates", { hidden: ["certificate", "private_key"] }),
        ...withIds("acls"),
        ...(isNew && { type: "proxy" }),
        ...(sent["public_ip_id"] !== undefined && {
          public_ip: { id: sent["public_ip_id"], ip_address: "203.0.113.7", external_id: "e" },
        }),
      };
    },
  },
  [INSTANCES]: {
    ...brief,
    listed: byOffset("instances"),
    slowDelete: true,
    states: { path: "status", from: "creating", to: "completed", failed: "creating_error" },
    show: (sent, world) => ({
      state: "running",
      volumes: undefined,
      user_data: undefined,
      ...(sent["network"] !== undefined && { network: nic(sent, world) }),
    }),
    refuses: (sent, world) => {
      if (volumesOf(sent, world).some((volume) => volume?.shown["state"] !== "available"))
        return refusal(400, "invalid_volume", "The volume is not available.");
      const [port = ""] = portsOf(nic(sent, world));
      return isPort(sent) && world.at(PORTS, port) === undefined
        ? refusal(404, "not_found", "The network interface was not found.")
        : undefined;
    },
    made: ({ key }, sent, world) => {
      for (const volume of volumesOf(sent, world)) if (volume) attachVolume(volume, key, world);
    },
    // It takes its ports along, and lets go of its volumes.
    gone: ({ key, shown }, world) => {
      for (const volume of world.objects(VOLUMES))
        if (machineOf(volume) === key) detachVolume(volume);
      const ports = portsOf(isJsonMap(shown["network"]) ? shown["network"] : {});
      for (const port of world.objects(PORTS)) if (ports.includes(port.key)) port.deletedMs = 0;
    },
  },
  [VOLUMES]: {
    ...brief,
    listed: byOffset("volumes"),
    unique: ["name"],
    slowDelete: true,
    states: { path: "status", from: "creating", to: "completed", failed: "creating_error" },
    show: (sent, world) => ({
      state: "available",
      ...(isJsonMap(sent["type"]) && { type: volumeType(sent["type"], world) }),
      availability_zone: sent["availability_zone"] ?? "br-se1-a",
    }),
    keeps: (volume) =>
      machineOf(volume) === undefined ? undefined : conflict("The volume is attached."),
  },
  [VM_SNAPSHOTS]: {
    ...brief,
    listed: byOffset("snapshots"),
    slowDelete: true,
    states: { path: "status", from: "creating", to: "completed", failed: "creating_error" },
    show: () => ({ state: "available", size: 40 }),
  },
  [SNAPSHOTS]: {
    ...brief,
    listed: byOffset("snapshots"),
    slowDelete: true,
    states: { path: "status", from: "creating", to: "completed", failed: "creating_error" },
    show: (sent) => ({
      state: "available",
      size: 10,
      availability_zones: ["br-se1-a"],
      type: sent["type"] ?? "instant",
      creation_type: "manual",
    }),
  },
  [CLUSTERS]: {
    created: told("id", "name", "status"),
    unique: ["name"],
    slowDelete: true,
    states: { path: "status.state", from: "Provisioning", to: "Running", failed: "Failed" },
    owns: [{ collection: POOLS, param: "cluster_id" }],
    show: () => ({ node_pools: undefined, network: { vpc_id: "vpc", subnets: [] } }),
  },
  [POOLS]: {
    slowDelete: true,
    unique: ["name"],
    states: { path: "status.state", from: "Pending", to: "Running", failed: "Failed" },
    show: (sent) => ({
      network: { vpc_id: "vpc", subnets: [] },
      ...(sent["flavor"] !== undefined && {
        instance_template: {
          flavor: { name: sent["flavor"], id: "f", vcpu: 2, ram: 4, size: 40 },
          node_image: "image",
          disk_size: 40,
          disk_type: "nvme",
        },
      }),
      ...(sent["name"] !== undefined && {
        labels: isJsonMap(sent["labels"]) ? sent["labels"] : {},
        taints: sent["taints"] ?? [],
        auto_scale: sent["auto_scale"] ?? { min_replicas: 1, max_replicas: 1 },
      }),
    }),
  },
  "/profile/v0/ssh-keys": {
    ...brief,
    listed: byOffset("results"),
    unique: ["name"],
    show: () => ({ key_type: "ssh-ed25519" }),
  },
  "/{region}/container-registry/v0/registries": {
    created: told("id", "name"),
    listed: byOffset("results"),
    unique: ["name"],
  },
  [`${DATABASE}/instances`]: {
    ...database,
    show: (sent, ...more) => ({
      ...database.show?.(sent, ...more),
      ...(sent["name"] !== undefined && {
        availability_zone: sent["availability_zone"] ?? "br-se1-a",
      }),
    }),
    keeps: (object, world) =>
      database.keeps?.(object, world) ??
      keptBy([`${DATABASE}/replicas`, ({ shown }) => [shown["source_id"] ?? ""]])(object, world),
  },
  [`${DATABASE}/clusters`]: database,
  [`${DATABASE}/replicas`]: {
    ...brief,
    listed: byOffset("results"),
    slowDelete: true,
    states: { path: "status", from: "CREATING", to: "ACTIVE", failed: "ERROR" },
    show: () => ({ addresses: [{ access: "PRIVATE", type: "IPv4", address: "172.26.1.21" }] }),
  },
  [`${DATABASE}/parameter-groups`]: { ...brief, listed: byOffset("results") },
};

function volumeType(sent: JsonMap, world: FakeWorld): JsonMap {
  const iops = { read: 1000, write: 1000, total: 2000 };
  return { id: world.newId(), name: "type", disk_type: "nvme", status: "active", iops, ...sent };
}

function times(world: FakeWorld): JsonMap {
  const now = new Date(world.now()).toISOString();
  return { created_at: now, updated_at: now };
}

function at(collection: string, param = "id"): Action["of"] {
  return ({ params, world }: ActionCall) => {
    const { region = "" } = params;
    return world.at(collection, params[param] ?? "", { region });
  };
}

/** A call that changes what the object shows. */
function change(
  of: Action["of"],
  status: number,
  apply: (call: ActionCall, object: FakeObject) => Refusal | undefined,
  answers: "object" | "empty" | "nothing" = status === 204 ? "nothing" : "object",
): Action {
  return {
    verb: "update",
    of,
    run: (call, object) => {
      const refused = apply(call, object);
      if (refused !== undefined) return refused;
      if (answers === "nothing") return { status };
      return { status, body: answers === "empty" ? {} : object.shown };
    },
  };
}

const set =
  (...names: readonly string[]) =>
  ({ body }: ActionCall, { shown }: FakeObject): undefined => {
    for (const name of names) if (body[name] !== undefined) shown[name] = body[name];
  };

/** The volumes that a new machine names. */
function volumesOf({ volumes }: JsonMap, world: FakeWorld): (FakeObject | undefined)[] {
  const named = Array.isArray(volumes) ? volumes.filter(isJsonMap) : [];
  return named.map(({ id }) => world.at(VOLUMES, textOf(id), { region: "br-se1" }));
}

/** Whether a new machine names the port that it gets. */
function isPort({ network }: JsonMap): boolean {
  const one = isJsonMap(network) ? network["interface"] : undefined;
  return isJsonMap(one) && one["id"] !== undefined;
}

function portsOf({ interfaces }: JsonMap): string[] {
  return (Array.isArray(interfaces) ? interfaces : []).flatMap((one) =>
    isJsonMap(one) ? [textOf(one["id"])] : [],
  );
}

function attachVolume({ shown }: FakeObject, machine: string, world: FakeWorld): void {
  const instance = { id: machine, name: "vm", status: "completed", state: "running" };
  shown["state"] = "in-use";
  shown["attachment"] = {
    instance: { ...instance, ...times(world) },
    attached_at: new Date(world.now()).toISOString(),
    device: null,
  };
}

function detachVolume({ shown }: FakeObject): void {
  shown["state"] = "available";
  delete shown["attachment"];
}

/** The machine that a volume is attached to. */
function machineOf({ shown: { attachment } }: FakeObject): string | undefined {
  const instance = isJsonMap(attachment) ? attachment["instance"] : undefined;
  return isJsonMap(instance) ? textOf(instance["id"]) : undefined;
}

/** A volume changes while it is free. */
const whileFree =
  (apply: (call: ActionCall, object: FakeObject) => Refusal | undefined) =>
  (call: ActionCall, object: FakeObject): Refusal | undefined =>
    object.shown["state"] === "in-use"
      ? refusal(422, "invalid", 'The volume\'s state must be "available".')
      : apply(call, object);

const resize = ({ body }: ActionCall, { shown }: FakeObject): Refusal | undefined => {
  if (shown["status"] !== "ACTIVE") return refusal(409, "conflict", "A change is in progress.");
  const { instance_type_id: type, volume } = body;
  if (type !== undefined) shown["instance_type_id"] = type;
  const before = isJsonMap(shown["volume"]) ? shown["volume"] : {};
  if (isJsonMap(volume)) {
    if (Number(volume["size"]) < Number(before["size"]))
      return refusal(422, "invalid", "Storage cannot shrink.");
    shown["volume"] = { ...before, ...volume };
  }
  return undefined;
};

const aPort = at(PORTS, "port_id");
const anAddress = at(PUBLIC_IPS, "public_ip_id");
const aVolume = at(VOLUMES);

/** The address at a port shows its port, and the port shows it. */
const attachAddress = (call: ActionCall, object: FakeObject): Refusal | undefined => {
  if (object.shown["port_id"] !== undefined) return conflict("The address is attached already.");
  const port = aPort(call);
  if (port === undefined) return refusal(404, "not_found", "There is no such port.");
  object.shown["port_id"] = port.key;
  return undefined;
};

const actions: Readonly<Record<string, Action>> = {
  [`POST ${NETWORK}/v0/ports/{port_id}/attach/{security_group_id}`]: change(
    aPort,
    200,
    ({ params }, { shown }) => {
      const { security_group_id: group = "" } = params;
      shown["security_groups"] = [...texts(shown["security_groups"]), group];
      return undefined;
    },
    "nothing",
  ),
  [`POST ${NETWORK}/v0/ports/{port_id}/detach/{security_group_id}`]: change(
    aPort,
    200,
    ({ params }, { shown }) => {
      const { security_group_id: group } = params;
      shown["security_groups"] = texts(shown["security_groups"]).filter((one) => one !== group);
      return undefined;
    },
    "nothing",
  ),
  [`POST ${NETWORK}/v0/public_ips/{public_ip_id}/attach/{port_id}`]: change(
    anAddress,
    200,
    attachAddress,
    "nothing",
  ),
  [`POST ${NETWORK}/v0/public_ips/{public_ip_id}/detach/{port_id}`]: change(
    anAddress,
    200,
    ({ params }, { shown }) => {
      if (shown["port_id"] !== params["port_id"]) return conflict("It is attached elsewhere.");
      delete shown["port_id"];
      return undefined;
    },
    "nothing",
  ),
  [`PATCH ${NETWORK}/v0/subnets/{subnet_id}`]: change(
    at(SUBNETS, "subnet_id"),
    200,
    set("dns_nameservers"),
  ),
  [`PUT ${BALANCERS}/{load_balancer_id}/acls`]: change(
    at(BALANCERS, "load_balancer_id"),
    200,
    ({ body, world }, { shown }) => {
      const acls = Array.isArray(body["acls"]) ? body["acls"] : [];
      shown["acls"] = acls.map((one) => ({ id: world.newId(), ...(isJsonMap(one) ? one : {}) }));
      return undefined;
    },
    "empty",
  ),
  [`PATCH ${INSTANCES}/{id}/rename`]: change(at(INSTANCES), 204, set("name")),
  [`POST ${INSTANCES}/{id}/retype`]: change(at(INSTANCES), 204, set("machine_type")),
  [`PATCH ${VM_SNAPSHOTS}/{id}/rename`]: change(at(VM_SNAPSHOTS), 204, set("name")),
  [`PATCH ${SNAPSHOTS}/{id}/rename`]: change(at(SNAPSHOTS), 204, set("name")),
  [`PATCH ${VOLUMES}/{id}/rename`]: change(aVolume, 204, set("name")),
  [`POST ${VOLUMES}/{id}/extend`]: change(
    aVolume,
    204,
    whileFree(({ body }, { shown }) => {
      if (Number(body["size"]) <= Number(shown["size"]))
        return refusal(422, "invalid", "A volume can only grow.");
      shown["size"] = body["size"] ?? 0;
      return undefined;
    }),
  ),
  [`POST ${VOLUMES}/{id}/retype`]: change(
    aVolume,
    204,
    whileFree(({ body, world }, { shown }) => {
      shown["type"] = volumeType(isJsonMap(body["new_type"]) ? body["new_type"] : {}, world);
      return undefined;
    }),
  ),
  [`POST ${VOLUMES}/{id}/attach/{virtual_machine_id}`]: change(
    aVolume,
    204,
    whileFree((call, volume) => {
      const machine = at(INSTANCES, "virtual_machine_id")(call);
      if (machine === undefined) return refusal(404, "not_found", "There is no such machine.");
      attachVolume(volume, machine.key, call.world);
      return undefined;
    }),
  ),
  [`POST ${VOLUMES}/{id}/detach`]: change(aVolume, 204, ({ world }, volume) => {
    const machine = world.at(INSTANCES, machineOf(volume) ?? "");
    if (machine?.shown["state"] === "running")
      return refusal(422, "invalid", 'The virtual machine\'s state must be "stopped".');
    detachVolume(volume);
    return undefined;
  }),
  [`POST ${DATABASE}/instances/{instance_id}/resize`]: change(
    at(`${DATABASE}/instances`, "instance_id"),
    200,
    resize,
  ),
  [`POST ${DATABASE}/clusters/{cluster_id}/resize`]: change(
    at(`${DATABASE}/clusters`, "cluster_id"),
    200,
    resize,
  ),
  [`POST ${DATABASE}/replicas/{replica_id}/resize`]: change(
    at(`${DATABASE}/replicas`, "replica_id"),
    200,
    resize,
  ),
  // A cluster shows its pools, which are listed nowhere else with the time when they were made.
  [`GET ${CLUSTERS}/{cluster_id}`]: {
    verb: "read",
    of: at(CLUSTERS, "cluster_id"),
    run: ({ world }, { key, shown }) => {
      const pools = world
        .objects(POOLS)
        .filter(({ params }) => params["cluster_id"] === key)
        .map((pool) => pool.shown);
      return { status: 200, body: { ...shown, node_pools: pools } };
    },
  },
};

export const magaluRules: FakeRules = {
  collections,
  actions,
  error: ({ code, message }) => ({ slug: code, message }),
};
