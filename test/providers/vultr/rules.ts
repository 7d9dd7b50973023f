/** What Vultr's description does not say: how its objects look, wait, conflict and depend on each other. */
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

const INSTANCES = "/v2/instances";
const VPCS = "/v2/vpcs";
const BLOCKS = "/v2/blocks";
const RESERVED = "/v2/reserved-ips";
const DATABASES = "/v2/databases";
const DATABASE = `${DATABASES}/{database-id}`;
const CLUSTERS = "/v2/kubernetes/clusters";
const CLUSTER = `${CLUSTERS}/{vke-id}`;
const FIREWALLS = "/v2/firewalls";
/** For so long a machine's first password is shown. */
const PASSWORD_MS = 10 * 60_000;

const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : [];

function refusal(status: number, message: string): Refusal {
  return { status, code: "refused", message };
}

/** Where the VPCs of an instance are kept: not among what it shows. */
const joined = new WeakMap<FakeObject, string[]>();

const canary = (world: FakeWorld): string => `canary-${world.newId()}`;

/** Fields of a create; what is sent with a change has no region. */
const once = (sent: JsonMap, shown: () => Record<string, Json>): Record<string, Json> =>
  sent["region"] === undefined ? {} : shown();

function hidePassword(object: FakeObject): void {
  const change = ({ shown }: FakeObject): void => void delete shown["default_password"];
  object.later.push({ atMs: object.createdMs + PASSWORD_MS, change });
}

const features = { enable_ipv6: "ipv6", ddos_protection: "ddos_protection" };

