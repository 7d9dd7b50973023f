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
const made = { "id!": aUuid, "date_created!": aTime };

const database = {
  region: aText,
  plan: aText,
  label: aText,
  tag: aText,
  vpc_id: aText,
  maintenance_dow: aText,
  maintenance_time: aText,
  backup_hour: aText,
  backup_minute: aText,
  cluster_time_zone: aText,
  trusted_ips: someTexts,
  mysql_sql_modes: someTexts,
  mysql_require_primary_key: aFlag,
  mysql_slow_query_log: aFlag,
  mysql_long_query_time: anInteger,
  eviction_policy: aText,
};
const engine = choice("mysql", "pg", "valkey", "kafka");

const acl = object({
  acl_categories: someTexts,
  acl_channels: someTexts,
  acl_commands: someTexts,
  acl_keys: someTexts,
});

const registry = { name: aText, public: aFlag };

const shownRegistry = object({
  ...made,
  ...registry,
  urn: aText,
  root_user: object({ "id!": anInteger, "username!": aText, "password!": aText }),
  storage: aMap,
  metadata: aMap,
});

const DATABASE = "/v2/databases/{database-id}";

export const dataCollections: readonly WrittenCollection[] = [
  {
    path: "/v2/blocks",
    param: "block-id",
    one: "block",
    many: "blocks",
    shown: object({
      ...made,
      region: aText,
      size_gb: anInteger,
      label: aText,
      status: aText,
      cost: anInteger,
      attached_to_instance: aText,
      mount_id: aText,
    }),
    create: object({
      "region!": aText,
      "size_gb!": anInteger,
      label: aText,
      block_type: choice("high_perf", "storage_opt"),
    }),
    created: 202,
    update: { method: "patch", body: object({ label: aText, size_gb: anInteger }), status: 204 },
    paged: "cursor",
  },
  {
    path: "/v2/object-storage",
    param: "object-storage-id",
    one: "object_storage",
    many: "object_storages",
    shown: object({
      ...made,
      cluster_id: anInteger,
      region: aText,
      label: aText,
      status: choice("pending", "active"),
      s3_hostname: aText,
      s3_access_key: aText,
      s3_secret_key: aText,
    }),
    create: object({ "cluster_id!": anInteger, tier_id: anInteger, label: aText }),
    created: 202,
    update: { method: "put", body: object({ "label!": aText }), status: 204 },
    paged: "cursor",
  },
  {
    path: "/v2/registry",
    param: "registry-id",
    many: "registries",
    shown: shownRegistry,
    create: object({ "name!": aText, "region!": aText, "plan!": aText, public: aFlag }),
    update: { method: "put", body: object({ public: aFlag, plan: aText }), status: 200 },
  },
  {
    path: "/v2/databases",
    param: "database-id",
    one: "database",
    many: "databases",
    shown: object({
      ...made,
      ...database,
      database_engine: engine,
      database_engine_version: aText,
      status: aText,
      dbname: aText,
      host: aText,
      port: aText,
      user: aText,
      password: aText,
      ca_certificate: aText,
      read_replicas: listOf(aMap),
    }),
    create: object({
      ...database,
      "database_engine!": engine,
      "database_engine_version!": aText,
      "region!": aText,
      "plan!": aText,
      "label!": aText,
    }),
    created: 202,
    update: { method: "put", body: object(database), status: 202 },
    paged: "cursor",
  },
  {
    path: `${DATABASE}/dbs`,
    param: "db-name",
    one: "db",
    many: "dbs",
    shown: object({ name: aText }),
    create: object({ "name!": aText }),
  },
  {
    path: `${DATABASE}/connection-pools`,
    param: "pool-name",
    one: "connection_pool",
    many: "connection_pools",
    shown: object({
      name: aText,
      database: aText,
      username: aText,
      mode: aText,
      size: anInteger,
    }),
    create: object({
      "name!": aText,
      "database!": aText,
      "username!": aText,
      "mode!": choice("session", "transaction", "statement"),
      "size!": anInteger,
    }),
    update: {
      method: "put",
      body: object({ database: aText, username: aText, mode: aText, size: anInteger }),
    },
  },
  {
    path: `${DATABASE}/users`,
    param: "username",
    one: "user",
    many: "users",
    shown: object({
      username: aText,
      password: aText,
      encryption: aText,
      permission: aText,
      access_control: acl,
    }),
    create: object({
      "username!": aText,
      password: aText,
      encryption: aText,
      permission: choice("admin", "read", "write", "readwrite"),
    }),
    update: { method: "put", body: object({ "password!": aText }) },
  },
];

export const dataCalls: readonly WrittenCall[] = [
  {
    method: "post",
    path: `${DATABASE}/read-replica`,
    body: object({ "region!": aText, "label!": aText }),
    status: 202,
    answer: object({ "database!": aMap }),
  },
  {
    method: "post",
    path: "/v2/blocks/{block-id}/attach",
    body: object({ "instance_id!": aText, live: aFlag }),
    status: 204,
  },
  {
    method: "post",
    path: "/v2/blocks/{block-id}/detach",
    body: object({ live: aFlag }),
    status: 204,
  },
  {
    method: "get",
    path: "/v2/registries",
    query: ["per_page", "cursor"],
    status: 200,
    answer: object({ "registries!": listOf(shownRegistry), meta: aMap }),
  },
  {
    method: "post",
    path: `${DATABASE}/version-upgrade`,
    body: object({ "version!": aText }),
    status: 200,
    answer: object({ message: aText }),
  },
  {
    method: "put",
    path: `${DATABASE}/users/{username}/access-control`,
    body: acl,
    status: 200,
    answer: object({ user: aMap }),
  },
];
