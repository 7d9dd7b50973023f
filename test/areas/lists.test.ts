/** Filters, orders and cursors that lists share. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { findTargets } from "#areas/cloud-targets/store.ts";
import { findDeployments } from "#areas/deployment-records/store.ts";
import { findInstances } from "#areas/instances/store.ts";
import type { Sort } from "#http/lists/list-query.ts";
import { Call } from "#kernel/call/call.ts";
import { openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { makeTenant, operator, stranger, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "#test/support/cloud.ts";
import { fieldsOf } from "#test/support/declared.ts";
import { headersOf, signedIn } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";

interface Row {
  id: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

let tenant: TestTenant;
let targetId: string;
let templateId: string;
beforeAll(async () => {
  tenant = await makeTenant();
  [targetId, templateId] = await Promise.all([makeTarget(tenant), makeTemplate(tenant, SOURCE)]);
});

const bodies: Readonly<Record<string, (name: string) => object>> = {
  "/instances": (name) => ({ name, templateId, targetId }),
  "/cloud/targets": (name) => ({
    provider: "mock",
    name,
    config: {},
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
  }),
  "/templates": (name) => ({ name }),
  "/profiles": (name) => ({ name }),
  "/api-keys": (name) => ({ name, scopes: ["instances:read"] }),
};

const lists = endpoints.filter(({ query }) => fieldsOf(query).includes("sort"));

/** All rows of a list, page by page; `between` runs after the first page. */
async function paged(
  path: string,
  query: string,
  {
    limit = 2,
    between = async (): Promise<unknown> => undefined,
    asker = tenant.get,
    headers = {},
  } = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor = "";
  do {
    const page = await asker(`${path}?limit=${limit}&${query}${cursor}`, headers);
    expect(page.status, page.text).toBe(200);
    expect(roundTripsOf(page)).toBeLessThanOrEqual(1);
    rows.push(...page.body.data);
    if (cursor === "") await between();
    cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
  } while (cursor !== "");
  return rows;
}

