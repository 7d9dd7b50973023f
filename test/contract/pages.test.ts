/** Every list, walked from page to page, and asked to go on with another filter or another list's cursor. */
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import type { Endpoint } from "#http/endpoint.ts";
import type { JsonMap } from "#platform/json.ts";
import { idOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator, OPERATOR_KEY } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { ask, fieldsOf } from "#test/support/declared.ts";
import { makeKeyOf } from "#test/support/members.ts";
import {
  makeMembership,
  makeSession,
  makeUser,
  type TestSession,
  headersOf,
} from "#test/support/sessions.ts";
import { SOURCE, usingComponent } from "#test/support/templates.ts";
import { answerEveryReceiver, titleOf } from "#test/support/world.ts";

answerEveryReceiver();
const [tenant, second, third] = [await makeTenant(), await makeTenant(), await makeTenant()];
const { tenantId } = tenant;
await created(
  operator.patch(`/tenants/${tenantId}`, { limits: { members: null, profiles: null } }),
);

const address = `p-${crypto.randomUUID()}@example.com`;
const person = await makeSession(await makeUser(undefined, address));
for (const { tenantId } of [tenant, second, third])
  await makeMembership(person.userId, tenantId, "CustomerOwner");
const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
const variables = { password: "correct horse battery" };
const { id: componentId } = await created(
  tenant.post("/templates", { name: "component", source: SOURCE, release: "1.0.0" }),
);
const instanceId = await makeInstance(tenant, templateId, targetId, { variables });
const webhook = await created(
  tenant.post("/webhooks", { url: "https://hooks.example.com/in", events: ["license.expired"] }),
);
const key = crypto.randomUUID();

interface List {
  /** Its path, if that has parameters. */
  path?: string;
  /** Makes one more row and returns what identifies it in the list; called three times. */
  make: (turn: number) => Promise<string | number>;
  /** Default: `id`. */
  idOf?: (row: JsonMap) => unknown;
  /** Default: the tenant's key. */
  as?: TestSession | typeof OPERATOR_KEY;
  /** Another value than none for each filter; a cursor of the unfiltered list is then refused. */
  filters?: JsonMap;
  /** Query parameters that select no rows. */
  free?: readonly string[];
  /** Oldest first. */
  ascends?: true;
  /** Its cursor is the last row's number, which any client could say. */
  openCursor?: true;
}

const oneOf = (path: string, body: () => JsonMap) => async (): Promise<string> =>
  idOf(await created(tenant.post(path, body())));
const named = () => ({ name: "one of three" });
const shared = {
  tenantId,
  createdAfter: "2020-01-01T00:00:00Z",
  createdBefore: "2100-01-01T00:00:00Z",
};
const ofNamed = { ...shared, name: "one of three", q: "three", sort: "createdAt" };

