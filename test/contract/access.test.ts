/** Access, derived from the declarations: every endpoint with every kind of caller that must be refused. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { type Endpoint, isMutation } from "#http/endpoint.ts";
import { isAtLeast } from "#kernel/access/access.ts";
import { makeKey as inventKey } from "#kernel/authn/api-key.ts";
import { newSessionToken } from "#kernel/authn/authenticate-session.ts";
import { newId } from "#platform/ids.ts";
import { type TenantRole, tenantRoles } from "#schema/lists/roles.ts";
import { type Answer, operator } from "#test/support/api.ts";
import { ask, d1Spend, expectRefused, fieldsOf } from "#test/support/declared.ts";
import { partOf } from "#test/support/depth.ts";
import {
  headersOf,
  makeSession,
  SESSION_COOKIE,
  signedIn,
  signedInOperator,
  type TestSession,
} from "#test/support/sessions.ts";
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

/** Signed-in users, by their roles in this world and in the other one. */
const people = {
  CustomerViewer: await signedIn([tenantId, "CustomerViewer"]),
  CustomerDeveloper: await signedIn([tenantId, "CustomerDeveloper"]),
  CustomerAdmin: await signedIn([tenantId, "CustomerAdmin"]),
  CustomerOwner: await signedIn([tenantId, "CustomerOwner"]),
  ownerOfTheirs: await signedIn([theirs.tenantId, "CustomerOwner"]),
  viewerHereOwnerThere: await signedIn(
    [tenantId, "CustomerViewer"],
    [theirs.tenantId, "CustomerOwner"],
  ),
  formerMember: await signedIn([tenantId, "CustomerOwner"]),
  operator: await signedInOperator(),
};
/** Owners of the other tenant, by what they are in this one. */
const ownersThere = Object.fromEntries(
  await Promise.all(
    tenantRoles.map(async (own) => [
      own,
      await signedIn([tenantId, own], [theirs.tenantId, "CustomerOwner"]),
    ]),
  ),
) as Record<TenantRole, TestSession>;
await operator.delete(`/tenants/${tenantId}/members/${people.formerMember.userId}`);
const over = await makeSession(people.CustomerOwner.userId, { ageMs: 8 * 3_600_000 });
const [before, theirsBefore] = [await rowsOf(tenantId), await rowsOf(theirs.tenantId)];

const guarded = endpoints.filter(({ access }) => access !== "public");
/** Why these endpoints do not answer 404 to another tenant. */
const forAll: Readonly<Record<string, string>> = {
  getListing: "the world's listing is published: every tenant reads it",
  installListing: "the world's listing is published: every tenant installs it",
  listListings: "the world's listing is published: every tenant finds it",
  updateListing: "who reads a published listing is told who may change it: 403",
  deleteListing: "who reads a published listing is told who may change it: 403",
  evaluateFeatureFlag: "feature flags are the platform's",
  listCloudProviderTypes: "the types are the vendors'",
};
const isOperators = (access: Endpoint["access"]) =>
  access !== "public" && access.role === "operator";
const ofOneObject = guarded.filter(
  ({ path, access, operationId }) =>
    path.includes("{") && !isOperators(access) && !Object.hasOwn(forAll, operationId),
);
const withTitle = (list: readonly Endpoint[]) =>
  list.map((endpoint, turn): [string, Endpoint, number] => [titleOf(endpoint), endpoint, turn]);
const jsonOf = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
const bodyOf = (endpoint: Endpoint) => jsonOf(sampleBody(mine, endpoint));
const request = (endpoint: Endpoint, key: string | undefined) =>
  ask(endpoint, pathIn(mine, endpoint), { key, body: bodyOf(endpoint) });

/** Everything by which a caller can tell two answers apart, except the requested path. */
function seen(answer: Answer, path: string): unknown {
  const { "server-timing": _, ...headers } = Object.fromEntries(answer.headers);
  const text = answer.text.replace(`"instance":"/api/v1${path}"`, '"instance":""');
  return { status: answer.status, headers, text, d1: d1Spend(answer) };
}