describe.each(Object.keys(bodies))("the list of %s", (path) => {
  const names = ["beta", "Alpha", "alpha", "beta", "Gamma_1", "beta", "100%"];
  const prefix = "list ";
  const make = async (name: string) => {
    const made = await tenant.post(path, bodies[path]?.(prefix + name));
    expect(made.status, made.text).toBe(201);
    return made.body as Row;
  };
  const made: Row[] = [];
  beforeAll(async () => {
    for (const name of names) made.push(await make(name));
    // Ties in the time of the last change.
    const table = { "/cloud/targets": "cloud_targets", "/api-keys": "api_keys" }[path];
    await env.DB.prepare(
      `UPDATE ${table ?? path.slice(1)} SET updated_at_ms = updated_at_ms / 1000000 * 1000000 + (name = 'list beta')
        WHERE tenant_id = ? AND name LIKE 'list %'`,
    )
      .bind(tenant.tenantId)
      .run();
  });
  const own = () => `tenantId=${tenant.tenantId}`;
  const query = (more: string) => `${own()}&q=list%20&${more}`;

  const keys = {
    createdAt: ({ id }: Row) => id,
    updatedAt: ({ updatedAt }: Row) => updatedAt,
    name: ({ name }: Row) => name.toLowerCase(),
  };

  it.each(["createdAt", "-createdAt", "updatedAt", "-updatedAt", "name", "-name"])(
    "pages through ties in the order %s, while rows are added",
    async (sort) => {
      const added: Row[] = [];
      const rows = await paged(path, query(`sort=${sort}`), {
        between: async () => added.push(await make("beta"), await make("zeta")),
      });
      const shown = rows.filter(({ id }) => made.some((row) => row.id === id));
      expect(shown.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      const keyOf = keys[sort.replace("-", "") as keyof typeof keys];
      const turn = sort.startsWith("-") ? -1 : 1;
      const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
      const sorted = rows.toSorted(
        (a, b) => turn * (order(keyOf(a), keyOf(b)) || order(a.id, b.id)),
      );
      expect(rows.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
      for (const { id } of added) await tenant.delete(`${path}/${id}`);
    },
  );

  it("is newest first by default", async () => {
    const byDefault = await tenant.get(`${path}?${query("")}`);
    const named = await tenant.get(`${path}?${query("sort=-createdAt")}`);
    expect(byDefault.body.data).toEqual(named.body.data);
  });

  it("refuses the cursor of another order or filter", async () => {
    const first = await tenant.get(`${path}?limit=1&${query("sort=name")}`);
    const { nextCursor } = first.body;
    for (const sort of ["-name", "updatedAt", "createdAt", "-createdAt"]) {
      const moved = await tenant.get(
        `${path}?limit=1&${query(`sort=${sort}`)}&cursor=${nextCursor}`,
      );
      expect([moved.status, moved.body.code], sort).toEqual([400, "invalid_cursor"]);
    }
    const filtered = await tenant.get(
      `${path}?limit=1&${query("sort=name&createdAfter=2020-01-01T00:00:00Z")}&cursor=${nextCursor}`,
    );
    expect(filtered.body.code).toBe("invalid_cursor");
  });

  it("finds a name exactly, and a text within names literally", async () => {
    const found = async (filter: string) =>
      ((await tenant.get(`${path}?${own()}&${filter}`)).body.data as Row[]).map(({ name }) => name);
    expect(await found("name=list%20Alpha")).toEqual(["list Alpha"]);
    expect(await found("name=list%20alpha")).toEqual(["list alpha"]);
    expect(await found("name=list%20ALPHA")).toEqual([]);
    expect(await found("name=list%20%25")).toEqual([]);
    expect((await found("q=LIST%20ALPHA")).length).toBe(2);
    expect(await found("q=0%25")).toEqual(["list 100%"]);
    expect(await found("q=a_1")).toEqual(["list Gamma_1"]);
    for (const wild of [
      "q=list%25",
      "q=l_st",
      "q=%25%25",
      "name=list%20_lpha",
      "q=%27%20OR%201=1--",
    ])
      expect(await found(wild), wild).toEqual([]);
  });

  it("finds by the time of creation: from it on, and before it", async () => {
    const middle = made[3] as Row;
    const ids = async (filter: string) =>
      (await paged(path, query(filter), { limit: 100 })).map(({ id }) => id);
    const at = encodeURIComponent(middle.createdAt);
    const from = await ids(`createdAfter=${at}`);
    const before = await ids(`createdBefore=${at}`);
    expect(from).toContain(middle.id);
    expect(before).not.toContain(middle.id);
    expect([...from, ...before].toSorted()).toEqual((await ids("")).toSorted());
    expect(await ids(`createdAfter=${at}&createdBefore=${at}`)).toEqual([]);
    expect((await tenant.get(`${path}?createdAfter=yesterday`)).status).toBe(400);
  });

  it("shows a stranger's rows to nobody, whatever the filter", async () => {
    const other = await makeTenant();
    for (const filter of ["name=list%20beta", "q=list", "sort=name", "sort=-updatedAt"]) {
      const listed = await other.get(`${path}?limit=100&${filter}`);
      const ids = new Set((listed.body.data as Row[]).map(({ id }) => id));
      expect(
        made.filter(({ id }) => ids.has(id)),
        filter,
      ).toEqual([]);
    }
  });
});

describe("lists of members of several tenants and of operators", () => {
  it("are sorted and paged across tenants in one round trip", async () => {
    const second = await makeTenant();
    const session = await signedIn(
      [tenant.tenantId, "CustomerViewer"],
      [second.tenantId, "CustomerViewer"],
    );
    for (const name of ["mm b", "MM a", "mm c"])
      for (const of of [tenant, second]) await of.post("/templates", { name });
    for (const [asker, headers] of [
      [tenant.get, undefined],
      [operator.get, undefined],
      [stranger.get, headersOf(session)],
    ] as const) {
      const rows = await paged("/templates", "q=mm%20&sort=name", {
        asker,
        ...(headers === undefined ? {} : { headers }),
      });
      const names = rows.map(({ name }) => name.toLowerCase());
      expect(names).toEqual(names.toSorted());
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      expect(rows.length).toBeGreaterThanOrEqual(asker === tenant.get ? 3 : 6);
    }
  });
});

describe("filters by several values", () => {
  it("find instances and deployments in each of the states and operations", async () => {
    const mine = await makeTenant();
    const [target, template] = await Promise.all([makeTarget(mine), makeTemplate(mine, SOURCE)]);
    const variables = { password: "correct horse battery" };
    const [one, two] = [
      await makeInstance(mine, template, target, { variables }),
      await makeInstance(mine, template, target, { variables }),
    ];
    const planned = await mine.post(`/instances/${one}/plan`);
    const deployed = await mine.post(`/instances/${one}/deploy`);
    for (const { body } of [planned, deployed]) await untilOver(mine, body.id);
    const ids = async (path: string) => {
      const listed = await mine.get(path);
      expect(listed.status, listed.text).toBe(200);
      return (listed.body.data as Row[]).map(({ id }) => id);
    };
    expect(await ids("/instances?state=ACTIVE")).toEqual([one]);
    expect(await ids("/instances?state=ACTIVE,INITIALIZED")).toEqual([two, one]);
    expect(await ids("/instances?state=INITIALIZED,ACTIVE,ACTIVE&sort=createdAt")).toEqual([
      one,
      two,
    ]);
    expect(await ids("/instances?state=ACTIVE&state=INITIALIZED")).toEqual([two, one]);
    expect(await ids("/deployments?operation=plan")).toEqual([planned.body.id]);
    expect(await ids("/deployments?operation=plan,deploy&sort=createdAt")).toEqual([
      planned.body.id,
      deployed.body.id,
    ]);
    expect(await ids("/deployments?state=SUCCEEDED,FAILED&operation=deploy")).toEqual([
      deployed.body.id,
    ]);
    expect(await ids("/deployments?state=QUEUED,PLANNING")).toEqual([]);
    for (const state of ["", "ACTIVE,", "active", "ACTIVE;INITIALIZED", "SUCCEEDED"]) {
      const refused = await mine.get(`/instances?state=${state}`);
      expect([refused.status, refused.body.errors?.[0].pointer], state).toEqual([400, "state"]);
      expect(refused.body.errors[0].detail).toMatch(/^It must be one of: INITIALIZED, /);
    }
  });

  it("attack: a webhook's URL cannot be guessed by searching for its parts", async () => {
    const made = await tenant.post("/webhooks", {
      url: "https://hooks.example.com/token-4711",
      description: "For the Pager",
      events: ["license.expired"],
    });
    const found = async (q: string) =>
      ((await tenant.get(`/webhooks?q=${q}`)).body.data as Row[]).map(({ id }) => id);
    expect(await found("pager")).toEqual([made.body.id]);
    for (const q of ["token", "4711", "hooks.example", "whsec"]) expect(await found(q)).toEqual([]);
  });
});

describe("the declarations of lists", () => {
  it("let every list of named objects be searched by the exact name", () => {
    const named = endpoints
      .filter(({ method, query }) => method === "GET" && fieldsOf(query).includes("cursor"))
      .filter(({ answer }) => /"name":/.test(JSON.stringify(shapeOf(answer.schema))));
    expect(named.length).toBeGreaterThanOrEqual(6);
    const without = named.filter(({ query }) => !fieldsOf(query).includes("name"));
    // A person has few keys of their own, and is found in the list of one tenant's members by the user's id.
    // A use has no name of its own: it shows that of the template which uses the component.
    const reasoned = ["listMyApiKeys", "listMembers", "listTemplateUses"];
    expect(without.map(({ operationId }) => operationId)).toEqual(reasoned);
  });

  it.each(lists.map(({ path, ...rest }) => [path, rest] as const))(
    "%s refuses an order that it does not have",
    async (path) => {
      for (const sort of ["secret", "-", "name,createdAt", "--name", "id"]) {
        const refused = await operator.get(`${path}?sort=${sort}`);
        expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([400, "sort"]);
      }
    },
  );
});

function shapeOf(schema: unknown): unknown {
  const { shape, element } = (schema ?? {}) as { shape?: { data?: unknown }; element?: unknown };
  if (shape?.data !== undefined) return shapeOf(shape.data);
  if (element !== undefined) return shapeOf(element);
  return Object.fromEntries(Object.keys(shape ?? {}).map((name) => [name, 1]));
}

describe("a page is read by index, however much the tenant has", () => {
  const call = new Call({
    env,
    db: openDb(env.DB),
    now: 0,
    newId,
    requestId: "plan",
    caller: { kind: "key", name: "k", tenantId: newId(), scopes: ["*"], role: "CustomerOwner" },
    access: "public",
    after: () => undefined,
  });
  const planOf = async (query: { toSQL: () => { sql: string; params: unknown[] } }) => {
    const { sql, params } = query.toSQL();
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    return results.map(({ detail }) => detail).join("\n");
  };
  const after = { afterId: newId(), afterKey: "m" };
  const at = (sort: Sort) => ({ limit: 20, sort, ...after });

  it.each<[string, { toSQL: () => { sql: string; params: unknown[] } }, RegExp]>([
    [
      "the newest",
      findInstances(call, at("-createdAt"), {}),
      /instances_by_tenant \(tenant_id=\? AND id<\?/,
    ],
    [
      "sorted by name",
      findInstances(call, at("name"), {}),
      /instances_by_name \(tenant_id=\? AND name>\?/,
    ],
    [
      "backwards",
      findInstances(call, at("-name"), {}),
      /instances_by_name \(tenant_id=\? AND name<\?/,
    ],
    [
      "with a name",
      findInstances(call, { limit: 20 }, { name: "n" }),
      /instances_by_name \(tenant_id=\? AND name=\?/,
    ],
    [
      "since a time",
      findInstances(call, { limit: 20 }, { createdAfter: "2026-01-01T00:00:00Z" }),
      /instances_by_tenant \(tenant_id=\? AND id>\?/,
    ],
    [
      "targets by name",
      findTargets(call, at("name"), {}),
      /cloud_targets_by_name \(tenant_id=\? AND name>\?/,
    ],
    [
      "deployments in a state",
      findDeployments(call, { limit: 20 }, { state: ["FAILED"] }),
      /deployments_by_state \(tenant_id=\? AND state=\?/,
    ],
    [
      "deployments by their last change",
      findDeployments(call, { ...at("-updatedAt"), afterKey: 5 }, {}),
      /deployments_by_update \(tenant_id=\? AND updated_at_ms</,
    ],
  ])("%s", async (_, query, index) => {
    const plan = await planOf(query);
    expect(plan).toMatch(index);
    const outer = plan
      .split("\n")
      .filter((line) => !/CORRELATED|v USING|d USING|g USING/.test(line));
    expect(outer.join("\n")).not.toMatch(/SCAN (instances|deployments|cloud_targets)\b/);
    expect(plan.split("CORRELATED")[0]).not.toMatch(/TEMP B-TREE/);
  });
});
