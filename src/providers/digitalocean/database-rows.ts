import {
  aFlag,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  text,
  texts,
} from "#providers/rest/fields.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { envelope, unpaged } from "./envelope.ts";
import {
  aChoice,
  aLabel,
  amount,
  anAmount,
  choice,
  label,
  someHosts,
  someLabels,
  typed,
} from "./fields.ts";
import { byMark, tagParts } from "./tag-parts.ts";

const CLUSTER = "/v2/databases/{database_cluster_uuid}";

/** Each of these connections has an address with a password in it. */
function secretsOf(...connections: readonly string[]): string[] {
  return connections.flatMap((name) => [`${name}.uri`, `${name}.password`]);
}

export function databaseRows(): RestRows {
  const cluster = text("The id of its database cluster.");

  const rules = field(
    "Who may connect.",
    listOf(
      group(
        {
          type: oneOf("droplet", "k8s", "ip_addr", "tag", "app"),
          value: typed("type", {
            droplet: "Droplet",
            k8s: "Kubernetes",
            app: "App",
            ip_addr: "",
          }),
          uuid: aText,
          description: aLabel,
        },
        ["type", "value"],
      ),
    ),
  );

  const doSettings = field("Further host names.", group({ service_cnames: someHosts }));

  const own = ["connection", "private_connection"];
  const standby = ["standby_connection", "standby_private_connection"];

  /** A name inside a cluster, for those that the engine chooses. */
  const nameInCluster = {
    maxLength: 63,
    alphabet: "underscores",
    letterFirst: true,
  } as const;

  /** The name is the id in its cluster. */
  const byName = {
    id: { at: "name", within: "{database_cluster_uuid}", known: "{name}" },
    name: { property: "name", rule: nameInCluster, unique: true },
    find: { by: "name" },
  } as const;

  return {
    Database: {
      description: "A managed database cluster.",
      path: "/v2/databases",
      ...envelope("database"),
      ...unpaged,
      region: { property: "region" },
      defaults: { region: { region: true } },
      refers: {
        private_network_uuid: "Vpc",
        project_id: "Project",
      },
      takes: fields(
        {
          name: label("The name, unique in the account."),
          engine: text(
            "The engine.",
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
          version: choice("The engine's version. A newer one upgrades the cluster."),
          num_nodes: amount("How many nodes."),
          size: choice("The slug of the nodes' size."),
          storage_size_mib: amount(
            "Additional storage in MiB. It stays when this is left out later.",
          ),
          region: choice("The region's slug. A change moves the cluster."),
          private_network_uuid: text("The id of its VPC."),
          project_id: text("The id of its project."),
          tags: texts("Tags."),
          rules,
          backup_restore: field(
            "The cluster and the backup that it is made from.",
            group({ database_name: aText, backup_created_at: aLabel }, ["database_name"]),
          ),
          autoscale: field(
            "Whether storage grows by itself.",
            group({
              storage: group(
                { enabled: aFlag, threshold_percent: anAmount, increment_gib: anAmount },
                ["enabled"],
              ),
            }),
          ),
          do_settings: doSettings,
        },
        ["engine", "num_nodes", "size"],
      ),
      name: { property: "name", rule: { maxLength: 63, letterFirst: true }, unique: true },
      update: "none",
      createOnly: ["backup_restore"],
      parts: [
        { properties: ["rules"], method: "PUT", path: "/v2/databases/{id}/firewall" },
        {
          properties: ["version"],
          method: "PUT",
          path: "/v2/databases/{id}/upgrade",
          absent: "keep",
        },
        {
          properties: ["size", "num_nodes", "storage_size_mib"],
          method: "PUT",
          path: "/v2/databases/{id}/resize",
          absent: "keep",
        },
        { properties: ["region"], method: "PUT", path: "/v2/databases/{id}/migrate" },
        {
          properties: ["autoscale"],
          method: "PUT",
          path: "/v2/databases/{id}/autoscale",
          body: { storage: "{autoscale.storage}" },
          absent: { storage: { enabled: false } },
        },
        {
          properties: ["do_settings"],
          method: "PUT",
          path: "/v2/databases/{id}/do_settings",
          absent: { do_settings: { service_cnames: [] } },
        },
        ...tagParts("database"),
      ],
      writeOnly: ["rules", "backup_restore", "autoscale"],
      compare: { sets: ["tags", "rules"], caseInsensitive: ["tags[*]"] },
      secretOutputs: [
        ...secretsOf(...own, ...standby, "ui_connection", "schema_registry_connection"),
        "users[*].password",
        "users[*].access_cert",
        "users[*].access_key",
      ],
      state: { path: "status", ready: ["online"] },
      find: { ...byMark, query: "tag_name" },
      timing: { pollMs: 10_000, createMinutes: 60, updateMinutes: 120, deleteMinutes: 15 },
    },

    DatabaseDb: {
      description: "A database in a cluster.",
      path: `${CLUSTER}/dbs`,
      ...envelope("db"),
      ...unpaged,
      refers: { database_cluster_uuid: "Database" },
      takes: fields({ database_cluster_uuid: cluster, name: label("The name.") }, [
        "database_cluster_uuid",
      ]),
      outputs: ["id"],
      ...byName,
      update: "none",
    },

    DatabaseUser: {
      description: "A user of a database cluster. The cloud chooses the password.",
      path: `${CLUSTER}/users`,
      ...envelope("user"),
      ...unpaged,
      refers: { database_cluster_uuid: "Database" },
      takes: fields(
        {
          database_cluster_uuid: cluster,
          name: label("The name."),
          readonly: flag("Whether it may only read (MongoDB)."),
          mysql_settings: field(
            "How it signs in to MySQL.",
            group({ auth_plugin: oneOf("mysql_native_password", "caching_sha2_password") }, [
              "auth_plugin",
            ]),
          ),
          settings: field(
            "What it may do.",
            group({
              pg_allow_replication: aFlag,
              opensearch_acl: listOf(group({ index: aLabel, permission: aChoice })),
              acl: listOf(group({ id: aLabel, topic: aLabel, permission: aChoice })),
              mongo_user_settings: group({ databases: someLabels, role: aChoice }),
            }),
          ),
        },
        ["database_cluster_uuid"],
      ),
      ...byName,
      update: "PUT",
      fallback: { settings: {} },
      createOnly: ["name", "readonly", "mysql_settings"],
      writeOnly: ["readonly"],
      secretOutputs: ["password", "access_cert", "access_key"],
    },

    DatabasePool: {
      description: "A connection pool of a PostgreSQL cluster.",
      path: `${CLUSTER}/pools`,
      ...envelope("pool"),
      ...unpaged,
      refers: { database_cluster_uuid: "Database" },
      takes: fields(
        {
          database_cluster_uuid: cluster,
          name: label("The name."),
          mode: text(
            "How long a client keeps a connection.",
            "session",
            "transaction",
            "statement",
          ),
          size: amount("How many connections."),
          db: label("The name of its database."),
          user: label("The name of its user; without one, clients bring theirs."),
        },
        ["database_cluster_uuid", "mode", "size", "db"],
      ),
      ...byName,
      update: "PUT",
      createOnly: ["name"],
      secretOutputs: secretsOf(...own, ...standby),
    },

    DatabaseReplica: {
      description: "A copy of a cluster, for reading.",
      path: `${CLUSTER}/replicas`,
      ...envelope("replica"),
      ...unpaged,
      region: { property: "region" },
      defaults: { region: { region: true } },
      refers: { database_cluster_uuid: "Database", private_network_uuid: "Vpc" },
      takes: fields(
        {
          database_cluster_uuid: cluster,
          name: label("The name."),
          region: choice("The region's slug."),
          size: choice("The slug of the node's size."),
          storage_size_mib: amount("Additional storage in MiB."),
          private_network_uuid: text("The id of its VPC."),
          tags: texts("Tags."),
          do_settings: doSettings,
        },
        ["database_cluster_uuid", "size"],
      ),
      ...byName,
      name: { ...byName.name, rule: { maxLength: 63, letterFirst: true } },
      find: byMark,
      update: "none",
      compare: { sets: ["tags"] },
      secretOutputs: secretsOf(...own),
      // The documentation's text and the API's description differ on the value.
      state: { path: "status", ready: ["online", "active"] },
      timing: { pollMs: 10_000, createMinutes: 60 },
    },

    DatabaseFirewall: {
      description: "Who may connect to a cluster: all of its rules.",
      path: `${CLUSTER}/firewall`,
      paths: { item: `${CLUSTER}/firewall` },
      id: { known: "{database_cluster_uuid}" },
      singleton: { reset: { rules: [] } },
      refers: { database_cluster_uuid: "Database" },
      takes: fields({ database_cluster_uuid: cluster, rules }, ["database_cluster_uuid", "rules"]),
      outputs: ["id"],
      update: "PUT",
      readOnly: ["rules[*].cluster_uuid", "rules[*].created_at"],
      compare: { sets: ["rules"] },
    },
  };
}
