import { aText, field, fields, flag, group, text, texts, whole } from "#providers/rest/fields.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { envelope, inRegion, paged, REPLICAS, since } from "./row-parts.ts";

const DATABASE = "/v2/databases/{database_id}";

/** A replica is changed by its own id, and does not name its primary. */
const REPLICA = "/v2/databases/{id}";

export function databaseRows(): RestRows {
  const database = text("The id of its managed database.");

  /** As replicas, too. */
  const secrets = {
    secretOutputs: [
      "password",
      "access_key",
      "access_cert",
      "read_replicas[*].password",
      "ferretdb_credentials.password",
    ],
  };

  /** The name is the id in its database. */
  const byName = (name: string) =>
    ({
      id: { at: name, within: "{database_id}", known: `{${name}}` },
      name: {
        property: name,
        rule: { maxLength: 63, alphabet: "underscores", letterFirst: true },
        unique: true,
      },
      find: { by: "name" },
      refers: { database_id: "Database" },
    }) as const;

  return {
    Database: {
      description: "A managed database.",
      ...paged("/v2/databases"),
      ...envelope("database"),
      ...inRegion,
      refers: { vpc_id: "Vpc" },
      takes: fields(
        {
          database_engine: text("The engine.", "mysql", "pg", "valkey", "kafka"),
          database_engine_version: text("The engine's version. A newer one upgrades it."),
          region: text("The region's id. A change moves the database."),
          plan: text("The plan's id."),
          label: text("What it is called."),
          tag: text("A tag."),
          vpc_id: text("The id of its VPC."),
          maintenance_dow: text("The day of maintenance, for example sunday."),
          maintenance_time: text("The hour of maintenance, for example 02:00."),
          backup_hour: text("The hour of the daily backup."),
          backup_minute: text("The minute of the daily backup."),
          cluster_time_zone: text("The time zone."),
          trusted_ips: texts("Who may connect: addresses and ranges."),
          mysql_sql_modes: texts("MySQL: the SQL modes."),
          mysql_require_primary_key: flag("MySQL: whether tables need a primary key."),
          mysql_slow_query_log: flag("MySQL: whether slow queries are logged."),
          mysql_long_query_time: whole("MySQL: from how many seconds on a query is slow."),
          eviction_policy: text("Valkey: what goes when the memory is full."),
        },
        ["database_engine", "database_engine_version", "plan"],
      ),
      name: { property: "label" },
      update: "PUT",
      fallback: { tag: "", trusted_ips: [] },
      createOnly: ["database_engine"],
      parts: [
        {
          properties: ["database_engine_version"],
          method: "POST",
          path: "/v2/databases/{id}/version-upgrade",
          body: { version: "{database_engine_version}" },
        },
        { properties: ["plan"], method: "PUT", path: "/v2/databases/{id}" },
        { properties: ["region"], method: "PUT", path: "/v2/databases/{id}" },
        {
          properties: ["vpc_id"],
          method: "PUT",
          path: "/v2/databases/{id}",
          absent: { vpc_id: "" },
        },
      ],
      compare: { sets: ["trusted_ips", "mysql_sql_modes"] },
      ...secrets,
      state: { path: "status", ready: ["Running"] },
      ...since("label", "region", "database_engine"),
      timing: { pollMs: 10_000, createMinutes: 60, updateMinutes: 120, deleteMinutes: 15 },
    },

    /**
     * It is a database, but only its primary lists it, and a create takes two properties. (Vultr's client `govultr` and
     * the source of Terraform's provider, because the published description lacks databases.) Nothing in it tells it from
     * a primary, which a delete of the same id would remove.
     */
    DatabaseReplica: {
      description:
        "A read replica of a managed database, which Vultr makes once the database has a backup.",
      path: `${DATABASE}/read-replica`,
      paths: { list: DATABASE, item: REPLICA },
      envelope: {
        create: "database",
        read: "database",
        update: "database",
        list: REPLICAS,
      },
      read: { importsListed: true },
      ...inRegion,
      refers: { database_id: "Database", vpc_id: "Vpc" },
      takes: fields(
        {
          database_id: database,
          region: text("The region's id. A change moves the replica."),
          label: text("What it is called."),
          tag: text("A tag."),
          vpc_id: text("The id of its VPC."),
        },
        ["database_id"],
      ),
      name: { property: "label" },
      update: "PUT",
      parts: [
        {
          properties: ["tag"],
          afterCreate: true,
          method: "PUT",
          path: REPLICA,
          absent: { tag: "" },
        },
        { properties: ["region"], method: "PUT", path: REPLICA },
        {
          properties: ["vpc_id"],
          afterCreate: true,
          method: "PUT",
          path: REPLICA,
          absent: { vpc_id: "" },
        },
      ],
      ...secrets,
      state: { path: "status", ready: ["Running"] },
      ...since("label", "region"),
      timing: { pollMs: 10_000, createMinutes: 120, updateMinutes: 120, deleteMinutes: 15 },
    },

    DatabaseDb: {
      description: "A database in a managed database of MySQL or PostgreSQL.",
      path: `${DATABASE}/dbs`,
      ...envelope("db"),
      takes: fields({ database_id: database, name: text("The name.") }, ["database_id"]),
      outputs: ["id"],
      ...byName("name"),
      update: "none",
    },

    DatabasePool: {
      description: "A connection pool of a managed database of PostgreSQL.",
      path: `${DATABASE}/connection-pools`,
      ...envelope("connection_pool"),
      takes: fields(
        {
          database_id: database,
          name: text("The name."),
          database: text("The name of the database in it."),
          username: text("The name of the user."),
          mode: text("When a connection is given back.", "session", "transaction", "statement"),
          size: whole("How many connections."),
        },
        ["database_id", "database", "username", "mode", "size"],
      ),
      outputs: ["id"],
      ...byName("name"),
      update: "PUT",
      createOnly: ["name"],
    },

    DatabaseUser: {
      description: "A user of a managed database.",
      path: `${DATABASE}/users`,
      ...envelope("user"),
      takes: fields(
        {
          database_id: database,
          username: text("The name."),
          password: text("The password; without one, Vultr chooses."),
          encryption: text("MySQL: how the password is stored."),
          permission: text("Kafka: what it may do.", "admin", "read", "write", "readwrite"),
          access_control: field(
            "Valkey: what it may do.",
            group({
              acl_categories: { type: "array", items: aText },
              acl_channels: { type: "array", items: aText },
              acl_commands: { type: "array", items: aText },
              acl_keys: { type: "array", items: aText },
            }),
          ),
        },
        ["database_id"],
      ),
      ...byName("username"),
      update: "none",
      parts: [
        {
          properties: ["password"],
          method: "PUT",
          path: `${DATABASE}/users/{id}`,
          absent: "keep",
        },
        {
          properties: ["access_control"],
          afterCreate: true,
          method: "PUT",
          path: `${DATABASE}/users/{id}/access-control`,
          body: {
            acl_categories: "{access_control.acl_categories}",
            acl_channels: "{access_control.acl_channels}",
            acl_commands: "{access_control.acl_commands}",
            acl_keys: "{access_control.acl_keys}",
          },
          absent: "keep",
        },
      ],
      secretOutputs: ["password", "access_key", "access_cert"],
    },
  };
}
