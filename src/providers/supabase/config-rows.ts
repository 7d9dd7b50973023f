/** Settings of a project: sign-in, access to its database, parameters. */
import {
  aFlag,
  aMap,
  aNumber,
  aText,
  field,
  fields,
  flag,
  group,
  text,
  texts,
  whole,
} from "#providers/rest/fields.ts";
import { authFields, authNeverNull, authSecrets } from "./auth-config.ts";
import type { SupabaseType } from "./prepare-request.ts";
import { inProject, PROJECT, refField } from "./project-rows.ts";

const AUTH = `${PROJECT}/config/auth`;

/** Every project has one. A delete leaves it as it is, because a reset could open what was closed. */
function one(place: string) {
  return {
    path: `${PROJECT}/${place}`,
    paths: { item: `/v1/projects/{id}/${place}` },
    id: { known: "{ref}" },
    singleton: {},
    refers: inProject.refers,
  } as const;
}

const postgresTexts =
  "effective_cache_size logical_decoding_work_mem maintenance_work_mem track_activity_query_size max_slot_wal_keep_size max_standby_archive_delay max_standby_streaming_delay max_wal_size shared_buffers statement_timeout wal_keep_size wal_sender_timeout work_mem checkpoint_timeout";
const postgresNumbers =
  "max_connections max_locks_per_transaction max_parallel_maintenance_workers max_parallel_workers max_parallel_workers_per_gather max_replication_slots max_wal_senders max_worker_processes";