/** Why these tables are empty: no request to this world writes them. */
const notByRequests: Readonly<Record<string, string>> = {
  announced_statuses: "the sweep of statuses writes it",
  audit_seals: "the sweep of the audit log writes it",
  monthly_usage: "a deploy writes it, and the world's instance is only planned",
  status_days: "the sweep of statuses writes it",
};

it("has test rows in all tables that the API can write", () => {
  const empty = tenantTables.filter(
    (table) => (before[table] ?? []).length === 0 && !Object.hasOwn(notByRequests, table),
  );
  expect(empty).toEqual([]);
});

describe.each(withTitle(guarded))("%s", (_, endpoint, turn) => {
  const { access } = endpoint;
  if (access === "public") throw new Error("Filtered out above");

  it("refuses a request without a key", async () => {
    const answer = await request(endpoint, undefined);
    expect([answer.status, d1Spend(answer)]).toEqual([401, "0/0"]);
  });

  it("refuses malformed keys without a database query", async () => {
    const { key } = mine.tenant;
    const malformed = [
      "sk_live_0123456789",
      `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
      key.slice(0, -1),
    ];
    const keys = partOf(malformed, 3, turn);
    const answers = await Promise.all(keys.map((odd) => request(endpoint, odd)));
    expect(answers.map((answer) => [answer.status, answer.body.code, d1Spend(answer)])).toEqual(
      keys.map(() => [401, "unauthenticated", "0/0"]),
    );
  });

  it("refuses a key that is unknown, wrong, expired or revoked", async () => {
    const useless = [
      inventKey(newId(), false),
      inventKey(newId(), true),
      inventKey(mine.keyId, false),
      inventKey(mine.keyId, true),
      expired.key,
      revoked.key,
    ];
    const keys = partOf(useless, 3, turn);
    const answers = await Promise.all(keys.map((bad) => request(endpoint, bad)));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      keys.map(() => [401, "unauthenticated"]),
    );
  });

  it("refuses a key without the scope, and names it", async () => {
    if (access.role === "session") {
      const answer = await request(endpoint, statusOnly.key);
      expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
      return;
    }
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

const oddIds = [
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
];

describe.each(withTitle(ofOneObject))("%s of another tenant", (_, endpoint, turn) => {
  const askTheirs = async (path: string) =>
    ask(endpoint, path, {
      key: theirs.tenant.key,
      body: jsonOf(sampleBody(theirs, endpoint)),
      headers: { "x-request-id": "same" },
    });

  it("is answered as if it did not exist", async () => {
    // The first read authenticates and caches the key: both compared requests must come after it.
    await askTheirs(pathWith(MISSING_ID, mine, endpoint));
    const path = pathIn(mine, endpoint);
    const missingPath = pathWith(MISSING_ID, mine, endpoint);
    const foreign = await askTheirs(path);
    const missing = await askTheirs(missingPath);
    expect(foreign.status, foreign.text).toBe(404);
    expect(seen(foreign, path)).toEqual(seen(missing, missingPath));
  });

  it("answers malformed ids with 400 or 404", async () => {
    const ids = partOf(oddIds, 8, turn);
    const answers = await Promise.all(ids.map((id) => askTheirs(pathWith(id, theirs, endpoint))));
    for (const [at, answer] of answers.entries()) {
      expect([400, 404], `${ids[at]}: ${answer.text}`).toContain(answer.status);
      expect([...answer.headers.keys()]).not.toContain("x-evil");
    }
  });
});

describe("an object of another tenant in a body or query", () => {
  const creating = guarded.filter(({ body, access }) => body !== undefined && !isOperators(access));
  const references = creating.flatMap((endpoint) => {
    return fieldsOf(endpoint.body)
      .filter((field) => /^(tenant|template|target|profile|instance)Id$/.test(field))
      .map((field): [string, string, Endpoint] => [field, titleOf(endpoint), endpoint]);
  });

  it.each(references)("%s of %s is answered as if it did not exist", async (field, _, endpoint) => {
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
  it.each(withTitle(lists))("%s reveals nothing of it", async (_, endpoint) => {
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

const byPerson = (
  endpoint: Endpoint,
  person: Pick<TestSession, "token">,
  path = pathIn(mine, endpoint),
  more: Record<string, string> = {},
) =>
  ask(endpoint, path, {
    body: bodyOf(endpoint),
    headers: { ...headersOf(person), "x-request-id": "same", ...more },
  });
const codes = (answers: readonly Answer[]) =>
  answers.map(({ status, body }) => [status, body?.code]);

describe.each(withTitle(guarded))("%s in a browser session", (_, endpoint, turn) => {
  const { access } = endpoint;
  if (access === "public") throw new Error("Filtered out above");
  const { role } = access;
  const missingPath = pathWith(MISSING_ID, mine, endpoint);
  const isOfOne = ofOneObject.includes(endpoint);

  it("refuses an invalid session cookie, and removes it", async () => {
    const cookie = (value: string) => ({ cookie: value });
    const name = SESSION_COOKIE;
    const { token } = people.CustomerOwner;
    const { operator: asked } = people;
    const unknown = partOf(
      [
        { token: over.token },
        { token: newSessionToken(false) },
        { token: newSessionToken(true) },
        { token: `op_${token}` },
      ],
      4,
      turn,
    );
    const malformed = partOf(
      [`${name}=${token}; ${name}=${token}`, `${name}=${token}x`, `${name}=`],
      3,
      turn,
    );
    const [refused, unread] = await Promise.all([
      Promise.all(unknown.map((person) => byPerson(endpoint, person))),
      Promise.all(malformed.map((text) => byPerson(endpoint, asked, undefined, cookie(text)))),
    ]);
    const answers = [...refused, ...unread];
    expect(codes(answers)).toEqual(answers.map(() => [401, "unauthenticated"]));
    for (const { headers } of answers)
      expect(headers.getSetCookie()).toEqual([expect.stringMatching(`^${name}=;.*Max-Age=0`)]);
    expect(unread.map(d1Spend)).toEqual(unread.map(() => "0/0"));
  });

  it("refuses a session together with a key", async () => {
    const both = { authorization: `Bearer ${mine.tenant.key}` };
    const answer = await byPerson(endpoint, people.CustomerOwner, undefined, both);
    expectRefused(endpoint, answer, [400, "validation_failed"]);
    expect(d1Spend(answer)).toBe("0/0");
  });

  if (isMutation(endpoint.method))
    it("refuses a change that a foreign page could have sent", async () => {
      const from: Record<string, string>[] = [
        { "x-service-csrf": "" },
        { "x-service-csrf": "true" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site", origin: "https://evil.test" },
        { "sec-fetch-site": "none" },
      ];
      const answers = await Promise.all(
        partOf(from, 3, turn).map((more) =>
          byPerson(endpoint, people.CustomerOwner, undefined, more),
        ),
      );
      expect(codes(answers)).toEqual(answers.map(() => [403, "csrf_required"]));
      expect(answers.map(d1Spend)).toEqual(answers.map(() => "0/0"));
    });

  if (role === "session") return;

  it("refuses a former member of all tenants, whatever the request", async () => {
    const answers = await Promise.all(
      [pathIn(mine, endpoint), missingPath].map((path) =>
        byPerson(endpoint, people.formerMember, path),
      ),
    );
    expect(codes(answers)).toEqual(answers.map(() => [403, "forbidden"]));
  });

  it("requires of every role what it requires of keys", async () => {
    const missing = (own: TenantRole) => byPerson(endpoint, people[own], missingPath);
    // Whoever may do it to themselves is told, as everywhere, that somebody is not there.
    const isForSelf = access.orSelf === true;
    const tooWeak = tenantRoles.filter((own) => role === "operator" || !isAtLeast(own, role));
    const enough = tenantRoles.filter((own) => !tooWeak.includes(own));
    const refused = await Promise.all(
      tooWeak.flatMap((own) => [
        byPerson(endpoint, people[own]),
        ...(isForSelf ? [] : [missing(own)]),
      ]),
    );
    expect(codes(refused)).toEqual(refused.map(() => [403, "forbidden"]));
    for (const { body } of refused) expect(body.detail).toContain(role);
    if (endpoint.method === "GET") {
      const read = await Promise.all(enough.map((own) => byPerson(endpoint, people[own])));
      expect(read.map(({ status }) => status)).toEqual(enough.map(() => 200));
    } else if (isOfOne) {
      const nothing = await Promise.all(enough.map(missing));
      expect(nothing.map(({ status }) => status)).toEqual(enough.map(() => 404));
    }
  });

  if (!isOfOne) return;

  it("hides everything from the owner of another tenant", async () => {
    const [path, person] = [pathIn(mine, endpoint), people.ownerOfTheirs];
    const foreign = await byPerson(endpoint, person, path);
    const missing = await byPerson(endpoint, person, missingPath);
    expect(foreign.status, foreign.text).toBe(404);
    expect(seen(foreign, path)).toEqual(seen(missing, missingPath));
  });

  it("answers 403 to a member whose role is too low here, whatever they are elsewhere", async () => {
    const tooLow = tenantRoles.filter((own) => role !== "operator" && !isAtLeast(own, role));
    for (const own of tooLow) {
      const person = ownersThere[own];
      const [here, missing] = [
        await byPerson(endpoint, person),
        await byPerson(endpoint, person, missingPath),
      ];
      expect(codes([here, missing]), own).toEqual([
        [403, "forbidden"],
        [404, "not_found"],
      ]);
      expect(here.body.detail).toContain(role);
      if (endpoint.method !== "GET") continue;
      const there = await byPerson(endpoint, person, pathIn(theirs, endpoint));
      expect(there.status, there.text).toBe(200);
    }
  });

  it("lets an operator", async () => {
    const path = endpoint.method === "GET" ? pathIn(mine, endpoint) : missingPath;
    const answer = await byPerson(endpoint, people.operator, path);
    expect(answer.status, answer.text).toBe(endpoint.method === "GET" ? 200 : 404);
  });
});

describe("a create, by a member of several tenants,", () => {
  const creates = guarded.filter(
    ({ method, path, body, answer, access }) =>
      method === "POST" &&
      answer.status === 201 &&
      !path.includes("{") &&
      !isOperators(access) &&
      fieldsOf(body).includes("tenantId"),
  );
  it.each(withTitle(creates))("%s needs the tenant", async (_, endpoint) => {
    const answer = await ask(endpoint, endpoint.path, {
      body: jsonOf(sampleBody(theirs, endpoint)),
      headers: headersOf(people.viewerHereOwnerThere),
    });
    expect([answer.status, answer.body.errors], answer.text).toMatchObject([
      400,
      [{ in: "body", pointer: "/tenantId", code: "required" }],
    ]);
  });
});

describe("a list, for an owner of another tenant who may only read here,", () => {
  const lists = guarded.filter(
    ({ method, path, access }) =>
      method === "GET" &&
      !path.includes("{") &&
      access !== "public" &&
      !["operator", "session", "CustomerViewer"].includes(access.role),
  );
  it.each(withTitle(lists))("shows of %s only the other tenant's", async (_, endpoint) => {
    const answer = await byPerson(
      endpoint,
      people.viewerHereOwnerThere,
      `${endpoint.path}?tenantId=${tenantId}`,
    );
    expect([answer.status, answer.body.data], answer.text).toEqual([200, []]);
    const there = `${endpoint.path}?tenantId=${theirs.tenantId}`;
    const shown = await byPerson(endpoint, people.viewerHereOwnerThere, there);
    expect(shown.body.data.length, shown.text).toBeGreaterThan(0);
  });
});

it("leaves every row of the tenants as it was", async () => {
  expect(await rowsOf(tenantId)).toEqual(before);
  expect(await rowsOf(theirs.tenantId)).toEqual(theirsBefore);
});
