/** What DigitalOcean's description does not say: how its objects look, wait, conflict and depend on each other. */
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

const region = (slug: Json | undefined): JsonMap => ({
  name: "Region",
  slug: slug ?? "nyc3",
  features: [],
  available: true,
  sizes: [],
});

const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.map(String) : [];

const withTag = { tag_name: (object: JsonMap, tag: string) => texts(object["tags"]).includes(tag) };

function connection(world: FakeWorld): JsonMap {
  const password = `canary-${world.newId()}`;
  const host = "db.cloud.example";
  const user = "doadmin";
  const uri = `postgresql://${user}:${password}@${host}:25060/defaultdb?sslmode=require`;
  return { uri, database: "defaultdb", host, port: 25_060, user, password, ssl: true };
}

const DROPLETS = "/v2/droplets";
const DATABASES = "/v2/databases";
const CLUSTER = `${DATABASES}/{database_cluster_uuid}`;
export const SNAPSHOTS = "/v2/volumes/{volume_id}/snapshots";
const VPCS = "/v2/vpcs";

function refusal(status: number, code: string, message: string): Refusal {
  return { status, code, message };
}

const collections: Readonly<Record<string, CollectionRules>> = {
  [VPCS]: {
    unique: ["name"],
    show: (_, world) => ({ default: false, urn: `do:vpc:${world.newId()}` }),
    keeps: ({ key }, world) => {
      const members = [DROPLETS, DATABASES, "/v2/load_balancers", "/v2/kubernetes/clusters"]
        .flatMap((path) => world.objects(path))
        .filter(({ shown }) => shown["vpc_uuid"] === key || shown["private_network_uuid"] === key);
      return members.length === 0
        ? undefined
        : refusal(403, "forbidden", "Can not delete VPC with members");
    },
  },
  [DROPLETS]: {
    search: withTag,
    beside: { links: { actions: [] } },
    states: { path: "status", from: "new", to: "active", failed: "archive" },
    slowDelete: true,
    show: (sent) => ({
      ...(sent["region"] === undefined ? {} : { region: region(sent["region"]) }),
      ...(sent["size"] === undefined
        ? {}
        : {
            size_slug: sent["size"],
            size: {
              slug: sent["size"],
              memory: 1024,
              vcpus: 1,
              disk: 25,
              transfer: 1,
              price_monthly: 6,
              price_hourly: 0.009,
              regions: [],
              available: true,
              description: "Basic",
            },
          }),
      ...(sent["image"] === undefined
        ? {}
        : { image: { id: 7, name: "An image", slug: textOf(sent["image"]) } }),
      ...(sent["volumes"] === undefined ? {} : { volume_ids: sent["volumes"] }),
      ...(sent["size"] === undefined
        ? {}
        : { features: ["backups", "ipv6", "monitoring"].filter((name) => sent[name] === true) }),
      memory: 1024,
      vcpus: 1,
      disk: 25,
      networks: {
        v4: [
          {
            ip_address: "192.0.2.11",
            netmask: "255.255.255.0",
            gateway: "192.0.2.1",
            type: "public",
          },
        ],
        v6: [],
      },
    }),
  },
  "/v2/volumes": {
    unique: ["name"],
    show: (sent) => ({
      ...(sent["region"] === undefined ? {} : { region: region(sent["region"]) }),
      droplet_ids: [],
      filesystem_type: sent["filesystem_type"] ?? "",
      filesystem_label: sent["filesystem_label"] ?? "",
    }),
  },
  [SNAPSHOTS]: {
    itemPath: "/v2/snapshots/{snapshot_id}",
    listPath: "/v2/snapshots",
    show: (sent, _world, _before, { volume_id = "" }) => ({
      regions: ["nyc3"],
      min_disk_size: 10,
      size_gigabytes: 0.4,
      resource_id: volume_id,
      resource_type: "volume",
      tags: texts(sent["tags"]),
    }),
  },
  "/v2/vpc_peerings": {
    unique: ["name"],
    states: { path: "status", from: "PROVISIONING", to: "ACTIVE" },
    slowDelete: true,
  },
  "/v2/monitoring/alerts": { key: "uuid" },
  [DATABASES]: {
    search: withTag,
    unique: ["name"],
    states: { path: "status", from: "creating", to: "online" },
    owns: ["dbs", "users", "pools", "replicas"].map((kind) => ({
      collection: `${CLUSTER}/${kind}`,
      param: "database_cluster_uuid",
    })),
    show: (sent, world) => ({
      rules: undefined,
      autoscale: undefined,
      ...(sent["engine"] === undefined
        ? {}
        : { connection: connection(world), private_connection: connection(world) }),
    }),
  },
  [`${CLUSTER}/dbs`]: { key: "name", unique: ["name"] },
  [`${CLUSTER}/users`]: {
    key: "name",
    unique: ["name"],
    show: (_, world) => ({ role: "normal", password: `canary-${world.newId()}` }),
  },
  [`${CLUSTER}/pools`]: {
    key: "name",
    unique: ["name"],
    show: (_, world) => ({ connection: connection(world), private_connection: connection(world) }),
  },
  [`${CLUSTER}/replicas`]: {
    key: "name",
    unique: ["name"],
    states: { path: "status", from: "creating", to: "online" },
    show: (_, world) => ({
      id: world.newId(),
      connection: connection(world),
      private_connection: connection(world),
    }),
  },
  "/v2/kubernetes/clusters": {
    unique: ["name"],
    slowDelete: true,
    states: { path: "status.state", from: "provisioning", to: "running", failed: "error" },
    owns: [{ collection: "/v2/kubernetes/clusters/{cluster_id}/node_pools", param: "cluster_id" }],
    show: (sent, world) => {
      const id = world.newId();
      const pools = Array.isArray(sent["node_pools"]) ? sent["node_pools"] : undefined;
      return {
        tags: [...texts(sent["tags"]), "k8s", `k8s:${id}`],
        ...(pools && {
          node_pools: pools.map((pool) => ({
            ...(isJsonMap(pool) ? pool : {}),
            id: world.newId(),
            nodes: [],
          })),
        }),
      };
    },
  },
  "/v2/kubernetes/clusters/{cluster_id}/node_pools": {
    slowDelete: true,
    show: (sent) => ({ tags: [...texts(sent["tags"]), "k8s", "k8s-worker"], nodes: [] }),
  },
  "/v2/domains": { key: "name", unique: ["name"], show: () => ({ ttl: 1800, zone_file: null }) },
  "/v2/domains/{domain_name}/records": {},
  "/v2/account/keys": {
    unique: ["public_key"],
    show: () => ({ fingerprint: "3b:16:e4:bf:8b:00:8b:b8:59:8c:a9:d3:f0:19:fa:45" }),
  },
  "/v2/projects": { unique: ["name"], show: () => ({ is_default: false }) },
  "/v2/load_balancers": {
    unique: ["name"],
    slowDelete: true,
    states: { path: "status", from: "new", to: "active", failed: "errored" },
    show: (sent) => ({
      ...(sent["region"] === undefined ? {} : { region: region(sent["region"]) }),
      ip: "192.0.2.20",
    }),
  },
  "/v2/firewalls": {
    unique: ["name"],
    states: { path: "status", from: "waiting", to: "succeeded", failed: "failed" },
    show: () => ({ pending_changes: [] }),
  },
  "/v2/certificates": {
    unique: ["name"],
    states: { path: "state", from: "pending", to: "verified", failed: "error" },
    show: () => ({ sha1_fingerprint: "dfcc9f57d86bf58e321c2c6c31c7a971be244ac7" }),
  },
  "/v2/reserved_ips": {
    key: "ip",
    newKey: (world) => `203.0.113.${world.nextNumber() % 250}`,
    show: (sent, world) => ({
      region: region(sent["region"]),
      locked: false,
      droplet: world.at(DROPLETS, textOf(sent["droplet_id"]))?.shown ?? null,
    }),
  },
  "/v2/cdn/endpoints": { unique: ["origin"], show: () => ({ endpoint: "space.cdn.example" }) },
  "/v2/registries": { key: "name", unique: ["name"], show: () => ({ storage_usage_bytes: 0 }) },
  "/v2/spaces/keys": {
    key: "access_key",
    newKey: (world) => `DO${world.newId().replaceAll("-", "").slice(0, 18).toUpperCase()}`,
  },
  "/v2/functions/namespaces": {
    key: "namespace",
    newKey: (world) => `fn-${world.newId()}`,
    show: (_, world) => ({
      uuid: world.newId(),
      api_host: "https://functions.cloud.example",
      key: `canary-${world.newId()}`,
    }),
  },
  "/v2/apps": {},
};

