/** What Render's description does not say: how its objects look, wait, conflict and depend on each other. */
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

/** The workspace of the key. */
export const OWNER = "tea-acme";

const SERVICES = "/v1/services";
const JOBS = `${SERVICES}/{serviceId}/jobs`;
const ENVIRONMENTS = "/v1/environments";

const refusal = (status: number, message: string): Refusal => ({ status, code: "", message });
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const map = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});
const iso = (world: FakeWorld): string => new Date(world.now()).toISOString();

/** A page after the cursor, which is a place in the list. */
function page(
  items: readonly FakeObject[],
  url: URL,
  shown: (one: FakeObject, at: number) => Json,
): Json[] {
  const from = Number(url.searchParams.get("cursor") ?? 0);
  const size = Number(url.searchParams.get("limit") ?? 20);
  return items.slice(from, from + size).map((one, at) => shown(one, from + at + 1));
}

const listedAs = (kind: string): Required<Pick<CollectionRules, "listed">> => ({
  listed: (items, url) =>
    page(items, url, ({ shown }, at) => ({ cursor: String(at), [kind]: shown })),
});
const bare: Required<Pick<CollectionRules, "listed">> = {
  listed: (items, url) => page(items, url, ({ shown }) => shown),
};

const idOf = (prefix: string) => (world: FakeWorld) =>
  `${prefix}-${world.newId().replaceAll("-", "").slice(0, 20)}`;

const owner = { id: OWNER, name: "Acme", email: "acme@cloud.example", type: "team" };
const stored = (sent: JsonMap, world: FakeWorld) => ({
  owner,
  updatedAt: iso(world),
  ...(sent["ownerId"] === undefined ? {} : { createdAt: iso(world) }),
});

function needsParent(collection: string, name: string): Pick<CollectionRules, "refuses"> {
  return {
    refuses: (sent, world) =>
      world.at(collection, textOf(sent[name])) === undefined
        ? refusal(404, `${name} not found`)
        : undefined,
  };
}

/** How the deploys of services go: how long they take, and how they end. */
export interface DeployScript {
  takesMs: number;
  fails: boolean;
}

/** The last deploy of a service. */
const deploys = new WeakMap<FakeObject, { id: string; atMs: number }>();

function details(sent: JsonMap, before: JsonMap): JsonMap {
  const {
    envSpecificDetails,
    preDeployCommand,
    routes: _routes,
    headers: _headers,
    disk: _disk,
    ...rest
  } = map(sent["serviceDetails"]);
  const { registryCredentialId, ...environment } = map(envSpecificDetails);
  const shownBefore = map(before["envSpecificDetails"]);
  const { runtime = before["runtime"] ?? "node", publishPath = before["publishPath"] } = rest;
  const isDocker = runtime === "docker" || runtime === "image";
  return {
    ...(publishPath === undefined && {
      env: runtime,
      plan: "starter",
      region: "oregon",
      numInstances: 1,
      openPorts: [],
      healthCheckPath: "",
    }),
    ...before,
    ...rest,
    buildPlan: "starter",
    url: "https://app.onrender.example",
    envSpecificDetails: {
      ...(isDocker
        ? { dockerCommand: "", dockerContext: "", dockerfilePath: "" }
        : { buildCommand: "", startCommand: "" }),
      ...shownBefore,
      ...environment,
      ...(registryCredentialId === undefined
        ? {}
        : { registryCredential: { id: registryCredentialId, name: "images" } }),
      ...(preDeployCommand === undefined ? {} : { preDeployCommand }),
    },
  };
}

