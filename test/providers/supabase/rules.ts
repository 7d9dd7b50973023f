/** What Supabase's description does not say: what stands in a project besides its collections, and what conflicts. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type {
  Action,
  ActionCall,
  FakeObject,
  FakeRules,
  FakeWorld,
} from "#test/support/fake-cloud/rules.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";

const PROJECTS = "/v1/projects";
const PROJECT = `${PROJECTS}/{ref}`;
const AUTH = `${PROJECT}/config/auth`;
export const ORGANIZATION = "acme";
/** What an unwary answer would show of a secret that the cloud knows. */
export const CANARY = "canary-of-the-cloud";

/** What a project has besides what the description calls collections. */
export interface InProject {
  auth: JsonMap;
  postgres: JsonMap;
  postgrest: JsonMap;
  storage: JsonMap;
  pooler: JsonMap;
  restrictions: JsonMap;
  password: Json;
  size: Json;
  secrets: Map<string, { value: Json; updatedMs: number }>;
  branches: JsonMap[];
}

function refOf(world: FakeWorld): string {
  const number = String(world.nextNumber());
  return number.padStart(20, "0").replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "");
}

const project = ({ params, world }: ActionCall): FakeObject | undefined =>
  world.at(PROJECTS, params["ref"] ?? "");

const iso = (world: FakeWorld): string => new Date(world.now()).toISOString();

/** A value as the cloud shows it: never itself. */
const digest = (value: Json): string => `digest-${textOf(value).length}`;