export function configRows(): Readonly<Record<string, SupabaseType>> {
  const secrets = authSecrets();
  const parameter = "As PostgreSQL's parameter.";
  const named = (names: string, is: typeof aText) =>
    Object.fromEntries(names.split(" ").map((name) => [name, field(parameter, is)]));

  return {
    AuthConfig: {
      description: "How a project signs people in. What leaves the template is set to null.",
      ...one("config/auth"),
      takes: fields({ ref: refField, ...authFields() }, ["ref"]),
      update: "PATCH",
      parts: [
        {
          properties: authNeverNull,
          method: "PATCH",
          path: "/v1/projects/{id}/config/auth",
          absent: "keep",
        },
      ],
      writeOnly: secrets,
      secretOutputs: secrets,
      outputs: [
        "id",
        "custom_oauth_max_providers",
        "nimbus_oauth_email_optional",
        "saml_allow_encrypted_assertions",
      ],
    },

    SsoProvider: {
      description: "A SAML identity provider of a project.",
      path: `${AUTH}/sso/providers`,
      ...inProject,
      envelope: { list: "items" },
      takes: fields(
        {
          ref: refField,
          type: text("What it is.", "saml"),
          metadata_url: text("The URL of its metadata."),
          metadata_xml: text("Its metadata."),
          domains: texts("The domains of the addresses that sign in by it."),
          attribute_mapping: field(
            "Which attributes become which.",
            group({ keys: { type: "object", items: aMap } }, ["keys"]),
          ),
          name_id_format: text("The format of the name."),
        },
        ["ref", "type"],
      ),
      update: "PUT",
      createOnly: ["type"],
      writeOnly: ["type"],
      compare: {
        at: {
          domains: "domains[*].domain",
          metadata_url: "saml.metadata_url",
          metadata_xml: "saml.metadata_xml",
          attribute_mapping: "saml.attribute_mapping",
          name_id_format: "saml.name_id_format",
        },
        sets: ["domains"],
      },
      find: {
        by: "properties",
        properties: ["metadata_url", "metadata_xml"],
        createdAt: "created_at",
      },
    },

    ThirdPartyAuth: {
      description: "An issuer whose tokens a project accepts.",
      path: `${AUTH}/third-party-auth`,
      ...inProject,
      takes: fields(
        {
          ref: refField,
          oidc_issuer_url: text("The URL of the issuer."),
          jwks_url: text("The URL of its keys."),
          custom_jwks: field("Its keys.", aMap),
        },
        ["ref"],
      ),
      update: "none",
      find: {
        by: "properties",
        properties: ["oidc_issuer_url", "jwks_url", "custom_jwks"],
        createdAt: "inserted_at",
      },
    },

    SigningKey: {
      description:
        "A key that signs a project's tokens. It is deleted once its status is `revoked`.",
      path: `${AUTH}/signing-keys`,
      ...inProject,
      envelope: { list: "keys" },
      takes: fields(
        {
          ref: refField,
          algorithm: text("The algorithm.", "EdDSA", "ES256", "RS256", "HS256"),
          status: text("What it is for.", "in_use", "standby", "previously_used", "revoked"),
          private_jwk: field("The key, if it is not a new one.", aMap),
        },
        ["ref", "algorithm"],
      ),
      update: "none",
      parts: [
        {
          properties: ["status"],
          method: "PATCH",
          path: `${AUTH}/signing-keys/{id}`,
          absent: "keep",
        },
      ],
      writeOnly: ["private_jwk"],
      find: { by: "properties", properties: ["algorithm"], createdAt: "created_at" },
    },

    NetworkRestrictions: {
      description: "The addresses from which a project's database can be reached.",
      ...one("network-restrictions"),
      paths: {
        item: "/v1/projects/{id}/network-restrictions",
        update: "/v1/projects/{id}/network-restrictions/apply",
      },
      takes: fields(
        {
          ref: refField,
          dbAllowedCidrs: texts("IPv4 ranges."),
          dbAllowedCidrsV6: texts("IPv6 ranges."),
        },
        ["ref"],
      ),
      update: "POST",
      // A list that is left out would stay as it is.
      fallback: { dbAllowedCidrs: [], dbAllowedCidrsV6: [] },
      compare: {
        at: {
          dbAllowedCidrs: "config.dbAllowedCidrs",
          dbAllowedCidrsV6: "config.dbAllowedCidrsV6",
        },
        sets: ["dbAllowedCidrs", "dbAllowedCidrsV6"],
      },
      state: { path: "status", ready: ["applied"] },
    },

    PostgresConfig: {
      description: "Parameters of a project's PostgreSQL. What leaves the template stays as it is.",
      ...one("config/database/postgres"),
      takes: fields(
        {
          ref: refField,
          ...named(postgresTexts, aText),
          ...named(postgresNumbers, aNumber),
          session_replication_role: text(parameter, "origin", "replica", "local"),
          track_commit_timestamp: field(parameter, aFlag),
          hot_standby_feedback: field(parameter, aFlag),
          restart_database: flag("Whether the change restarts the database."),
        },
        ["ref"],
      ),
      update: "PUT",
      writeOnly: ["restart_database"],
    },

    PostgrestConfig: {
      description: "The settings of a project's data API. What leaves the template stays as it is.",
      ...one("postgrest"),
      takes: fields(
        {
          ref: refField,
          db_schema: text("The schemas that it offers, such as `public,graphql_public`."),
          db_extra_search_path: text("Schemas that are searched besides."),
          max_rows: whole("The most rows of an answer."),
          db_pool: whole("How many connections it keeps; without one, by the instance's size."),
        },
        ["ref"],
      ),
      update: "PATCH",
      neverNull: true,
      read: { back: true },
      secretOutputs: ["jwt_secret"],
      outputs: ["id", "jwt_secret"],
    },

    StorageConfig: {
      description: "The settings of a project's storage. What leaves the template stays as it is.",
      ...one("config/storage"),
      takes: fields(
        {
          ref: refField,
          fileSizeLimit: whole("The size of the largest file, in bytes."),
          features: field(
            "What it can do.",
            group({
              imageTransformation: group({ enabled: aFlag }, ["enabled"]),
              s3Protocol: group({ enabled: aFlag }, ["enabled"]),
              icebergCatalog: group(
                {
                  enabled: aFlag,
                  maxNamespaces: aNumber,
                  maxTables: aNumber,
                  maxCatalogs: aNumber,
                },
                ["enabled", "maxNamespaces", "maxTables", "maxCatalogs"],
              ),
              vectorBuckets: group({ enabled: aFlag, maxBuckets: aNumber, maxIndexes: aNumber }, [
                "enabled",
                "maxBuckets",
                "maxIndexes",
              ]),
            }),
          ),
        },
        ["ref"],
      ),
      update: "PATCH",
      neverNull: true,
      outputs: ["id", "capabilities", "external", "migrationVersion", "databasePoolMode"],
    },

    PoolerConfig: {
      description:
        "The settings of a project's connection pooler. What leaves the template stays as it is.",
      ...one("config/database/pooler"),
      // It shows a list: of the primary database and its replicas.
      id: { known: "{ref}", at: "identifier" },
      read: { fromList: true, back: true },
      takes: fields(
        {
          ref: refField,
          default_pool_size: whole("How many connections a user has to a database."),
          pool_mode: text("When a connection is given back.", "transaction", "session"),
        },
        ["ref"],
      ),
      update: "PATCH",
      neverNull: true,
      outputs: [
        "id",
        "identifier",
        "database_type",
        "is_using_scram_auth",
        "db_user",
        "db_host",
        "db_port",
        "db_name",
        "connection_string",
        "connectionString",
        "max_client_conn",
      ],
    },
  };
}