const collections: Readonly<Record<string, CollectionRules>> = {
  [VPCS]: {
    keeps: ({ key }, world) =>
      world.objects(INSTANCES).some((one) => joined.get(one)?.includes(key)) ||
      world.objects("/v2/load-balancers").some(({ shown }) => vpcOf(shown) === key)
        ? refusal(400, "This VPC is still in use by a server or load balancer")
        : undefined,
    show: (sent) =>
      once(sent, () => ({
        v4_subnet: sent["v4_subnet"] ?? "10.99.0.0",
        v4_subnet_mask: sent["v4_subnet_mask"] ?? 20,
      })),
  },
  [INSTANCES]: {
    states: { path: "status", from: "pending", to: "active", failed: "suspended" },
    made: (object, sent) => {
      joined.set(object, texts(sent["attach_vpc"]));
      hidePassword(object);
    },
    refuses: (sent, world) =>
      texts(sent["attach_vpc"]).some((id) => world.at(VPCS, id) === undefined)
        ? refusal(400, "Invalid VPC specified")
        : undefined,
    show: (sent, world) =>
      once(sent, () => ({
        default_password: canary(world),
        kvm: `https://console.cloud.example/?data=${canary(world)}`,
        main_ip: "192.0.2.11",
        internal_ip: "",
        power_status: "running",
        server_status: "ok",
        os_id: sent["os_id"] ?? 0,
        app_id: sent["app_id"] ?? 0,
        image_id: sent["image_id"] ?? "",
        tags: sent["tags"] ?? [],
        firewall_group_id: sent["firewall_group_id"] ?? "",
        features: [
          ...Object.entries(features).flatMap(([name, item]) =>
            sent[name] === true ? [item] : [],
          ),
          ...(sent["backups"] === "enabled" ? ["auto_backups"] : []),
        ],
      })),
  },
  "/v2/bare-metals": {
    states: { path: "status", from: "pending", to: "active", failed: "suspended" },
    made: hidePassword,
    show: (sent, world) =>
      once(sent, () => ({
        default_password: canary(world),
        mac_address: 2_199_756_823_533,
        tags: sent["tags"] ?? [],
      })),
  },
  "/v2/ssh-keys": {},
  "/v2/snapshots": {
    states: { path: "status", from: "pending", to: "complete" },
    show: (sent) =>
      sent["instance_id"] === undefined ? {} : { size: 10_737_418_240, os_id: 2136 },
  },
  "/v2/startup-scripts": {
    show: (sent) => (sent["type"] === undefined ? {} : { type: sent["type"] }),
  },
  [CLUSTERS]: {
    slowDelete: true,
    states: { path: "status", from: "pending", to: "active" },
    owns: [{ collection: `${CLUSTER}/node-pools`, param: "vke-id" }],
    show: (sent) => once(sent, () => ({ endpoint: "vke.cloud.example", ip: "192.0.2.30" })),
  },
  [`${CLUSTER}/node-pools`]: {
    slowDelete: true,
    unique: ["label"],
    states: { path: "status", from: "pending", to: "active" },
    show: (sent) => (sent["plan"] === undefined ? {} : { nodes: [] }),
  },
  [FIREWALLS]: {
    owns: [{ collection: `${FIREWALLS}/{firewall-group-id}/rules`, param: "firewall-group-id" }],
  },
  [`${FIREWALLS}/{firewall-group-id}/rules`]: {
    show: (sent) => ({
      action: "accept",
      protocol: textOf(sent["protocol"]).toLowerCase(),
      port: sent["port"] ?? "",
      source: sent["source"] ?? "",
      notes: sent["notes"] ?? "",
    }),
  },
  "/v2/domains": {
    key: "domain",
    unique: ["domain"],
    owns: [{ collection: "/v2/domains/{dns-domain}/records", param: "dns-domain" }],
  },
  "/v2/domains/{dns-domain}/records": {},
  "/v2/load-balancers": {
    states: { path: "status", from: "pending", to: "active" },
    show: (sent) =>
      once(sent, () => ({
        ipv4: "192.0.2.20",
        ipv6: "",
        instances: sent["instances"] ?? [],
        has_ssl: sent["ssl"] !== undefined,
        generic_info: genericOf(sent),
      })),
  },
  [RESERVED]: {
    show: (sent) => once(sent, () => ({ subnet: "203.0.113.9", subnet_size: 32, instance_id: "" })),
    keeps: ({ shown }) =>
      shown["instance_id"] === "" ? undefined : refusal(400, "This reserved IP is attached"),
  },
  [BLOCKS]: {
    states: { path: "status", from: "pending", to: "active" },
    show: (sent) => once(sent, () => ({ attached_to_instance: "", mount_id: "", cost: 1 })),
    keeps: ({ shown }) =>
      shown["attached_to_instance"] === ""
        ? undefined
        : refusal(400, "This block storage volume is attached"),
    refusesChange: ({ shown }, wanted) =>
      Number(wanted["size_gb"]) < Number(shown["size_gb"])
        ? refusal(400, "The new size must be larger than the current size")
        : undefined,
  },
  "/v2/object-storage": {
    states: { path: "status", from: "pending", to: "active" },
    show: (sent, world) =>
      sent["cluster_id"] === undefined
        ? {}
        : {
            region: "ewr",
            s3_hostname: "ewr1.objects.cloud.example",
            s3_access_key: canary(world),
            s3_secret_key: canary(world),
          },
  },
  "/v2/registry": {
    unique: ["name"],
    show: (sent, world) =>
      once(sent, () => ({
        urn: `registry.cloud.example/${textOf(sent["name"])}`,
        public: sent["public"] ?? false,
        root_user: { id: 1, username: "root", password: canary(world) },
        storage: {},
        metadata: {},
      })),
  },
  [DATABASES]: {
    states: { path: "status", from: "Rebuilding", to: "Running" },
    owns: ["dbs", "users", "connection-pools"].map((kind) => ({
      collection: `${DATABASE}/${kind}`,
      param: "database-id",
    })),
    show: (sent, world) =>
      once(sent, () => ({
        dbname: "defaultdb",
        host: "db.cloud.example",
        port: "16751",
        user: "vultradmin",
        password: canary(world),
        ca_certificate: "-----BEGIN CERTIFICATE-----",
      })),
  },
  [`${DATABASE}/dbs`]: { key: "name", unique: ["name"] },
  [`${DATABASE}/connection-pools`]: { key: "name", unique: ["name"] },
  [`${DATABASE}/users`]: {
    key: "username",
    unique: ["username"],
    show: (sent, world) =>
      sent["username"] === undefined ? {} : { password: sent["password"] ?? canary(world) },
  },
};