/** By operation id: which rows a list has, written by hand. */
const lists: Readonly<Record<string, List>> = {
  listSessions: {
    as: person,
    make: async () => (await makeSession(person.userId)).sessionId,
  },
  listMyInvitations: {
    as: await makeSession(await makeUser(undefined, `q-${address}`)),
    make: async (turn) =>
      idOf(
        await created(
          operator.post(`/tenants/${[tenant, second, third][turn]?.tenantId}/invitations`, {
            email: `q-${address}`,
            role: "CustomerViewer",
          }),
        ),
      ),
    filters: { token: `cpi_${"x".repeat(43)}`, via: "invitation" },
  },
  listMyApiKeys: {
    as: person,
    make: async () => (await makeKeyOf(tenantId, person.userId)).keyId,
  },
  listApiKeys: {
    make: oneOf("/api-keys", () => ({ ...named(), scopes: ["instances:read"] })),
    filters: ofNamed,
  },
  listTenants: {
    as: person,
    make: async (turn) => [tenant, second, third][turn]?.tenantId ?? "",
    filters: {
      name: "none",
      q: "tenant",
      slug: tenant.slug,
      createdAfter: shared.createdAfter,
      createdBefore: shared.createdBefore,
      sort: "name",
    },
  },
  listMembers: {
    path: `/tenants/${tenantId}/members`,
    make: async () => {
      const userId = await makeUser();
      await makeMembership(userId, tenantId, "CustomerViewer");
      return userId;
    },
    idOf: ({ userId }) => userId,
    filters: { role: "CustomerViewer" },
  },
  listInvitations: {
    path: `/tenants/${tenantId}/invitations`,
    make: oneOf(`/tenants/${tenantId}/invitations`, () => ({
      email: `r-${crypto.randomUUID()}@example.com`,
      role: "CustomerViewer",
    })),
  },
  listCloudTargets: {
    make: async () => makeTarget(tenant),
    filters: { ...ofNamed, label: "team=web", provider: "mock", environment: "production" },
  },
  listCloudProviderTypes: {
    path: "/cloud/providers/mock/types",
    make: async (turn) => ["mock:Bucket", "mock:Database", "mock:Network"][turn] ?? "",
    idOf: ({ type }) => type,
    filters: { q: "mock" },
    ascends: true,
  },
  listTemplates: {
    make: oneOf("/templates", named),
    filters: { ...ofNamed, label: "team=web" },
  },
  listTemplateVersions: {
    path: `/templates/${templateId}/versions`,
    make: async (turn) => {
      if (turn > 0)
        await created(tenant.post(`/templates/${templateId}/versions`, { source: SOURCE }));
      return turn + 1;
    },
    idOf: ({ version }) => version,
  },
  listTemplateUses: {
    path: `/templates/${componentId}/uses`,
    make: () => makeTemplate(tenant, usingComponent(componentId)),
    idOf: ({ templateId: user }) => user,
  },
  listInstances: {
    make: async () => makeInstance(tenant, templateId, targetId),
    filters: { ...ofNamed, label: "team=web", state: "INITIALIZED", templateId, targetId },
    free: ["include"],
  },
  listInstanceTriggers: {
    path: `/instances/${instanceId}/triggers`,
    make: oneOf(`/instances/${instanceId}/triggers`, () => ({
      kind: "schedule",
      condition: { cron: "0 3 1 1 *" },
    })),
  },
  listDeployments: {
    make: async () => idOf((await run(tenant, instanceId, "plan")).body),
    filters: {
      ...shared,
      instanceId,
      targetId,
      templateId,
      requestedBy: person.userId,
      state: "SUCCEEDED",
      operation: "plan",
      label: "team=web",
      sort: "createdAt",
    },
  },
  getDeploymentLog: {
    path: `/deployments/${(await run(tenant, instanceId, "plan")).body.id}/log`,
    make: async (turn) => turn + 1,
    idOf: ({ seq }) => seq,
    ascends: true,
    openCursor: true,
  },
  listListings: {
    make: oneOf("/marketplace/listings", () => ({
      templateId,
      slug: `l-${crypto.randomUUID().slice(0, 13)}`,
      title: "Web server",
      summary: "A web server with a database.",
      categories: ["web"],
    })),
    filters: {
      ...shared,
      q: "web",
      category: "web",
      tag: "web",
      status: "DRAFT",
      sort: "createdAt",
    },
  },
  listIncidents: {
    make: oneOf("/incidents", () => ({ title: "Slow", message: "It is slow." })),
    filters: { ...shared, status: "INVESTIGATING" },
  },
  listWebhooks: {
    make: oneOf("/webhooks", () => ({
      url: "https://hooks.example.com/in",
      events: ["license.expired"],
    })),
    filters: { ...shared, q: "pager", label: "team=web", state: "ENABLED", sort: "createdAt" },
  },
  listWebhookDeliveries: {
    path: `/webhooks/${webhook.id}/deliveries`,
    make: oneOf(`/webhooks/${webhook.id}/test`, () => ({})),
    filters: { status: "SUCCEEDED", eventType: "webhook.test", since: shared.createdAfter },
  },
  listFeatureFlags: {
    as: OPERATOR_KEY,
    make: async (turn) => {
      const flag = { type: "boolean", enabled: true };
      await created(operator.put(`/feature-flags/pages-${turn}-${key}`, flag));
      return `pages-${turn}-${key}`;
    },
    idOf: ({ key }) => key,
  },
  listProfiles: { make: oneOf("/profiles", named), filters: ofNamed },
  listImports: {
    make: oneOf("/imports", () => ({ files: [{ path: "main.tf", content: "locals {}" }] })),
    filters: { ...shared, state: "COMPLETED" },
  },
  listAuditEvents: {
    make: async () => {
      await created(tenant.post("/profiles", named()));
      const newest = await tenant.get(`/audit-events?limit=1`);
      return newest.body.data[0].id;
    },
    filters: {
      tenantId,
      action: "profile.create",
      resourceType: "profile",
      resourceId: instanceId,
      actor: "key",
      from: shared.createdAfter,
      to: shared.createdBefore,
    },
  },
};

