import {
  aFlag,
  anInteger,
  aText,
  aTime,
  aUuid,
  choice,
  listOf,
  object,
  type WrittenCall,
  type WrittenCollection,
} from "#test/support/fake-cloud/write-description.ts";
import { connection, someTexts, tags } from "./shared.ts";

const rule = object({
  uuid: aText,
  "type!": choice("droplet", "k8s", "ip_addr", "tag", "app"),
  "value!": aText,
  description: aText,
});

const rules = { "rules!": listOf(rule) };

const autoscale = object({
  storage: object({
    "enabled!": aFlag,
    threshold_percent: anInteger,
    increment_gib: anInteger,
  }),
});

const doSettings = object({ service_cnames: someTexts });

const CLUSTER = "/v2/databases/{database_cluster_uuid}";

const userSettings = object({
  pg_allow_replication: aFlag,
  opensearch_acl: listOf(object({ index: aText, permission: aText })),
  acl: listOf(object({ id: aText, "topic!": aText, "permission!": aText })),
  mongo_user_settings: object({ databases: someTexts, role: aText }),
});

const mysqlSettings = object({
  "auth_plugin!": choice("mysql_native_password", "caching_sha2_password"),
});

const dbPool = { "mode!": aText, "size!": anInteger, "db!": aText, user: aText };

const replica = {
  "name!": aText,
  region: aText,
  "size!": aText,
  storage_size_mib: anInteger,
  private_network_uuid: aText,
  tags: someTexts,
  do_settings: doSettings,
};

const connections = { connection, private_connection: connection };
const standbys = { standby_connection: connection, standby_private_connection: connection };
const database = {
  "name!": aText,
  "engine!": choice(
    "pg",
    "mysql",
    "redis",
    "valkey",
    "mongodb",
    "kafka",
    "opensearch",
    "advanced_pg",
    "advanced_mysql",
  ),
  version: aText,
  "num_nodes!": anInteger,
  "size!": aText,
  "region!": aText,
  private_network_uuid: aText,
  tags,
  project_id: aUuid,
  rules: listOf(rule),
  storage_size_mib: anInteger,
  do_settings: doSettings,
};
const databaseStatus = choice("creating", "online", "resizing", "migrating", "forking");

export const databasesCollections: readonly WrittenCollection[] = [
  {
    path: "/v2/databases",
    param: "database_cluster_uuid",
    one: "database",
    many: "databases",
    shown: object({
      ...database,
      id: aUuid,
      status: databaseStatus,
      created_at: aTime,
      ...connections,
      ...standbys,
    }),
    create: object({
      ...database,
      autoscale,
      backup_restore: object({ "database_name!": aText, backup_created_at: aTime }),
    }),
    filters: ["tag_name"],
  },
  {
    path: `${CLUSTER}/dbs`,
    param: "database_name",
    one: "db",
    many: "dbs",
    shown: object({ "name!": aText }),
    create: object({ "name!": aText }),
  },
  {
    path: `${CLUSTER}/users`,
    param: "username",
    one: "user",
    many: "users",
    shown: object({
      "name!": aText,
      role: aText,
      password: aText,
      access_cert: aText,
      access_key: aText,
      mysql_settings: mysqlSettings,
      settings: userSettings,
    }),
    create: object({
      "name!": aText,
      mysql_settings: mysqlSettings,
      settings: userSettings,
      readonly: aFlag,
    }),
    update: { method: "put", body: object({ "settings!": userSettings }), status: 201 },
  },
  {
    path: `${CLUSTER}/pools`,
    param: "pool_name",
    one: "pool",
    many: "pools",
    shown: object({ ...dbPool, "name!": aText, ...connections, ...standbys }),
    create: object({ ...dbPool, "name!": aText }),
    update: { method: "put", body: object(dbPool), status: 204 },
  },
  {
    path: `${CLUSTER}/replicas`,
    param: "replica_name",
    one: "replica",
    many: "replicas",
    shown: object({
      ...replica,
      id: aUuid,
      status: databaseStatus,
      created_at: aTime,
      ...connections,
    }),
    create: object(replica),
  },
];

export const databasesCalls: readonly WrittenCall[] = [
  {
    method: "put",
    path: `${CLUSTER}/resize`,
    body: object({ "size!": aText, "num_nodes!": anInteger, storage_size_mib: anInteger }),
    status: 202,
  },
  {
    method: "put",
    path: `${CLUSTER}/migrate`,
    body: object({ "region!": aText }),
    status: 202,
  },
  { method: "put", path: `${CLUSTER}/upgrade`, body: object({ version: aText }), status: 204 },
  { method: "put", path: `${CLUSTER}/autoscale`, body: autoscale, status: 204 },
  {
    method: "put",
    path: `${CLUSTER}/do_settings`,
    body: object({ "do_settings!": doSettings }),
    status: 204,
  },
  { method: "put", path: `${CLUSTER}/firewall`, body: object(rules), status: 204 },
  { method: "get", path: `${CLUSTER}/firewall`, status: 200, answer: object(rules) },
];