function genericOf(sent: JsonMap): JsonMap {
  return {
    balancing_algorithm: sent["balancing_algorithm"] ?? "roundrobin",
    ssl_redirect: sent["ssl_redirect"] ?? false,
    proxy_protocol: sent["proxy_protocol"] ?? false,
    sticky_sessions: sent["sticky_session"] ?? { cookie_name: "" },
    vpc: sent["vpc"] ?? "",
    ...(sent["timeout"] === undefined ? {} : { timeout: sent["timeout"] }),
  };
}

function vpcOf(shown: JsonMap): Json | undefined {
  const generic = shown["generic_info"];
  return isJsonMap(generic) ? generic["vpc"] : undefined;
}

function at(collection: string, param: string): Action["of"] {
  return ({ params, world }: ActionCall) => world.at(collection, params[param] ?? "");
}

const anInstance = at(INSTANCES, "instance-id");
const aDatabase = at(DATABASES, "database-id");
const anything = { key: "", collection: "", params: {}, shown: {}, createdMs: 0, later: [] };

/** An object is attached to one instance at most. */
function attachment(
  of: Action["of"],
  property: "instance_id" | "attached_to_instance",
): Readonly<Record<"attach" | "detach", Action>> {
  return {
    attach: {
      verb: "update",
      of,
      run: ({ body, world }, { shown }) => {
        const id = textOf(body["instance_id"]);
        if (world.at(INSTANCES, id) === undefined) return refusal(404, "Invalid instance ID");
        if (shown[property] !== "") return refusal(400, "It is already attached to a server");
        shown[property] = id;
        return { status: 204 };
      },
    },
    detach: {
      verb: "update",
      of,
      run: (_, { shown }) => {
        if (shown[property] === "") return refusal(400, "It is not attached");
        shown[property] = "";
        return { status: 204 };
      },
    },
  };
}

/** A plan's size, by its end: `vc2-2c-4gb` has 4 GB. */
const gigabytes = (plan: Json | undefined): number =>
  Number(/(\d+)gb$/.exec(textOf(plan))?.[1] ?? 0);

function changeInstance({ body }: ActionCall, { shown }: FakeObject): Refusal | undefined {
  if (body["plan"] !== undefined && gigabytes(body["plan"]) < gigabytes(shown["plan"]))
    return refusal(400, "Invalid plan: only an upgrade to a larger plan is possible");
  if (body["enable_ipv6"] === false) return refusal(400, "IPv6 cannot be disabled");
  for (const name of ["plan", "label", "tags", "firewall_group_id"])
    if (body[name] !== undefined) shown[name] = body[name];
  const set = Object.entries(features).flatMap(([name, item]) =>
    body[name] === undefined ? [] : [[item, body[name] === true] as const],
  );
  if (body["backups"] !== undefined) set.push(["auto_backups", body["backups"] === "enabled"]);
  for (const [item, isSet] of set) {
    const others = texts(shown["features"]).filter((one) => one !== item);
    shown["features"] = isSet ? [...others, item] : others;
  }
  return undefined;
}

const membership = (joins: boolean): Action => ({
  verb: "update",
  of: anInstance,
  run: ({ body, world }, instance) => {
    const id = textOf(body["vpc_id"]);
    const own = joined.get(instance) ?? [];
    if (joins && world.at(VPCS, id) === undefined) return refusal(404, "Invalid VPC");
    if (joins && own.includes(id)) return refusal(400, "The VPC is already attached");
    if (!joins && !own.includes(id)) return refusal(404, "The VPC is not attached");
    const others = own.filter((one) => one !== id);
    joined.set(instance, joins ? [...others, id] : others);
    return { status: 204 };
  },
});

