/** Who may do what, made from the declarations: every endpoint, every kind of caller that must be refused. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { makeKey as inventKey } from "#platform/crypto/api-key.ts";
import type { Endpoint } from "#platform/http/endpoint.ts";
import { newId } from "#platform/ids.ts";
import { type Answer, operator } from "#test/support/api.ts";
import { ask, d1Spend, fieldsOf } from "#test/support/declared.ts";
import { rowsOf, tenantTables } from "#test/support/tenant-rows.ts";
import {
  answerEveryReceiver,
  makeKey,
  makeWorld,
  MISSING_ID,
  pathIn,
  pathWith,
  sampleBody,
  titleOf,
} from "#test/support/world.ts";

answerEveryReceiver();
const [mine, theirs] = [await makeWorld(), await makeWorld()];
const { tenantId } = mine;

const expired = await makeKey(tenantId);
await env.DB.prepare("UPDATE api_keys SET expires_at_ms = 1 WHERE id = ?").bind(expired.id).run();
const revoked = await makeKey(tenantId);
await operator.delete(`/api-keys/${revoked.id}`);
const statusOnly = await makeKey(tenantId, { scopes: ["status:read"] });
const licenseOnly = await makeKey(tenantId, { scopes: ["license:read"] });
const before = await rowsOf(tenantId);

const guarded = endpoints.filter(({ access }) => access !== "public");
/** Why these answer a stranger to the object in another way than that it is not there. */
const forAll: Readonly<Record<string, string>> = {
  getListing: "the world's listing is published: every tenant reads it",
  installListing: "the world's listing is published: every tenant installs it",
  listListings: "the world's listing is published: every tenant finds it",
  updateListing: "who reads a published listing is told who may change it: 403",
  deleteListing: "who reads a published listing is told who may change it: 403",
  evaluateFeatureFlag: "feature flags are the platform's",
};
const isOperators = (access: Endpoint["access"]) =>
  access !== "public" && access.role === "operator";
const ofOneObject = guarded.filter(
  ({ path, access, operationId }) =>
    path.includes("{") && !isOperators(access) && !Object.hasOwn(forAll, operationId),
);
const withTitle = (list: readonly Endpoint[]) =>
  list.map((endpoint): [string, Endpoint] => [titleOf(endpoint), endpoint]);
const jsonOf = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
const bodyOf = (endpoint: Endpoint) => jsonOf(sampleBody(mine, endpoint));
const request = (endpoint: Endpoint, key: string | undefined) =>
  ask(endpoint, pathIn(mine, endpoint), { key, body: bodyOf(endpoint) });

/** All that a caller can tell two answers apart by, but for the path that was asked for. */
function seen(answer: Answer, path: string): unknown {
  const { "server-timing": _, ...headers } = Object.fromEntries(answer.headers);
  const text = answer.text.replace(`"instance":"/api/v1${path}"`, '"instance":""');
  return { status: answer.status, headers, text, d1: d1Spend(answer) };
}

/** Why these are empty: no request to this world writes them. */
const notByRequests: Readonly<Record<string, string>> = {
  announced_statuses: "the sweep of statuses writes it",
  audit_seals: "the sweep of the audit log writes it",
  monthly_usage: "a deploy writes it, and the world's instance is only planned",
  status_days: "the sweep of statuses writes it",
};

it("has rows to protect in the tables that can be written through the API", () => {
  const empty = tenantTables.filter(
    (table) => (before[table] ?? []).length === 0 && !Object.hasOwn(notByRequests, table),
  );
  expect(empty).toEqual([]);
});

describe.each(withTitle(guarded))("%s", (_, endpoint) => {
  const { access } = endpoint;
  if (access === "public") throw new Error("Filtered out above");

  it("refuses a caller without a key", async () => {
    const answer = await request(endpoint, undefined);
    expect([answer.status, d1Spend(answer)]).toEqual([401, "0/0"]);
  });

  it.each([
    ["of another kind", "sk_live_0123456789"],
    [
      "with a wrong checksum",
      `${mine.tenant.key.slice(0, -1)}${mine.tenant.key.endsWith("0") ? "1" : "0"}`,
    ],
    ["cut short", mine.tenant.key.slice(0, -1)],
  ])("refuses a key %s without asking the database", async (_, key) => {
    const answer = await request(endpoint, key);
    expect([answer.status, answer.body.code, d1Spend(answer)]).toEqual([
      401,
      "unauthenticated",
      "0/0",
    ]);
  });

  it.each([
    ["nobody has", inventKey(newId(), false)],
    ["nobody has, for an operator", inventKey(newId(), true)],
    ["with another's id", inventKey(mine.keyId, false)],
    ["with a tenant key's id, for an operator", inventKey(mine.keyId, true)],
    ["that has expired", expired.key],
    ["that is revoked", revoked.key],
  ])("refuses a key %s", async (_, key) => {
    const answer = await request(endpoint, key);
    expect([answer.status, answer.body.code]).toEqual([401, "unauthenticated"]);
  });

  it("refuses a key without the scope, and names it", async () => {
    const { key } = access.scope === "status:read" ? licenseOnly : statusOnly;
    const answer = await request(endpoint, key);
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    expect(answer.body.detail).toContain(access.scope);
  });

  if (access.role === "operator")
    it("refuses a tenant with every scope", async () => {
      const answer = await request(endpoint, mine.tenant.key);
      expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
      expect(answer.body.detail).toContain("operator");
    });
});