/** The rules of one cloud, which remember what its projects have. `settings`: the names of all settings, by their path. */
export function supabaseRules(settings: { auth: readonly string[] }): {
  rules: FakeRules;
  inProject: (project: FakeObject) => InProject;
} {
  let newest = "";
  const known = new WeakMap<FakeObject, InProject>();
  const inProject = (object: FakeObject): InProject => {
    const had = known.get(object);
    if (had !== undefined) return had;
    const fresh: InProject = {
      auth: Object.fromEntries(settings.auth.map((name): [string, Json] => [name, null])),
      postgres: { max_connections: 60 },
      postgrest: {
        db_schema: "public",
        db_extra_search_path: "public,extensions",
        max_rows: 1000,
        db_pool: null,
      },
      storage: {
        fileSizeLimit: 52_428_800,
        features: {
          imageTransformation: { enabled: false },
          s3Protocol: { enabled: false },
          icebergCatalog: { enabled: false, maxNamespaces: 10, maxTables: 10, maxCatalogs: 2 },
          vectorBuckets: { enabled: false, maxBuckets: 10, maxIndexes: 5 },
        },
      },
      pooler: { default_pool_size: null, pool_mode: "transaction" },
      restrictions: { dbAllowedCidrs: ["0.0.0.0/0"], dbAllowedCidrsV6: ["::/0"] },
      password: null,
      size: "micro",
      secrets: new Map(),
      branches: [],
    };
    for (const name of ["mailer_otp_exp", "sms_otp_length", "mfa_phone_otp_length"])
      fresh.auth[name] = 6;
    fresh.auth["custom_oauth_enabled"] = false;
    fresh.auth["oauth_server_enabled"] = false;
    fresh.auth["oauth_server_allow_dynamic_registration"] = false;
    fresh.auth["custom_oauth_max_providers"] = 3;
    known.set(object, fresh);
    return fresh;
  };

  const reads = (body: (of: InProject, call: ActionCall) => Json): Action => ({
    verb: "read",
    of: project,
    run: (call, object) => ({ status: 200, body: body(inProject(object), call) }),
  });
  const sets = (
    status: number,
    set: (of: InProject, call: ActionCall, object: FakeObject) => Json | undefined,
  ): Action => ({
    verb: "update",
    of: project,
    run: (call, object) => {
      const body = set(inProject(object), call, object);
      return { status, ...(body === undefined ? {} : { body }) };
    },
  });

  const poolerShown = (pooler: JsonMap, identifier: string, type: string): JsonMap => ({
    ...pooler,
    identifier,
    database_type: type,
    is_using_scram_auth: true,
    db_user: `postgres.${identifier}`,
    db_host: "pooler.cloud.example",
    db_port: 6543,
    db_name: "postgres",
    connection_string: `postgresql://postgres.${identifier}:[YOUR-PASSWORD]@pooler.cloud.example`,
    connectionString: "",
    max_client_conn: 200,
  });
  const authShown = ({ auth }: InProject): JsonMap =>
    Object.fromEntries(
      Object.entries(auth).map(([name, value]) => [
        name,
        /_(secrets?|pass)$/.test(name) && value !== null ? digest(value) : value,
      ]),
    );
  const restrictionsShown = ({ restrictions }: InProject): JsonMap => ({
    entitlement: "allowed",
    config: restrictions,
    status: "applied",
  });

  const branchOf = ({ params, world }: ActionCall) => {
    for (const object of world.objects(PROJECTS)) {
      const found = inProject(object).branches.find(({ id }) => id === params["branch_id_or_ref"]);
      if (found !== undefined) return { object, found };
    }
    return undefined;
  };
  const atBranch = (
    verb: "read" | "update",
    run: (branch: JsonMap, call: ActionCall, object: FakeObject) => Json,
  ): Action => ({
    verb,
    of: (call) => branchOf(call)?.object,
    run: (call, object) => ({
      status: 200,
      body: run(branchOf(call)?.found ?? {}, call, object),
    }),
  });
  const setBranch = (branch: JsonMap, { branch_name: name, ...body }: JsonMap): void => {
    const shown = new Set(["git_branch", "persistent", "notify_url", "with_data"]);
    for (const [key, value] of Object.entries(body)) if (shown.has(key)) branch[key] = value;
    if (name !== undefined) branch["name"] = name;
  };

  const actions: Record<string, Action> = {
    [`PATCH ${PROJECT}/database/password`]: sets(200, (of, { body }) => {
      of.password = body["password"] ?? null;
      return { message: "ok" };
    }),
    [`PATCH ${PROJECT}/billing/addons`]: sets(200, (of, { body }) => {
      of.size = textOf(body["addon_variant"]).replace("ci_", "");
      return undefined;
    }),
    [`GET ${AUTH}`]: reads(authShown),
    [`PATCH ${AUTH}`]: sets(200, (of, { body }) => {
      Object.assign(of.auth, body);
      return authShown(of);
    }),
    [`GET ${PROJECT}/config/database/postgres`]: reads(({ postgres }) => postgres),
    [`PUT ${PROJECT}/config/database/postgres`]: sets(200, (of, { body }) => {
      const { restart_database: _, ...parameters } = body;
      return Object.assign(of.postgres, parameters);
    }),
    [`GET ${PROJECT}/postgrest`]: reads(({ postgrest }) => ({
      ...postgrest,
      jwt_secret: `${CANARY}-jwt`,
    })),
    [`PATCH ${PROJECT}/postgrest`]: sets(200, (of, { body }) => Object.assign(of.postgrest, body)),
    [`GET ${PROJECT}/config/storage`]: reads(({ storage }) => ({
      ...storage,
      capabilities: { list_v2: true, iceberg_catalog: false },
      external: { upstreamTarget: "main" },
      migrationVersion: "40",
      databasePoolMode: "recycled",
    })),
    [`PATCH ${PROJECT}/config/storage`]: sets(200, (of, { body: { features, ...others } }) => {
      const before = isJsonMap(of.storage["features"]) ? of.storage["features"] : {};
      const set = isJsonMap(features) ? features : {};
      Object.assign(of.storage, others, { features: { ...before, ...set } });
      return undefined;
    }),
    [`GET ${PROJECT}/config/database/pooler`]: reads(({ pooler }, { params }) => [
      poolerShown(pooler, "replica-of-it", "READ_REPLICA"),
      poolerShown(pooler, params["ref"] ?? "", "PRIMARY"),
    ]),
    [`PATCH ${PROJECT}/config/database/pooler`]: sets(200, (of, { body }) =>
      Object.assign(of.pooler, body),
    ),
    [`GET ${PROJECT}/network-restrictions`]: reads(restrictionsShown),
    [`POST ${PROJECT}/network-restrictions/apply`]: sets(201, (of, { body }) => {
      of.restrictions = { dbAllowedCidrs: [], dbAllowedCidrsV6: [], ...body };
      return restrictionsShown(of);
    }),
    [`GET ${PROJECT}/secrets`]: reads(({ secrets }) =>
      [...secrets].map(([name, { value, updatedMs }]) => ({
        name,
        value: digest(value),
        updated_at: new Date(updatedMs).toISOString(),
      })),
    ),
    [`POST ${PROJECT}/secrets`]: sets(201, ({ secrets }, { sent, world }) => {
      for (const one of Array.isArray(sent) ? sent : [])
        if (isJsonMap(one))
          secrets.set(textOf(one["name"]), { value: one["value"] ?? "", updatedMs: world.now() });
      return undefined;
    }),
    [`DELETE ${PROJECT}/secrets`]: sets(200, ({ secrets }, { sent }) => {
      for (const name of Array.isArray(sent) ? sent : []) secrets.delete(textOf(name));
      return undefined;
    }),
    [`GET ${PROJECT}/branches`]: reads(({ branches }) => branches),
    [`POST ${PROJECT}/branches`]: sets(201, ({ branches }, { body, world }, { key }) => {
      const branch: JsonMap = {
        id: world.newId(),
        name: "",
        project_ref: refOf(world),
        parent_project_ref: key,
        is_default: false,
        persistent: false,
        status: "FUNCTIONS_DEPLOYED",
        with_data: false,
        created_at: iso(world),
        updated_at: iso(world),
      };
      setBranch(branch, body);
      branches.push(branch);
      return branch;
    }),
    "GET /v1/branches/{branch_id_or_ref}": atBranch("read", ({ project_ref: ref }) => ({
      ref: ref ?? "",
      postgres_version: "17",
      postgres_engine: "17",
      release_channel: "ga",
      status: "ACTIVE_HEALTHY",
      db_host: "db.cloud.example",
      db_port: 5432,
      db_user: "postgres",
      db_pass: `${CANARY}-password`,
      jwt_secret: `${CANARY}-jwt`,
    })),
    "PATCH /v1/branches/{branch_id_or_ref}": atBranch("update", (branch, { body }) => {
      setBranch(branch, body);
      return branch;
    }),
    "DELETE /v1/branches/{branch_id_or_ref}": atBranch("update", (branch, _, object) => {
      const { branches } = inProject(object);
      branches.splice(branches.indexOf(branch), 1);
      return { message: "ok" };
    }),
  };

  const rules: FakeRules = {
    collections: {
      [PROJECTS]: {
        key: "ref",
        newKey: (world) => {
          newest = refOf(world);
          return newest;
        },
        states: { path: "status", from: "COMING_UP", to: "ACTIVE_HEALTHY", failed: "INIT_FAILED" },
        slowDelete: true,
        show: ({ organization_slug: isNew }, world) => ({
          ...(isNew === undefined ? {} : { id: newest }),
          organization_id: ORGANIZATION,
          created_at: iso(world),
          database: {
            host: "db.cloud.example",
            version: "17.4",
            postgres_engine: "17",
            release_channel: "ga",
          },
        }),
        owns: [
          `${PROJECT}/api-keys`,
          `${PROJECT}/functions`,
          `${AUTH}/sso/providers`,
          `${AUTH}/third-party-auth`,
          `${AUTH}/signing-keys`,
        ].map((collection) => ({ collection, param: "ref" })),
      },
      [`${PROJECT}/api-keys`]: {
        search: { reveal: () => true },
        show: ({ type }, world) =>
          type === undefined
            ? {}
            : { api_key: `${CANARY}-key`, prefix: "abcde", hash: "ab12", inserted_at: iso(world) },
      },
      [`${PROJECT}/functions`]: {
        key: "slug",
        unique: ["slug"],
        show: ({ slug }, world) =>
          slug === undefined
            ? {}
            : { id: world.newId(), created_at: world.now(), updated_at: world.now(), version: 1 },
      },
      [`${AUTH}/sso/providers`]: {
        show: ({ domains, type, ...saml }, world) => ({
          ...(type === undefined ? {} : { created_at: iso(world) }),
          metadata_url: undefined,
          metadata_xml: undefined,
          saml: { id: world.newId(), entity_id: "https://idp.example", ...saml },
          domains: (Array.isArray(domains) ? domains : []).map((domain) => ({
            id: world.newId(),
            domain: textOf(domain),
          })),
        }),
      },
      [`${AUTH}/signing-keys`]: {
        keeps: ({ shown }) =>
          shown["status"] === "in_use"
            ? { status: 400, code: "in_use", message: "The key is in use" }
            : undefined,
        show: ({ algorithm, status }) =>
          algorithm === undefined ? {} : { status: status ?? "standby" },
      },
    },
    actions,
    error: ({ message }) => ({ message }),
    headers: () => ({
      "x-ratelimit-limit": "120",
      "x-ratelimit-remaining": "100",
      "x-ratelimit-reset": "60",
    }),
  };
  return { rules, inProject };
}