const collections: Readonly<Record<string, CollectionRules>> = {
  [SERVICES]: {
    ...listedAs("service"),
    newKey: idOf("srv"),
    unique: ["name"],
    created: (shown) => ({ service: shown, deployId: "dep-1" }),
    show: (sent, world, before) => ({
      ...(sent["ownerId"] === undefined
        ? {}
        : {
            autoDeploy: sent["autoDeploy"] ?? "yes",
            suspended: "not_suspended",
            createdAt: iso(world),
            slug: textOf(sent["name"]),
            dashboardUrl: "https://dashboard.render.example",
          }),
      rootDir: sent["rootDir"] ?? before["rootDir"] ?? "",
      updatedAt: iso(world),
      serviceDetails: details(sent, map(before["serviceDetails"])),
      ...(sent["image"] === undefined
        ? {}
        : { imagePath: `docker.io/${textOf(map(sent["image"])["imagePath"])}` }),
    }),
    owns: ["custom-domains", "routes", "jobs"].map((kind) => ({
      collection: `${SERVICES}/{serviceId}/${kind}`,
      param: "serviceId",
    })),
  },
  "/v1/disks": {
    ...listedAs("disk"),
    ...needsParent(SERVICES, "serviceId"),
    newKey: idOf("dsk"),
    show: (sent, world) => ({
      updatedAt: iso(world),
      ...(sent["serviceId"] === undefined ? {} : { createdAt: iso(world) }),
    }),
    refusesChange: ({ shown }, wanted) =>
      Number(wanted["sizeGB"]) < Number(shown["sizeGB"])
        ? refusal(400, "a disk can only grow")
        : undefined,
  },
  "/v1/postgres": {
    ...listedAs("postgres"),
    newKey: idOf("dpg"),
    states: { path: "status", from: "creating", to: "available", failed: "recovery_failed" },
    show: (sent, world, before) => ({
      ...stored(sent, world),
      ipAllowList: sent["ipAllowList"] ?? before["ipAllowList"] ?? [],
      databaseName: sent["databaseName"] ?? before["databaseName"] ?? "db",
      databaseUser: sent["databaseUser"] ?? before["databaseUser"] ?? "user",
      region: sent["region"] ?? before["region"] ?? "oregon",
      highAvailabilityEnabled:
        sent["enableHighAvailability"] ?? before["highAvailabilityEnabled"] ?? false,
      diskAutoscalingEnabled:
        sent["enableDiskAutoscaling"] ?? before["diskAutoscalingEnabled"] ?? false,
      readReplicas: list(sent["readReplicas"] ?? before["readReplicas"]).map((one) => ({
        id: "dpg-replica",
        ...map(one),
      })),
    }),
  },
  "/v1/key-value": {
    ...listedAs("keyValue"),
    newKey: idOf("red"),
    states: { path: "status", from: "creating", to: "available", failed: "recovery_failed" },
    show: (sent, world, before) => ({
      ...stored(sent, world),
      ipAllowList: sent["ipAllowList"] ?? before["ipAllowList"] ?? [],
      region: sent["region"] ?? before["region"] ?? "oregon",
      dashboardUrl: "https://dashboard.render.example",
      options: { maxmemoryPolicy: textOf(sent["maxmemoryPolicy"]).replace("_", "-") },
    }),
  },
  "/v1/env-groups": {
    ...bare,
    newKey: idOf("evg"),
    show: (sent, world, before) => ({
      updatedAt: iso(world),
      envVars: list(sent["envVars"] ?? before["envVars"]).map((one) => ({
        key: map(one)["key"] ?? "",
        value: map(one)["value"] ?? `canary-${world.newId()}`,
      })),
      secretFiles: sent["secretFiles"] ?? before["secretFiles"] ?? [],
      serviceLinks: before["serviceLinks"] ?? list(sent["serviceIds"]).map(link),
      ...(sent["ownerId"] === undefined ? {} : { createdAt: iso(world) }),
    }),
  },
  "/v1/projects": {
    ...listedAs("project"),
    newKey: idOf("prj"),
    show: (sent, world, before) => ({
      ...stored(sent, world),
      environmentIds: before["environmentIds"] ?? list(sent["environments"]).map(() => "evm-first"),
    }),
  },
  [ENVIRONMENTS]: {
    ...listedAs("environment"),
    ...needsParent("/v1/projects", "projectId"),
    newKey: idOf("evm"),
    show: (sent, _, before) => ({
      protectedStatus: sent["protectedStatus"] ?? before["protectedStatus"] ?? "unprotected",
      networkIsolationEnabled:
        sent["networkIsolationEnabled"] ?? before["networkIsolationEnabled"] ?? false,
    }),
    keeps: ({ key }, world) =>
      [SERVICES, "/v1/postgres", "/v1/key-value", "/v1/env-groups"].some((path) =>
        world.objects(path).some(({ shown }) => shown["environmentId"] === key),
      )
        ? refusal(409, "the environment still has resources")
        : undefined,
  },
  "/v1/registrycredentials": {
    ...bare,
    newKey: idOf("rgc"),
    unique: ["name"],
    show: (_, world) => ({ updatedAt: iso(world) }),
  },
  "/v1/webhooks": {
    ...listedAs("webhook"),
    newKey: idOf("whk"),
    show: (_, world, before) => ({ secret: before["secret"] || `canary-${world.newId()}` }),
  },
  [`${SERVICES}/{serviceId}/custom-domains`]: {
    ...listedAs("customDomain"),
    key: "name",
    unique: ["name"],
    // The domain with `www` is redirected to it.
    created: (shown) => [{ ...shown, name: `www.${textOf(shown["name"])}` }, shown],
    show: (_, world) => ({
      id: idOf("cdm")(world),
      domainType: "apex",
      publicSuffix: "example",
      createdAt: iso(world),
    }),
  },
  [JOBS]: {
    ...listedAs("job"),
    newKey: idOf("job"),
    states: { path: "status", from: "pending", to: "succeeded", failed: "failed" },
    show: (sent, world, _, { serviceId = "" }) =>
      sent["startCommand"] === undefined
        ? {}
        : { serviceId, planId: sent["planId"] ?? "plan-srv-006", createdAt: iso(world) },
  },
  [`${SERVICES}/{serviceId}/routes`]: {
    ...listedAs("route"),
    newKey: idOf("rdr"),
    show: (sent) => ({ priority: sent["priority"] ?? 1 }),
  },
};