const reserved = attachment(at(RESERVED, "reserved-ip"), "instance_id");
const block = attachment(at(BLOCKS, "block-id"), "attached_to_instance");

const actions: Readonly<Record<string, Action>> = {
  "GET /v2/account": {
    verb: "read",
    of: () => anything,
    run: () => ({
      status: 200,
      body: {
        account: { name: "Someone", email: "Someone@cloud.example", acls: ["provisioning"] },
      },
    }),
  },
  [`PATCH ${INSTANCES}/{instance-id}`]: {
    verb: "update",
    of: anInstance,
    run: (call, object) =>
      changeInstance(call, object) ?? { status: 202, body: { instance: object.shown } },
  },
  [`POST ${INSTANCES}/{instance-id}/vpcs/attach`]: membership(true),
  [`POST ${INSTANCES}/{instance-id}/vpcs/detach`]: membership(false),
  [`POST ${RESERVED}/{reserved-ip}/attach`]: reserved.attach,
  [`POST ${RESERVED}/{reserved-ip}/detach`]: reserved.detach,
  [`POST ${BLOCKS}/{block-id}/attach`]: block.attach,
  [`POST ${BLOCKS}/{block-id}/detach`]: block.detach,
  [`GET ${CLUSTER}/config`]: {
    verb: "read",
    of: at(CLUSTERS, "vke-id"),
    run: (_, { key }) => ({ status: 200, body: { kube_config: btoa(`canary of ${key}`) } }),
  },
  [`POST ${CLUSTER}/upgrades`]: {
    verb: "update",
    of: at(CLUSTERS, "vke-id"),
    run: ({ body }, { shown }) => {
      shown["version"] = body["upgrade_version"] ?? "";
      return { status: 202 };
    },
  },
  "PATCH /v2/load-balancers/{load-balancer-id}": {
    verb: "update",
    of: at("/v2/load-balancers", "load-balancer-id"),
    run: ({ body }, { shown }) => {
      const before = isJsonMap(shown["generic_info"]) ? shown["generic_info"] : {};
      const { sticky_sessions: sticky_session = {}, ...flat } = before;
      const { ssl, ...sent } = body;
      shown["generic_info"] = genericOf({ sticky_session, ...flat, ...sent });
      if (ssl !== undefined) shown["has_ssl"] = true;
      for (const [name, value] of Object.entries(sent))
        if (!Object.hasOwn(before, name) && name !== "sticky_session") shown[name] = value;
      return { status: 204 };
    },
  },
  "GET /v2/registries": {
    verb: "read",
    of: () => anything,
    run: ({ world }) => ({
      status: 200,
      body: { registries: world.objects("/v2/registry").map(({ shown }) => shown) },
    }),
  },
  [`PUT ${DATABASE}`]: {
    verb: "update",
    of: aDatabase,
    run: ({ body }, { shown }) => {
      Object.assign(shown, body);
      return { status: 202, body: { database: shown } };
    },
  },
  [`POST ${DATABASE}/version-upgrade`]: {
    verb: "update",
    of: aDatabase,
    run: ({ body }, { shown }) => {
      shown["database_engine_version"] = body["version"] ?? "";
      return { status: 200, body: { message: "The upgrade has started." } };
    },
  },
  [`PUT ${DATABASE}/users/{username}/access-control`]: {
    verb: "update",
    of: ({ params, world }) =>
      world.at(`${DATABASE}/users`, params["username"] ?? "", {
        "database-id": params["database-id"] ?? "",
      }),
    run: ({ body }, { shown }) => {
      shown["access_control"] = body;
      return { status: 200, body: { user: shown } };
    },
  },
};

export const vultrRules: FakeRules = {
  collections,
  actions,
  error: ({ status, message }) => ({ error: message, status }),
};
