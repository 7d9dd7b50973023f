/** `q` of every list that declares it: without regard to case in any script, also after a change of what it searches. */
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import type { Endpoint } from "#http/endpoint.ts";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, operator } from "#test/support/api.ts";
import { makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { fieldsOf } from "#test/support/declared.ts";
import { SOURCE } from "#test/support/templates.ts";

const tenant = await makeTenant();
const templateId = await makeTemplate(tenant, SOURCE);
const targetId = await makeTarget(tenant);
const slug = () => `s-${crypto.randomUUID().slice(0, 13)}`;

interface Searched {
  member: string;
  body: () => JsonMap;
  as?: typeof operator;
}

/** By operation id: how an object of the list is made, and which of its members `q` searches. */
const lists: Readonly<Record<string, Searched>> = {
  listApiKeys: { member: "name", body: () => ({ scopes: ["instances:read"] }) },
  listTenants: { member: "name", body: () => ({ slug: slug() }), as: operator },
  listCloudTargets: {
    member: "name",
    body: () => ({
      provider: "mock",
      config: {},
      allowedRegions: ["local-1"],
      defaultRegion: "local-1",
    }),
  },
  listTemplates: { member: "name", body: () => ({ source: SOURCE }) },
  listInstances: {
    member: "name",
    body: () => ({ templateId, targetId, variables: { password: "correct horse battery" } }),
  },
  listProfiles: { member: "name", body: () => ({}) },
  listWebhooks: {
    member: "description",
    body: () => ({ url: "https://hooks.example.com/in", events: ["license.expired"] }),
  },
  listListings: {
    member: "title",
    body: () => ({ summary: "A web server.", categories: ["web"], slug: slug(), templateId }),
  },
};

/** Lists of what nobody names. */
const ofOurs = new Set(["listCloudProviderTypes"]);

const searchable = endpoints.filter(
  ({ query, operationId }) => fieldsOf(query).includes("q") && !ofOurs.has(operationId),
);

const text = "ÄÖÜ Straße İzmir ΟΔΟΣ Москва Ｆｕｌｌ Cafe\u0301";
const found = [
  "äöü",
  "äÖü STRASSE",
  "straẞe",
  "izmir",
  "İZMİR",
  "οδος",
  "οδοσ",
  "мОСКва",
  "full",
  "ＦＵＬＬ",
  "CAFÉ",
  "cafe\u0301",
  "ss",
];
const other = ["aou", "cafe ", "моcква", "%", "_", "Ä%", "*"];

describe.each(searchable.map((endpoint): [string, Endpoint] => [endpoint.path, endpoint]))(
  "GET %s",
  (path, { operationId }) => {
    const {
      member,
      body,
      as = tenant,
    } = lists[operationId] ?? {
      member: `nothing is known of ${operationId}`,
      body: () => ({}),
    };
    const search = async (q: string): Promise<string[]> => {
      const answer = await as.get(`${path}?q=${encodeURIComponent(q)}&limit=100`);
      expect(answer.status, answer.text).toBe(200);
      return (answer.body.data as { id: string }[]).map(({ id }) => id);
    };

    it("finds texts in upper or lower case of any script, as they were made and as they are now", async () => {
      const made = await as.post(path, { ...body(), [member]: text });
      expect(made.status, made.text).toBe(201);
      const { id } = made.body;
      for (const q of found) expect(await search(q), q).toContain(id);
      for (const q of other) expect(await search(q), q).not.toContain(id);
      const changed = await as.patch(`${path}/${id}`, { [member]: "Ёлка" });
      expect([changed.status, changed.body[member]], changed.text).toEqual([200, "Ёлка"]);
      expect(await search("ёЛКА")).toContain(id);
      expect(await search("äöü")).not.toContain(id);
    });
  },
);