function link(id: Json): JsonMap {
  return { id, name: "web", type: "web" };
}

const at =
  (collection: string, param: string): Action["of"] =>
  ({ params, world }: ActionCall) =>
    world.at(collection, params[param] ?? "");
const aService = at(SERVICES, "serviceId");
const aGroup = at("/v1/env-groups", "envGroupId");
const anything = { key: "", collection: "", params: {}, shown: {}, createdMs: 0, later: [] };

/** Something of a service that is set by a call of its own. */
function servicePart(status: number, apply: (shown: JsonMap, body: JsonMap) => void): Action {
  return {
    verb: "update",
    of: aService,
    run: ({ body }, { shown }) => {
      const serviceDetails = { ...map(shown["serviceDetails"]) };
      apply(serviceDetails, body);
      shown["serviceDetails"] = serviceDetails;
      return { status, ...(status === 200 ? { body } : {}) };
    },
  };
}

function groupPart(status: number, run: (shown: JsonMap, call: ActionCall) => void): Action {
  return {
    verb: "update",
    of: aGroup,
    run: (call, { shown }) => {
      run(shown, call);
      return { status, ...(status === 200 ? { body: shown } : {}) };
    },
  };
}

const without = (value: Json | undefined, name: string, key: string | undefined): Json[] =>
  list(value).filter((one) => map(one)[name] !== key);

/** The variables of a service, which it does not show. */
const variables = new WeakMap<FakeObject, Map<string, string>>();

function variablesOf(service: FakeObject): Map<string, string> {
  const kept = variables.get(service) ?? new Map<string, string>();
  variables.set(service, kept);
  return kept;
}

const oneVariable = ({ params }: ActionCall): string => params["envVarKey"] ?? "";

function deployOf(service: FakeObject, world: FakeWorld, script: DeployScript): JsonMap {
  const { id, atMs } = deploys.get(service) ?? { id: "dep-first", atMs: service.createdMs };
  const over = world.now() - atMs >= script.takesMs;
  const status = over ? (script.fails ? "build_failed" : "live") : "build_in_progress";
  return { id, status, createdAt: new Date(atMs).toISOString() };
}