const three = new Map<string, (string | number)[]>();
for (const [operationId, { make }] of Object.entries(lists))
  three.set(operationId, [await make(0), await make(1), await make(2)]);

/** Why these are not walked here. */
const notWalked: Readonly<Record<string, string>> = {
  getImport: "it has several lists, each with a cursor: test/areas/imports.test.ts walks them",
  listRuns: "other suites' runs move in it meanwhile: test/areas/operations.test.ts walks it",
};

async function created(answer: Promise<Answer>): Promise<Answer["body"]> {
  const received = await answer;
  expect([200, 201, 202], received.text).toContain(received.status);
  return received.body;
}

const paged = endpoints.filter(
  ({ query, operationId }) =>
    fieldsOf(query).includes("cursor") && !Object.hasOwn(notWalked, operationId),
);
const listOf = ({ operationId }: Endpoint): List => {
  const list = Object.hasOwn(lists, operationId) ? lists[operationId] : undefined;
  if (list === undefined)
    throw new Error(`test/contract/pages.test.ts has no rows of ${operationId}`);
  return list;
};

const read = async (endpoint: Endpoint, query: JsonMap): Promise<Answer> => {
  const { path = endpoint.path, as = tenant.key } = listOf(endpoint);
  const text = new URLSearchParams(query as Record<string, string>).toString();
  return ask(
    endpoint,
    `${path}?${text}`,
    typeof as === "string" ? { key: as } : { headers: headersOf(as) },
  );
};
/** Of each list, the cursor after its first row. */
const cursors = new Map<Endpoint, string>();
for (const endpoint of paged)
  cursors.set(endpoint, (await read(endpoint, { limit: "1" })).body.nextCursor);
const cursorOf = (endpoint: Endpoint): string => {
  const cursor = cursors.get(endpoint);
  if (typeof cursor !== "string") throw new Error(`${titleOf(endpoint)} has no second page`);
  return cursor;
};

it("every list has rows in the table of this suite", () => {
  expect(paged.map(({ operationId }) => operationId).toSorted()).toEqual(
    Object.keys(lists).toSorted(),
  );
});

describe.each(paged.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
  "%s",
  (_, endpoint) => {
    const list = listOf(endpoint);

    it("has each row once, in order, a row on each page, and ends", async () => {
      const made = three.get(endpoint.operationId) ?? [];
      const whole = await walk(100);
      const single = await walk(1);
      expect(single.rows).toEqual(whole.rows);
      expect(new Set(single.rows).size).toBe(single.rows.length);
      expect(single.rows.filter((id) => made.includes(id as string))).toEqual(
        list.ascends === true ? made : made.toReversed(),
      );
      // A log may get more entries: only an empty page is its end.
      expect(single.pages).toBe(single.rows.length + (list.openCursor === true ? 1 : 0));
    });

    async function walk(limit: number): Promise<{ rows: unknown[]; pages: number }> {
      const rows: unknown[] = [];
      let pages = 0;
      for (let cursor: JsonMap = {}; ;) {
        const { body } = await read(endpoint, { limit: `${limit}`, ...cursor });
        const page = (body.data as JsonMap[]).map(list.idOf ?? (({ id }) => id));
        expect(page.filter((id) => rows.includes(id))).toEqual([]);
        pages += 1;
        rows.push(...page);
        if (body.nextCursor === null) return { rows, pages };
        expect(page).toHaveLength(limit);
        cursor = { cursor: body.nextCursor };
      }
    }

    it("has a value in the table of this suite for every filter", () => {
      const known = ["limit", "cursor", ...Object.keys(list.filters ?? {}), ...(list.free ?? [])];
      expect(fieldsOf(endpoint.query).toSorted()).toEqual(known.toSorted());
    });

    it("does not go on with another filter", async () => {
      const cursor = cursorOf(endpoint);
      for (const [name, value] of Object.entries(list.filters ?? {})) {
        const answer = await read(endpoint, { limit: "1", cursor, [name]: value });
        expect([name, answer.status, answer.body.code]).toEqual([name, 400, "invalid_cursor"]);
      }
    });

    if (list.openCursor === true) return;

    it("goes on from its own cursors only", async () => {
      const others = paged.filter((it) => it !== endpoint && listOf(it).openCursor !== true);
      for (const other of others) {
        const answer = await read(endpoint, { cursor: cursorOf(other) });
        expect([titleOf(other), answer.status, answer.body.code]).toEqual([
          titleOf(other),
          400,
          "invalid_cursor",
        ]);
      }
    });
  },
);