function at(collection: string, param: string): Action["of"] {
  return ({ params, world }: ActionCall) => world.at(collection, params[param] ?? "");
}

const aDroplet = at(DROPLETS, "droplet_id");
const aDatabase = at(DATABASES, "database_cluster_uuid");

function action(id: number, type: Json | undefined): { status: number; body: Json } {
  return {
    status: 201,
    body: {
      action: {
        id,
        status: "in-progress",
        type: textOf(type),
        started_at: "2026-01-01T00:00:00Z",
        completed_at: null,
        resource_id: 1,
        resource_type: "any",
        region_slug: "nyc3",
      },
    },
  };
}

/** What an action does to a Droplet's features: what it sets, and whether. */
const features: Readonly<Record<string, readonly [string, boolean]>> = {
  enable_backups: ["backups", true],
  disable_backups: ["backups", false],
  enable_ipv6: ["ipv6", true],
};

/** Something of a cluster that is set by a call of its own. */
function clusterPart(status: number, apply: (object: FakeObject, body: JsonMap) => void): Action {
  return {
    verb: "update",
    of: aDatabase,
    run: ({ body }, object) => {
      if (object.shown["status"] !== "online")
        return refusal(422, "unprocessable_entity", "the cluster is not yet online");
      apply(object, body);
      return { status };
    },
  };
}

