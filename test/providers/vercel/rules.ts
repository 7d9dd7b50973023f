/** What Vercel's description does not say: how its objects look, wait, conflict and depend on each other. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type {
  Action,
  CollectionRules,
  FakeObject,
  FakeRules,
  FakeWorld,
} from "#test/support/fake-cloud/rules.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";

/** The team of the token. */
export const TEAM = "team_acme";

const TOKENS = "/edge-config/{p1}/token";
const RECORDS = "/domains/{p1}/records";
const map = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});

/** A page before a place in the list: the newest are first, so the places are counted from the end. */
function pagedAs(
  many: string,
  query: string,
  shown: (one: FakeObject) => Json = (one) => one.shown,
): NonNullable<CollectionRules["listed"]> {
  return (items, url) => {
    const from = Number(url.searchParams.get(query) ?? 0);
    const size = Number(url.searchParams.get("limit") ?? 20);
    const page = items.slice(from, from + size);
    const next = from + size < items.length ? from + size : null;
    return { [many]: page.map(shown), pagination: { count: page.length, next, prev: null } };
  };
}

const bare: NonNullable<CollectionRules["listed"]> = (items) => items.map(({ shown }) => shown);

const idOf = (prefix: string) => (world: FakeWorld) =>
  `${prefix}_${world.newId().replaceAll("-", "")}`;

/** Times of the cloud are milliseconds. */
const times = (world: FakeWorld, before: JsonMap) => ({
  createdAt: before["createdAt"] || world.now(),
  updatedAt: world.now(),
});

const collections: Readonly<Record<string, CollectionRules>> = {
  "/projects": {
    newKey: idOf("prj"),
    unique: ["name"],
    listed: pagedAs("projects", "from"),
    show: (sent, world, before) => ({
      ...times(world, before),
      accountId: TEAM,
      resourceConfig: {
        functionDefaultRegions: ["iad1"],
        ...map(before["resourceConfig"]),
        ...map(sent["resourceConfig"]),
      },
      ...(sent["gitRepository"] === undefined ? {} : { link: sent["gitRepository"] }),
    }),
    owns: ["env", "domains", "custom-environments"].map((kind) => ({
      collection: `/projects/{p1}/${kind}`,
      param: "p1",
    })),
  },
  "/projects/{p1}/env": {
    newKey: idOf("env"),
    created: (shown) => ({ created: hidden(shown, "encrypted"), failed: [] }),
    listed: pagedAs("envs", "until", ({ shown }) => hidden(shown, "encrypted")),
    show: (sent, world, before) => ({
      ...times(world, before),
      // A read shows it, but for a sensitive one.
      value: (sent["type"] ?? before["type"]) === "sensitive" ? "" : sent["value"],
    }),
  },
  "/env": {
    newKey: idOf("env"),
    created: (shown) => ({ created: [hidden(shown, "encrypted")], failed: [] }),
    listed: pagedAs("data", "until", ({ shown }) => hidden(shown, "encrypted")),
    show: (sent, world, before) => {
      const own = Array.isArray(sent["evs"]) ? map(sent["evs"][0]) : {};
      const value = sent["type"] === "sensitive" ? "" : own["value"];
      return { ...times(world, before), ownerId: TEAM, ...own, value };
    },
  },
  "/drains": {
    newKey: idOf("drn"),
    listed: (items) => ({ drains: items.map(({ shown }) => shown) }),
    show: (sent, world, before) => ({
      ...times(world, before),
      ownerId: TEAM,
      status: "enabled",
      source: { kind: "self-served" },
      filterV2: sent["filter"],
      delivery: { secret: `canary-${world.newId()}`, ...map(sent["delivery"]) },
    }),
  },
  "/projects/{p1}/domains": {
    key: "name",
    unique: ["name"],
    listed: pagedAs("domains", "until"),
    show: (sent, world, before, { p1: projectId }) => ({
      ...times(world, before),
      projectId,
      apexName: sent["name"] ?? before["apexName"] ?? "",
      verified: false,
    }),
  },
  "/projects/{p1}/custom-environments": {
    newKey: idOf("env"),
    unique: ["slug"],
    show: (_, world, before) => times(world, before),
  },
  "/deployments": {
    newKey: idOf("dpl"),
    listed: pagedAs("deployments", "until", ({ key, shown: { id: _id, ...shown } }) => ({
      uid: key,
      ...shown,
    })),
    search: { projectId: (shown, project) => shown["projectId"] === project },
    states: { path: "readyState", from: "QUEUED", to: "READY", failed: "ERROR" },
    show: (sent, world, before) => ({
      ...times(world, before),
      url: `${textOf(sent["name"])}-acme.vercel.example`,
      // The project's name counts, whatever was sent.
      name: projectName(sent, world),
      projectId: textOf(sent["project"] ?? sent["name"]),
      meta: sent["meta"] ?? {},
    }),
  },
  "/edge-config": {
    newKey: idOf("ecfg"),
    listed: bare,
    show: (_, world, before) => ({ ...times(world, before), ownerId: TEAM }),
    owns: [{ collection: TOKENS, param: "p1" }],
  },
  [TOKENS]: {
    key: "id",
    created: ({ id, token }) => ({ id: id ?? "", token: token ?? "" }),
    show: (_, world) => ({ createdAt: world.now(), token: `canary-${world.newId()}` }),
  },
  [RECORDS]: {
    newKey: idOf("rec"),
    created: ({ id }) => ({ uid: id ?? "", updated: 1 }),
    listed: pagedAs("records", "until"),
    show: (sent, world, before) => ({
      ...times(world, before),
      ...(sent["srv"] === undefined
        ? {}
        : { value: Object.values(map(sent["srv"])).map(textOf).join(" ") }),
    }),
  },
  "/webhooks": {
    newKey: idOf("hook"),
    listed: bare,
    created: (shown) => ({ ...shown, secret: "canary-00000000-webhook" }),
    show: (_, world, before) => ({ ...times(world, before), ownerId: TEAM }),
  },
  "/certs": { newKey: idOf("cert"), show: (_, world) => ({ createdAt: world.now() }) },
};