const deployActions = (script: DeployScript): Readonly<Record<string, Action>> => ({
  [`GET ${SERVICES}/{serviceId}/deploys`]: {
    verb: "read",
    of: aService,
    run: ({ world }, service) => ({
      status: 200,
      body: [{ cursor: "1", deploy: deployOf(service, world, script) }],
    }),
  },
  [`POST ${SERVICES}/{serviceId}/deploys`]: {
    verb: "read",
    of: aService,
    run: ({ world }, service) => {
      if (service.shown["suspended"] === "suspended")
        return refusal(400, "the service is suspended");
      deploys.set(service, { id: idOf("dep")(world), atMs: world.now() });
      return { status: 201, body: deployOf(service, world, script) };
    },
  },
});

const NOTIFICATIONS = "/v1/notification-settings/overrides/services/{serviceId}";
/** What the team is told of a service: not among what the service shows. */
const notifications = new WeakMap<FakeObject, JsonMap>();
const notificationsOf = (service: FakeObject): JsonMap => ({
  serviceId: service.key,
  notificationsToSend: "default",
  previewNotificationsEnabled: "default",
  ...notifications.get(service),
});

const actions: Readonly<Record<string, Action>> = {
  [`POST ${JOBS}/{jobId}/cancel`]: {
    verb: "update",
    of: ({ params, world }) => world.at(JOBS, params["jobId"] ?? ""),
    run: (_, object) => {
      const { status } = object.shown;
      if (status !== "pending" && status !== "running")
        return { status: 400, code: "", message: "The job is not running." };
      object.later = [];
      object.shown["status"] = "canceled";
      return { status: 200, body: object.shown };
    },
  },
  [`GET ${NOTIFICATIONS}`]: {
    verb: "read",
    of: aService,
    run: (_, service) => ({ status: 200, body: notificationsOf(service) }),
  },
  [`PATCH ${NOTIFICATIONS}`]: {
    verb: "update",
    of: aService,
    run: ({ body }, service) => {
      notifications.set(service, { ...notifications.get(service), ...body });
      return { status: 200, body: notificationsOf(service) };
    },
  },
  "GET /v1/owners/{ownerId}": {
    verb: "read",
    of: ({ params }) => (params["ownerId"] === OWNER ? anything : undefined),
    run: () => ({ status: 200, body: owner }),
  },
  [`POST ${SERVICES}/{serviceId}/scale`]: servicePart(202, (shown, body) =>
    Object.assign(shown, body),
  ),
  [`PUT ${SERVICES}/{serviceId}/autoscaling`]: servicePart(200, (shown, body) => {
    shown["autoscaling"] = body;
  }),
  [`PUT ${SERVICES}/{serviceId}/secret-files/{secretFileName}`]: {
    verb: "update",
    of: aService,
    run: ({ params, body }) => ({
      status: 201,
      body: { name: params["secretFileName"] ?? "", content: body["content"] ?? "" },
    }),
  },
  [`DELETE ${SERVICES}/{serviceId}/secret-files/{secretFileName}`]: {
    verb: "update",
    of: aService,
    run: () => ({ status: 204 }),
  },
  [`GET ${SERVICES}/{serviceId}/env-vars`]: {
    verb: "read",
    of: aService,
    run: (_, service) => ({
      status: 200,
      body: [...variablesOf(service)].map(([key, value]) => ({
        cursor: key,
        envVar: { key, value },
      })),
    }),
  },
  [`GET ${SERVICES}/{serviceId}/env-vars/{envVarKey}`]: {
    verb: "read",
    of: aService,
    run: (call, service) => {
      const value = variablesOf(service).get(oneVariable(call));
      return value === undefined
        ? refusal(404, "not found")
        : { status: 200, body: { key: oneVariable(call), value } };
    },
  },
  [`PUT ${SERVICES}/{serviceId}/env-vars/{envVarKey}`]: {
    verb: "update",
    of: aService,
    run: (call, service) => {
      const { value } = call.body;
      const made = value === undefined ? `canary-${call.world.newId()}` : textOf(value);
      variablesOf(service).set(oneVariable(call), made);
      return { status: 200, body: { key: oneVariable(call), value: made } };
    },
  },
  [`DELETE ${SERVICES}/{serviceId}/env-vars/{envVarKey}`]: {
    verb: "update",
    of: aService,
    run: (call, service) =>
      variablesOf(service).delete(oneVariable(call)) ? { status: 204 } : refusal(404, "not found"),
  },
  [`POST ${ENVIRONMENTS}/{environmentId}/resources`]: {
    verb: "update",
    of: at(ENVIRONMENTS, "environmentId"),
    run: ({ body, world }, environment) => {
      for (const id of list(body["resourceIds"]))
        for (const path of [SERVICES, "/v1/postgres", "/v1/key-value", "/v1/env-groups"]) {
          const object = world.at(path, textOf(id));
          if (object !== undefined) object.shown["environmentId"] = environment.key;
        }
      return { status: 200, body: environment.shown };
    },
  },
  "GET /v1/postgres/{postgresId}/connection-info": {
    verb: "read",
    of: at("/v1/postgres", "postgresId"),
    run: (_, { key }) => ({
      status: 200,
      body: {
        password: secretOf(key, "password"),
        internalConnectionString: `postgresql://user:${secretOf(key, "in")}@internal/db`,
        externalConnectionString: `postgresql://user:${secretOf(key, "out")}@external/db`,
        psqlCommand: `PGPASSWORD=${secretOf(key, "psql")} psql`,
      },
    }),
  },
  "GET /v1/key-value/{keyValueId}/connection-info": {
    verb: "read",
    of: at("/v1/key-value", "keyValueId"),
    run: (_, { key }) => ({
      status: 200,
      body: {
        internalConnectionString: `redis://:${secretOf(key, "in")}@internal:6379`,
        externalConnectionString: `rediss://:${secretOf(key, "out")}@external:6379`,
        cliCommand: `REDISCLI_AUTH=${secretOf(key, "cli")} redis-cli`,
      },
    }),
  },
  "POST /v1/env-groups/{envGroupId}/services/{serviceId}": groupPart(200, (shown, { params }) => {
    const id = params["serviceId"] ?? "";
    shown["serviceLinks"] = [...without(shown["serviceLinks"], "id", id), link(id)];
  }),
  "DELETE /v1/env-groups/{envGroupId}/services/{serviceId}": groupPart(204, (shown, { params }) => {
    shown["serviceLinks"] = without(shown["serviceLinks"], "id", params["serviceId"]);
  }),
  "GET /v1/env-groups/{envGroupId}/env-vars/{envVarKey}": {
    verb: "read",
    of: aGroup,
    run: (call, { shown }) => {
      const found = list(shown["envVars"]).find((one) => map(one)["key"] === oneVariable(call));
      return found === undefined ? refusal(404, "not found") : { status: 200, body: found };
    },
  },
  "PUT /v1/env-groups/{envGroupId}/env-vars/{envVarKey}": groupPart(
    200,
    (shown, { params, body }) => {
      const key = params["envVarKey"] ?? "";
      const value = body["value"] ?? "canary-made";
      shown["envVars"] = [...without(shown["envVars"], "key", key), { key, value }];
    },
  ),
  "DELETE /v1/env-groups/{envGroupId}/env-vars/{envVarKey}": groupPart(204, (shown, { params }) => {
    shown["envVars"] = without(shown["envVars"], "key", params["envVarKey"]);
  }),
  "PUT /v1/env-groups/{envGroupId}/secret-files/{secretFileName}": groupPart(
    200,
    (shown, { params, body }) => {
      const name = params["secretFileName"] ?? "";
      const file = { name, content: body["content"] ?? "" };
      shown["secretFiles"] = [...without(shown["secretFiles"], "name", name), file];
    },
  ),
  "DELETE /v1/env-groups/{envGroupId}/secret-files/{secretFileName}": groupPart(
    204,
    (shown, { params }) => {
      shown["secretFiles"] = without(shown["secretFiles"], "name", params["secretFileName"]);
    },
  ),
};

/** The same at each read. */
function secretOf(key: string, what: string): string {
  return `canary-${key.slice(4, 12)}-${what}`;
}

export function renderRules(script: DeployScript): FakeRules {
  return {
    collections,
    actions: { ...actions, ...deployActions(script) },
    error: ({ message }) => ({ message }),
    headers: () => ({
      "ratelimit-limit": "400",
      "ratelimit-remaining": "399",
      "ratelimit-reset": "30",
    }),
  };
}
