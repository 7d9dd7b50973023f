/** What Supabase's Management API takes and shows of the eleven types, in our own words. */
import type { JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import { supabaseTypes } from "#providers/supabase/types.ts";
import {
  aFlag,
  aMap,
  anInteger,
  aText,
  aTime,
  aUuid,
  choice,
  listOf,
  object,
  orNull,
  type WrittenCall,
  type WrittenCollection,
  writeDescription,
} from "#test/support/fake-cloud/write-description.ts";

const PROJECTS = "/v1/projects";
const PROJECT = `${PROJECTS}/{ref}`;
const AUTH = `${PROJECT}/config/auth`;

const projectStatus = choice(
  "COMING_UP",
  "ACTIVE_HEALTHY",
  "INACTIVE",
  "PAUSING",
  "RESTORING",
  "INIT_FAILED",
  "GOING_DOWN",
  "REMOVED",
);

const shownProject = {
  "id!": aText,
  "ref!": aText,
  "organization_id!": aText,
  "organization_slug!": aText,
  "name!": aText,
  "region!": aText,
  "created_at!": aText,
  "status!": projectStatus,
  database: object({ "host!": aText, "version!": aText }),
};

const apiKey = {
  name: aText,
  description: orNull(aText),
  secret_jwt_template: orNull(aMap),
};

const functionShown = object({
  "id!": aText,
  "slug!": aText,
  "name!": aText,
  "status!": choice("ACTIVE", "REMOVED", "THROTTLED"),
  "version!": anInteger,
  "created_at!": anInteger,
  "updated_at!": anInteger,
  verify_jwt: aFlag,
});

const saml = {
  metadata_url: aText,
  metadata_xml: aText,
  domains: listOf(aText),
  attribute_mapping: object({ "keys!": aMap }),
  name_id_format: aText,
};

const thirdParty = { oidc_issuer_url: aText, jwks_url: aText, custom_jwks: aMap };

const algorithm = choice("EdDSA", "ES256", "RS256", "HS256");
const keyStatus = choice("in_use", "previously_used", "revoked", "standby");

export const supabaseCollections: readonly WrittenCollection[] = [
  {
    path: PROJECTS,
    param: "ref",
    shown: object(shownProject),
    create: object({
      "name!": aText,
      "organization_slug!": aText,
      "db_pass!": aText,
      region: aText,
      desired_instance_size: aText,
      template_url: aText,
    }),
    deleted: { status: 200, body: object({ id: anInteger, ref: aText, name: aText }) },
  },
  {
    path: `${PROJECT}/api-keys`,
    param: "id",
    shown: object({
      ...apiKey,
      "name!": aText,
      id: orNull(aText),
      type: choice("legacy", "publishable", "secret"),
      api_key: orNull(aText),
      prefix: aText,
      hash: aText,
      "inserted_at!": aTime,
    }),
    create: object({ ...apiKey, "name!": aText, "type!": choice("publishable", "secret") }),
    update: { method: "patch", body: object(apiKey) },
    deleted: { status: 200, body: aMap },
    filters: ["reveal"],
    query: ["reveal"],
  },
  {
    path: `${PROJECT}/functions`,
    param: "function_slug",
    shown: functionShown,
    create: object({ "slug!": aText, "name!": aText, "body!": aText, verify_jwt: aFlag }),
    update: { method: "patch", body: object({ name: aText, body: aText, verify_jwt: aFlag }) },
    deleted: { status: 200, body: aMap },
  },
  {
    path: `${AUTH}/sso/providers`,
    param: "provider_id",
    many: "items",
    shown: object({
      "id!": aText,
      saml: object({ "id!": aText, "entity_id!": aText, ...saml, domains: aMap }),
      domains: listOf(object({ id: aText, domain: aText })),
      "created_at!": aText,
    }),
    create: object({ "type!": choice("saml"), ...saml }),
    update: { method: "put", body: object(saml) },
    deleted: { status: 200, body: aMap },
  },
  {
    path: `${AUTH}/third-party-auth`,
    param: "tpa_id",
    shown: object({ ...thirdParty, "id!": aUuid, "type!": aText, "inserted_at!": aTime }),
    create: object(thirdParty),
    deleted: { status: 200, body: aMap },
  },
  {
    path: `${AUTH}/signing-keys`,
    param: "id",
    many: "keys",
    shown: object({
      "id!": aUuid,
      "algorithm!": algorithm,
      "status!": keyStatus,
      public_jwk: aMap,
      "created_at!": aTime,
    }),
    create: object({
      "algorithm!": algorithm,
      status: choice("in_use", "standby"),
      private_jwk: aMap,
    }),
    update: { method: "patch", body: object({ "status!": keyStatus }) },
    deleted: { status: 200, body: aMap },
  },
];

function schemaOf({ type, enum: choices }: ValueShape): JsonMap {
  if (type === "object") return aMap;
  return { type: type ?? "string", ...(choices === undefined ? {} : { enum: [...choices] }) };
}

/** The names of some 260 settings, as the rows have them; `npm run test:specs` holds the rows to the vendor's. */
function settingsOf(type: string, known: (schema: JsonMap) => JsonMap): JsonMap {
  const { ref: _, ...settings } = supabaseTypes.facts(`supabase:${type}`)?.shape?.properties ?? {};
  return object(
    Object.fromEntries(
      Object.entries(settings).map(([name, shape]) => [name, known(schemaOf(shape))]),
    ),
  );
}

const auth = settingsOf("AuthConfig", orNull);
const postgres = settingsOf("PostgresConfig", (schema) => schema);
const postgrestSettings = {
  db_schema: aText,
  db_extra_search_path: aText,
  max_rows: anInteger,
  db_pool: orNull(anInteger),
};
const postgrest = object({ ...postgrestSettings, db_pool: anInteger });
const shownPostgrest = object({ ...postgrestSettings, jwt_secret: aText });
const isEnabled = { "enabled!": aFlag };
const storageSettings = {
  fileSizeLimit: anInteger,
  features: object({
    imageTransformation: object(isEnabled),
    s3Protocol: object(isEnabled),
    icebergCatalog: object({
      ...isEnabled,
      "maxNamespaces!": anInteger,
      "maxTables!": anInteger,
      "maxCatalogs!": anInteger,
    }),
    vectorBuckets: object({ ...isEnabled, "maxBuckets!": anInteger, "maxIndexes!": anInteger }),
  }),
};
const storage = object(storageSettings);
const shownStorage = object({
  ...storageSettings,
  "capabilities!": aMap,
  "external!": aMap,
  "migrationVersion!": aText,
  "databasePoolMode!": aText,
});
const pooler = {
  default_pool_size: orNull(anInteger),
  pool_mode: choice("transaction", "session"),
};
const shownPooler = object({
  ...pooler,
  "identifier!": aText,
  "database_type!": choice("PRIMARY", "READ_REPLICA"),
  "is_using_scram_auth!": aFlag,
  "db_user!": aText,
  "db_host!": aText,
  "db_port!": anInteger,
  "db_name!": aText,
  "connection_string!": aText,
  "connectionString!": aText,
  "max_client_conn!": orNull(anInteger),
});
const ranges = { dbAllowedCidrs: listOf(aText), dbAllowedCidrsV6: listOf(aText) };
const restrictions = object({
  "entitlement!": choice("disallowed", "allowed"),
  "config!": object(ranges),
  "status!": choice("stored", "applied"),
});

const branch = object({
  "id!": aText,
  "name!": aText,
  "project_ref!": aText,
  "parent_project_ref!": aText,
  "is_default!": aFlag,
  git_branch: aText,
  "persistent!": aFlag,
  "status!": aText,
  "created_at!": aTime,
  "updated_at!": aTime,
  "with_data!": aFlag,
  notify_url: aText,
});
const changedBranch = {
  branch_name: aText,
  git_branch: aText,
  persistent: aFlag,
  notify_url: aText,
};
const namedValue = { "name!": aText, "value!": aText };

const BRANCH = "/v1/branches/{branch_id_or_ref}";

export const supabaseCalls: readonly WrittenCall[] = [
  {
    method: "patch",
    path: PROJECT,
    body: object({ "name!": aText }),
    status: 200,
    answer: object({ "id!": anInteger, "ref!": aText, "name!": aText }),
  },
  {
    method: "get",
    path: "/v1/organizations",
    status: 200,
    answer: listOf(object({ "id!": aText, "slug!": aText, "name!": aText })),
  },
  {
    method: "patch",
    path: `${PROJECT}/database/password`,
    body: object({ "password!": aText }),
    status: 200,
    answer: object({ "message!": aText }),
  },
  {
    method: "patch",
    path: `${PROJECT}/billing/addons`,
    body: object({ "addon_variant!": aText, "addon_type!": choice("compute_instance") }),
    status: 200,
  },
  { method: "get", path: AUTH, status: 200, answer: auth },
  { method: "patch", path: AUTH, body: auth, status: 200, answer: auth },
  { method: "get", path: `${PROJECT}/config/database/postgres`, status: 200, answer: postgres },
  {
    method: "put",
    path: `${PROJECT}/config/database/postgres`,
    body: postgres,
    status: 200,
    answer: postgres,
  },
  { method: "get", path: `${PROJECT}/postgrest`, status: 200, answer: shownPostgrest },
  {
    method: "patch",
    path: `${PROJECT}/postgrest`,
    body: postgrest,
    status: 200,
    answer: object(postgrestSettings),
  },
  { method: "get", path: `${PROJECT}/config/storage`, status: 200, answer: shownStorage },
  { method: "patch", path: `${PROJECT}/config/storage`, body: storage, status: 200 },
  {
    method: "get",
    path: `${PROJECT}/config/database/pooler`,
    status: 200,
    answer: listOf(shownPooler),
  },
  {
    method: "patch",
    path: `${PROJECT}/config/database/pooler`,
    body: object(pooler),
    status: 200,
    answer: object(pooler),
  },
  { method: "get", path: `${PROJECT}/network-restrictions`, status: 200, answer: restrictions },
  {
    method: "post",
    path: `${PROJECT}/network-restrictions/apply`,
    body: object(ranges),
    status: 201,
    answer: restrictions,
  },
  {
    method: "get",
    path: `${PROJECT}/secrets`,
    status: 200,
    answer: listOf(object({ ...namedValue, updated_at: aText })),
  },
  { method: "post", path: `${PROJECT}/secrets`, body: listOf(object(namedValue)), status: 201 },
  { method: "delete", path: `${PROJECT}/secrets`, body: listOf(aText), status: 200 },
  { method: "get", path: `${PROJECT}/branches`, status: 200, answer: listOf(branch) },
  {
    method: "post",
    path: `${PROJECT}/branches`,
    body: object({
      ...changedBranch,
      "branch_name!": aText,
      region: aText,
      desired_instance_size: aText,
      postgres_engine: aText,
      secrets: aMap,
      with_data: aFlag,
    }),
    status: 201,
    answer: branch,
  },
  {
    method: "get",
    path: BRANCH,
    status: 200,
    answer: object({
      "ref!": aText,
      "status!": aText,
      "db_host!": aText,
      db_pass: aText,
      jwt_secret: aText,
    }),
  },
  {
    method: "patch" as const,
    path: BRANCH,
    body: object(changedBranch),
    status: 200,
    answer: branch,
  },
  {
    method: "delete",
    path: BRANCH,
    status: 200,
    answer: object({ "message!": choice("ok") }),
  },
];

export const supabaseDocument: JsonMap = writeDescription(
  supabaseCollections,
  supabaseCalls,
  object({ "message!": aText }),
);