describe.each(withTitle(ofOneObject))("%s of another tenant", (_, endpoint) => {
  const askTheirs = async (path: string) =>
    ask(endpoint, path, {
      key: theirs.tenant.key,
      body: jsonOf(sampleBody(theirs, endpoint)),
      headers: { "x-request-id": "same" },
    });

  it("answers as if it did not exist", async () => {
    // A first read proves the key and keeps it: the two that are compared must be alike in that.
    await askTheirs(pathWith(MISSING_ID, mine, endpoint));
    const path = pathIn(mine, endpoint);
    const missingPath = pathWith(MISSING_ID, mine, endpoint);
    const foreign = await askTheirs(path);
    const missing = await askTheirs(missingPath);
    expect(foreign.status, foreign.text).toBe(404);
    expect(seen(foreign, path)).toEqual(seen(missing, missingPath));
  });

  it.each([
    "%00",
    "%0d%0aX-Evil:%201",
    "'%20OR%20'1'='1",
    "%E0%A4%A",
    "..%2f..%2fapi-keys",
    "__proto__",
    "constructor",
    "%F0%9F%92%A9",
    "a".repeat(200),
    "a".repeat(201),
    "a".repeat(5000),
    "00000000-0000-0000-0000-000000000000",
    "platform",
    "*",
    "%25",
    "-1",
  ])("has nothing under the id %s", async (id) => {
    const answer = await askTheirs(pathWith(id, theirs, endpoint));
    expect([400, 404], answer.text).toContain(answer.status);
    expect([...answer.headers.keys()]).not.toContain("x-evil");
  });
});

describe("what a body or a query names of another tenant", () => {
  const creating = guarded.filter(({ body, access }) => body !== undefined && !isOperators(access));
  const references = creating.flatMap((endpoint) => {
    return fieldsOf(endpoint.body)
      .filter((field) => /^(tenant|template|target|profile|instance)Id$/.test(field))
      .map((field): [string, string, Endpoint] => [field, titleOf(endpoint), endpoint]);
  });

  it.each(references)("%s of %s answers as if it did not exist", async (field, _, endpoint) => {
    const { tenant: _tenant, ...foreignIds }: Record<string, unknown> = { ...mine };
    const path = pathIn(theirs, endpoint);
    const answers = [];
    for (const id of [MISSING_ID, foreignIds[field] ?? MISSING_ID])
      answers.push(
        await ask(endpoint, path, {
          key: theirs.tenant.key,
          body: JSON.stringify({ ...sampleBody(theirs, endpoint), [field]: id }),
          headers: { "x-request-id": "same" },
        }),
      );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const [missing, foreign] = answers.map((answer) => seen(answer, path));
    expect(foreign).toEqual(missing);
  });

  const lists = guarded.filter(
    ({ method, path, access }) => method === "GET" && !path.includes("{") && !isOperators(access),
  );
  it.each(withTitle(lists))("%s shows nothing of it", async (_, endpoint) => {
    const { listingId: published, ...hidden } = mine;
    const others = Object.hasOwn(forAll, endpoint.operationId) ? [] : [published];
    const ids = [...Object.values(hidden), ...others].filter((id) => typeof id === "string");
    const queries = [
      "",
      ...(fieldsOf(endpoint.query).includes("tenantId") ? [`?tenantId=${tenantId}`] : []),
    ];
    for (const query of queries) {
      const answer = await ask(endpoint, endpoint.path + query, { key: theirs.tenant.key });
      expect(answer.status, answer.text).toBe(200);
      for (const id of ids) expect(answer.text).not.toContain(id);
    }
  });
});

it("leaves every row of the tenant as it was", async () => {
  expect(await rowsOf(tenantId)).toEqual(before);
});