/** Where the firewall of a cluster is kept: not among what the cluster shows. */
const firewalls = new WeakMap<FakeObject, Json[]>();

const tagged = (attached: boolean): Action => ({
  verb: "update",
  of: ({ body, world }) => {
    const [resource] = Array.isArray(body["resources"]) ? body["resources"] : [];
    const { resource_id: id, resource_type: type } = isJsonMap(resource) ? resource : {};
    const collection = type === "volume_snapshot" ? SNAPSHOTS : `/v2/${textOf(type)}s`;
    return world.at(collection, textOf(id));
  },
  run: ({ params }, object) => {
    const tag = params["tag_id"] ?? "";
    const others = texts(object.shown["tags"]).filter((one) => one !== tag);
    object.shown["tags"] = attached ? [...others, tag] : others;
    return { status: 204 };
  },
});

const anything = { key: "", collection: "", params: {}, shown: {}, createdMs: 0, later: [] };

const actions: Readonly<Record<string, Action>> = {
  "GET /v2/account": {
    verb: "read",
    of: () => anything,
    run: () => ({
      status: 200,
      body: {
        account: {
          droplet_limit: 25,
          floating_ip_limit: 5,
          email: "someone@cloud.example",
          uuid: "b6fr89dbf6d9156cace5f3c78dc9851d957381ef",
          email_verified: true,
          status: "active",
          status_message: "",
        },
      },
    }),
  },
  "POST /v2/tags": {
    verb: "read",
    of: () => anything,
    run: ({ body }) => ({
      status: 201,
      body: { tag: { name: body["name"] ?? "", resources: { count: 0 } } },
    }),
  },
  "DELETE /v2/tags/{tag_id}": { verb: "read", of: () => anything, run: () => ({ status: 204 }) },
  "POST /v2/tags/{tag_id}/resources": tagged(true),
  "DELETE /v2/tags/{tag_id}/resources": tagged(false),
  "POST /v2/droplets/{droplet_id}/actions": {
    verb: "update",
    of: aDroplet,
    run: ({ body, world }, { shown }) => {
      if (body["type"] === "rename") shown["name"] = body["name"] ?? "";
      if (body["type"] === "resize") {
        if (shown["status"] !== "off")
          return refusal(
            422,
            "unprocessable_entity",
            "This size requires the Droplet to be powered off.",
          );
        shown["size_slug"] = body["size"] ?? "";
      }
      if (body["type"] === "power_off") shown["status"] = "off";
      const [feature, isSet] = features[textOf(body["type"])] ?? [];
      if (feature !== undefined) {
        const others = texts(shown["features"]).filter((one) => one !== feature);
        if (others.length === texts(shown["features"]).length - (isSet === true ? 1 : 0))
          return refusal(422, "unprocessable_entity", `nothing to change: ${feature}`);
        shown["features"] = isSet === true ? [...others, feature] : others;
      }
      return action(world.nextNumber(), body["type"]);
    },
  },
  "GET /v2/droplets/{droplet_id}/snapshots": {
    verb: "read",
    of: aDroplet,
    run: ({ world }, { key }) => {
      const snapshots = world
        .objects(SNAPSHOTS)
        .filter(({ shown }) => shown["resource_type"] === "droplet" && shown["resource_id"] === key)
        .map(({ shown: { resource_id: _id, resource_type: _type, tags: _tags, ...shown } }) => ({
          ...shown,
          id: Number(shown["id"]),
          type: "snapshot",
        }));
      return { status: 200, body: { snapshots, links: {}, meta: { total: snapshots.length } } };
    },
  },
  "GET /v2/actions/{action_id}": {
    verb: "read",
    of: () => anything,
    run: ({ params }) => {
      const { body } = action(Number(params["action_id"]), "any");
      const started = isJsonMap(body) && isJsonMap(body["action"]) ? body["action"] : {};
      return { status: 200, body: { action: { ...started, status: "completed" } } };
    },
  },
  "POST /v2/volumes/{volume_id}/actions": {
    verb: "update",
    of: at("/v2/volumes", "volume_id"),
    run: ({ body, world }, { key, shown }) => {
      const droplet = world.at(DROPLETS, textOf(body["droplet_id"]));
      if (body["type"] === "attach" || body["type"] === "detach") {
        if (droplet === undefined) return refusal(404, "not_found", "there is no such Droplet");
        const attached = body["type"] === "attach";
        const others = texts(droplet.shown["volume_ids"]).filter((one) => one !== key);
        droplet.shown["volume_ids"] = attached ? [...others, key] : others;
        shown["droplet_ids"] = attached ? [Number(droplet.key)] : [];
        return { ...action(world.nextNumber(), body["type"]), status: 202 };
      }
      const size = body["size_gigabytes"];
      if (Number(size) < Number(shown["size_gigabytes"]))
        return refusal(422, "unprocessable_entity", "a volume can only be made larger");
      shown["size_gigabytes"] = size ?? 0;
      return { ...action(world.nextNumber(), body["type"]), status: 202 };
    },
  },
  [`PUT ${CLUSTER}/resize`]: clusterPart(202, ({ shown }, body) => Object.assign(shown, body)),
  [`PUT ${CLUSTER}/migrate`]: clusterPart(202, ({ shown }, body) => Object.assign(shown, body)),
  [`PUT ${CLUSTER}/upgrade`]: clusterPart(204, ({ shown }, body) => Object.assign(shown, body)),
  [`PUT ${CLUSTER}/autoscale`]: clusterPart(204, () => {}),
  [`PUT ${CLUSTER}/do_settings`]: clusterPart(204, ({ shown }, body) => Object.assign(shown, body)),
  [`PUT ${CLUSTER}/firewall`]: clusterPart(204, (object, body) => {
    const rules = Array.isArray(body["rules"]) ? body["rules"] : [];
    firewalls.set(
      object,
      rules.map((rule) => ({
        ...(isJsonMap(rule) ? rule : {}),
        uuid: crypto.randomUUID(),
        cluster_uuid: object.key,
        created_at: "2026-01-01T00:00:00Z",
      })),
    );
  }),
  [`GET ${CLUSTER}/firewall`]: {
    verb: "read",
    of: aDatabase,
    run: (_, object) => ({ status: 200, body: { rules: firewalls.get(object) ?? [] } }),
  },
  "POST /v2/kubernetes/clusters/{cluster_id}/upgrade": {
    verb: "update",
    of: at("/v2/kubernetes/clusters", "cluster_id"),
    run: ({ body }, { shown }) => {
      shown["version"] = body["version"] ?? "";
      return { status: 202 };
    },
  },
  "POST /v2/registries/subscription": {
    verb: "update",
    of: ({ world }) => world.objects("/v2/registries")[0],
    run: ({ body }) => ({
      status: 200,
      body: { subscription: { tier: { slug: body["tier_slug"] ?? "" } } },
    }),
  },
  "POST /v2/reserved_ips/{reserved_ip}/actions": {
    verb: "update",
    of: at("/v2/reserved_ips", "reserved_ip"),
    run: ({ body, world }, { shown }) => {
      const droplet = world.at(DROPLETS, textOf(body["droplet_id"]));
      shown["droplet"] = body["type"] === "assign" ? (droplet?.shown ?? null) : null;
      return action(world.nextNumber(), body["type"]);
    },
  },
  "GET /v2/apps/{app_id}/deployments": {
    verb: "read",
    of: at("/v2/apps", "app_id"),
    run: ({ world }) => ({
      status: 200,
      body: {
        deployments: [
          {
            id: world.newId(),
            phase: "ACTIVE",
            created_at: new Date(world.now()).toISOString(),
          },
        ],
        links: {},
        meta: { total: 1 },
      },
    }),
  },
};

export const digitaloceanRules: FakeRules = {
  collections,
  actions,
  error: ({ code, message }) => ({ id: code, message }),
  headers: (calls, nowMs) => ({
    "ratelimit-limit": "5000",
    "ratelimit-remaining": String(Math.max(0, 5000 - calls)),
    "ratelimit-reset": String(Math.ceil(nowMs / 1000) + 3600),
  }),
};