function projectName({ project, name }: JsonMap, world: FakeWorld): string {
  return textOf(world.at("/projects", textOf(project))?.shown["name"] ?? name);
}

function hidden(shown: JsonMap, type: string): JsonMap {
  return shown["type"] === type ? { ...shown, value: "ciphertext", decrypted: false } : shown;
}

const anything = { key: "", collection: "", params: {}, shown: {}, createdMs: 0, later: [] };
const config: Action["of"] = ({ params, world }) => world.at("/edge-config", params["p1"] ?? "");
const tokensOf = (world: FakeWorld, { key }: FakeObject): FakeObject[] =>
  world.objects(TOKENS).filter(({ params }) => params["p1"] === key);

const actions: Readonly<Record<string, Action>> = {
  "PATCH /env": {
    verb: "update",
    of: ({ body, world }) => world.at("/env", Object.keys(map(body["updates"]))[0] ?? ""),
    run: ({ body }, { key, shown }) => {
      Object.assign(shown, map(map(body["updates"])[key]));
      return { status: 200, body: { updated: [shown], failed: [] } };
    },
  },
  "DELETE /env": {
    verb: "update",
    of: ({ body, world }) =>
      world.at("/env", textOf(Array.isArray(body["ids"]) ? body["ids"][0] : "")),
    run: (_, object) => {
      object.deletedMs = 0;
      return { status: 200, body: { deleted: [object.key], failed: [] } };
    },
  },
  "GET /teams/{p1}": {
    verb: "read",
    of: ({ params }) => (params["p1"] === TEAM ? anything : undefined),
    run: () => ({ status: 200, body: { id: TEAM, slug: "acme" } }),
  },
  "GET /edge-config/{p1}/tokens": {
    verb: "read",
    of: config,
    run: ({ world }, object) => ({
      status: 200,
      body: tokensOf(world, object).map(({ shown }) => ({ ...shown, edgeConfigId: object.key })),
    }),
  },
  "DELETE /edge-config/{p1}/tokens": {
    verb: "update",
    of: config,
    run: ({ world, body }, object) => {
      for (const one of tokensOf(world, object))
        if (Array.isArray(body["tokens"]) && body["tokens"].includes(one.shown["token"] ?? ""))
          one.deletedMs = 0;
      return { status: 204 };
    },
  },
  "PATCH /domains/records/{p1}": {
    verb: "update",
    of: ({ params, world }) => world.objects(RECORDS).find(({ key }) => key === params["p1"]),
    run: ({ body }, { key, params, shown }) => {
      for (const [name, value] of Object.entries(body))
        if (value === null) delete shown[name];
        else shown[name] = value;
      const { type, name, value } = shown;
      return {
        status: 200,
        body: {
          id: key,
          domain: params["p1"] ?? "",
          name: name ?? "",
          recordType: type ?? "",
          type: "record",
          value: value ?? "",
        },
      };
    },
  },
};

export const vercelRules: FakeRules = {
  collections,
  actions,
  error: ({ code, message }) => ({ error: { code, message } }),
  headers: (calls, nowMs) => ({
    "x-ratelimit-limit": "500",
    "x-ratelimit-remaining": String(Math.max(0, 500 - calls)),
    "x-ratelimit-reset": String(Math.ceil(nowMs / 1000) + 60),
  }),
};
