/** Browser sessions: how long they last, how they end, whose they are. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sweepSessions } from "#areas/sign-in/sweep-sessions.ts";
import { type Answer, makeTenant, operator, send } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeTemplate } from "#test/support/cloud.ts";
import {
  headersOf,
  makeMembership,
  makeSession,
  makeUser,
  SESSION_COOKIE,
  signedIn,
  signedInOperator,
  type TestSession,
} from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

const as =
  (person: TestSession) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    send(method, path, {
      headers: {
        ...headersOf(person),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
const timesOf = (id: string) =>
  env.DB.prepare(
    "SELECT last_seen_at_ms AS lastSeenAtMs, expires_at_ms AS expiresAtMs FROM sessions WHERE id = ?",
  )
    .bind(id)
    .first<{ lastSeenAtMs: number; expiresAtMs: number }>();
const moveTo = (id: string, lastSeenAtMs: number, expiresAtMs: number) =>
  env.DB.prepare("UPDATE sessions SET last_seen_at_ms = ?2, expires_at_ms = ?3 WHERE id = ?1")
    .bind(id, lastSeenAtMs, expiresAtMs)
    .run();

describe("a session", () => {
  it.each([
    ["used a minute ago", MINUTE_MS, DAY_MS, 200],
    ["idle for just under eight hours", 8 * HOUR_MS - MINUTE_MS, DAY_MS, 200],
    ["idle for eight hours", 8 * HOUR_MS, DAY_MS, 401],
    ["of seven days, still in use", MINUTE_MS, 0, 401],
  ])("%s is answered as expected", async (_, idleMs, leftMs, status) => {
    const person = await signedIn();
    const now = Date.now();
    await moveTo(person.sessionId, now - idleMs, now + leftMs);
    const answer = await as(person)("GET", "/auth/session");
    expect(answer.status, answer.text).toBe(status);
    const gone = expect.stringMatching(`^${SESSION_COOKIE}=;.*Max-Age=0`);
    const kept = expect.stringMatching(/^__Host-control_bookmark=/);
    expect(answer.headers.getSetCookie()).toEqual([status === 401 ? gone : kept]);
  });

  it("updates its last use at most every five minutes, and lasts no longer for that", async () => {
    const person = await signedIn();
    const now = Date.now();
    const seenAfter = async (idleMs: number): Promise<number> => {
      await moveTo(person.sessionId, now - idleMs, now + DAY_MS);
      await as(person)("GET", "/auth/session");
      const times = await timesOf(person.sessionId);
      expect(times?.expiresAtMs).toBe(now + DAY_MS);
      return times?.lastSeenAtMs ?? 0;
    };
    expect(await seenAfter(4 * MINUTE_MS)).toBe(now - 4 * MINUTE_MS);
    await expect.poll(() => seenAfter(6 * MINUTE_MS)).toBeGreaterThanOrEqual(now);
  });

  it("ends at once with signing out, which removes the cookie", async () => {
    const person = await signedIn();
    const out = await as(person)("DELETE", "/auth/session");
    expect([out.status, out.text]).toEqual([204, ""]);
    expect(out.headers.get("set-cookie")).toBe(
      `${SESSION_COOKIE}=; HttpOnly; Max-Age=0; Path=/; SameSite=Lax; Secure`,
    );
    expect((await as(person)("GET", "/auth/session")).status).toBe(401);
  });

  it("is listed for its own user, who can end it from anywhere", async () => {
    const [userId, stranger] = [await makeUser(), await signedIn()];
    const here = await makeSession(userId);
    const there = await makeSession(userId);
    const over = await makeSession(userId, { ageMs: 9 * HOUR_MS });
    const list = await as(here)("GET", "/auth/sessions");
    expect(list.body.data, list.text).toMatchObject([
      { id: there.sessionId, current: false },
      { id: here.sessionId, current: true },
    ]);
    expect(list.text).not.toContain(there.token);
    const first = await as(here)("GET", "/auth/sessions?limit=1");
    const rest = await as(here)("GET", `/auth/sessions?limit=1&cursor=${first.body.nextCursor}`);
    expect(rest.body).toMatchObject({ data: [{ id: here.sessionId }], nextCursor: null });
    const end = (person: TestSession, { sessionId }: TestSession) =>
      as(person)("DELETE", `/auth/sessions/${sessionId}`);
    expect((await end(stranger, there)).status).toBe(404);
    expect((await end(here, over)).status).toBe(404);
    expect((await as(there)("GET", "/auth/session")).status).toBe(200);
    expect((await end(here, there)).status).toBe(204);
    expect((await as(there)("GET", "/auth/session")).status).toBe(401);
    expect((await end(here, there)).status).toBe(404);
  });

  it.each([
    [undefined, 200],
    ["[]", 401],
    ["", 401],
    ['[{"id":"test","issuer":"https://new.test"}]', 401],
    ["{", 200],
  ])("ends with its provider: with OIDC_PROVIDERS %j it answers %i", async (setting, status) => {
    const ask = appWith(setting === undefined ? {} : { OIDC_PROVIDERS: setting });
    for (const person of [await signedIn(), await signedInOperator()]) {
      const answer = await ask("GET", "/auth/session", { headers: headersOf(person) });
      expect(answer.status, answer.text).toBe(status);
    }
  });

  it("cannot be used with a key", async () => {
    const { get } = await makeTenant();
    expect((await get("/auth/session")).status).toBe(403);
    expect((await operator.get("/auth/sessions")).status).toBe(403);
  });

  it("does not affect public endpoints", async () => {
    for (const cookie of [`${SESSION_COOKIE}=x`, `${SESSION_COOKIE}=${"a".repeat(43)}`])
      for (const path of ["/health", "/auth/providers", "/openapi.json"])
        expect((await send("GET", path, { headers: { cookie } })).status, path).toBe(200);
  });

  it("is removed from the database when it has ended, and not before", async () => {
    const [person, idle] = [await signedIn(), await signedIn()];
    const now = Date.now();
    await moveTo(idle.sessionId, now - 8 * HOUR_MS, now + DAY_MS);
    const signIn = (digest: string, expiresAtMs: number) =>
      env.DB.prepare(
        "INSERT INTO sign_ins (state_digest, browser_digest, provider, issuer, return_to, secrets, expires_at_ms) VALUES (?, '', '', '', '', '', ?)",
      )
        .bind(digest, expiresAtMs)
        .run();
    await signIn(`over-${idle.sessionId}`, now);
    await signIn(`open-${idle.sessionId}`, now + MINUTE_MS);
    await sweepSessions(env, now);
    expect(await timesOf(idle.sessionId)).toBeNull();
    expect(await timesOf(person.sessionId)).not.toBeNull();
    const left = await env.DB.prepare(
      "SELECT state_digest AS digest FROM sign_ins WHERE state_digest LIKE ?",
    )
      .bind(`%${idle.sessionId}`)
      .all();
    expect(left.results).toEqual([{ digest: `open-${idle.sessionId}` }]);
  });
});

describe("a signed-in user", () => {
  it("reads their identity, their roles and the end of the session", async () => {
    const tenant = await makeTenant();
    const person = await signedIn([tenant.tenantId, "CustomerDeveloper"]);
    const me = await as(person)("GET", "/auth/session");
    expect(me.body).toMatchObject({
      user: { id: person.userId, issuer: "https://id.test" },
      operator: false,
      tenants: [{ tenantId: tenant.tenantId, slug: tenant.slug, role: "CustomerDeveloper" }],
      session: { id: person.sessionId, current: true, provider: "test", userAgent: null },
    });
    const { session } = me.body;
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(7 * DAY_MS);
    const boss = await as(await signedInOperator())("GET", "/auth/session");
    expect(boss.body).toMatchObject({ operator: true, tenants: [] });
  });

  it("is the actor of their changes", async () => {
    const tenant = await makeTenant();
    const person = await signedIn([tenant.tenantId, "CustomerOwner"]);
    const made = await as(person)("POST", "/profiles", { name: "sample" });
    expect(made.status, made.text).toBe(201);
    const log = await as(person)("GET", `/audit-events?resourceId=${made.body.id}`);
    expect(log.body.data, log.text).toMatchObject([{ actor: `member:${person.userId}` }]);
    const boss = await signedInOperator();
    const platform = await as(boss)("POST", "/profiles", { name: "sample" });
    const platformLog = await as(boss)("GET", `/audit-events?resourceId=${platform.body.id}`);
    expect(platformLog.body.data).toMatchObject([{ actor: `operator:${boss.userId}` }]);
  });

  it("grants keys no more rights than their role in that tenant", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const person = await signedIn([one.tenantId, "CustomerAdmin"], [two.tenantId, "CustomerOwner"]);
    const key = await as(person)("POST", "/api-keys", {
      name: "mine",
      scopes: ["*"],
      tenantId: one.tenantId,
    });
    expect(key.body, key.text).toMatchObject({
      creatorUserId: person.userId,
      tenantId: one.tenantId,
    });
    const bearer = { authorization: `Bearer ${key.body.key}`, "content-type": "application/json" };
    const rename = (tenantId: string) =>
      send("PATCH", `/tenants/${tenantId}`, { headers: bearer, body: '{"name":"New"}' });
    expect((await rename(one.tenantId)).status, "an admin's key").toBe(403);
    expect((await rename(two.tenantId)).status).toBe(403);
    const ownersKey = await one.get("/api-keys");
    const owners = ownersKey.body.data.find(({ name }: { name: string }) => name === "suite");
    expect((await as(person)("POST", `/api-keys/${owners.id}/rotate`)).status).toBe(403);
  });

  it("changes members of a tenant with their role there", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const person = await signedIn([one.tenantId, "CustomerAdmin"], [two.tenantId, "CustomerOwner"]);
    const other = await makeUser();
    for (const { tenantId } of [one, two]) await makeMembership(other, tenantId, "CustomerOwner");
    const demote = (tenantId: string) =>
      as(person)("PATCH", `/tenants/${tenantId}/members/${other}`, { role: "CustomerViewer" });
    expect((await demote(one.tenantId)).status).toBe(403);
    expect((await demote(two.tenantId)).status).toBe(200);
  });
});

describe("a member of several tenants", () => {
  it("can have more tenants than a statement has parameters", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const person = await signedIn(
      [one.tenantId, "CustomerOwner"],
      [two.tenantId, "CustomerViewer"],
    );
    await env.DB.prepare(
      `INSERT INTO members (id, tenant_id, user_id, role, version, created_at_ms, updated_at_ms)
        SELECT value, value, ?2, 'CustomerViewer', 1, 0, 0 FROM json_each(?1)`,
    )
      .bind(JSON.stringify(Array.from({ length: 150 }, () => crypto.randomUUID())), person.userId)
      .run();
    const make = ({ tenantId }: { tenantId: string }) =>
      as(person)("POST", "/profiles", { name: "sample", tenantId });
    expect([(await make(one)).status, (await make(two)).status]).toEqual([201, 403]);
    for (const path of ["/profiles", "/templates", "/tenants", "/auth/session", "/webhooks"])
      expect((await as(person)("GET", path)).status, path).toBe(200);
    expect((await as(person)("GET", `/profiles/${crypto.randomUUID()}`)).status).toBe(404);
  });

  it("sees all their tenants' objects in one list, or those of the one they name, page by page", async () => {
    const tenants = await Promise.all([makeTenant(), makeTenant(), makeTenant()]);
    const ids = await Promise.all(tenants.map((tenant) => makeTemplate(tenant, SOURCE)));
    const [one, two, three] = tenants.map(({ tenantId }) => tenantId) as [string, string, string];
    const person = await signedIn([one, "CustomerViewer"], [two, "CustomerOwner"]);
    const listed = async (query: string): Promise<string[]> => {
      const shown: string[] = [];
      for (let cursor = ""; ;) {
        const page = await as(person)("GET", `/templates?limit=1${query}${cursor}`);
        expect(page.status, page.text).toBe(200);
        shown.push(...page.body.data.map(({ id }: { id: string }) => id));
        if (page.body.nextCursor === null) return shown;
        cursor = `&cursor=${page.body.nextCursor}`;
      }
    };
    const mine = (list: string[]) => list.filter((id) => ids.includes(id)).sort();
    expect(mine(await listed(""))).toEqual(ids.slice(0, 2).sort());
    expect(mine(await listed(`&tenantId=${two}`))).toEqual([ids[1]]);
    expect(mine(await listed(`&tenantId=${three}`))).toEqual([]);
  });

  it("has their role in each tenant", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const person = await signedIn(
      [one.tenantId, "CustomerViewer"],
      [two.tenantId, "CustomerOwner"],
    );
    const [here, there] = await Promise.all([makeTemplate(one, SOURCE), makeTemplate(two, SOURCE)]);
    const change = (id: string) =>
      as(person)("PATCH", `/templates/${id}`, { description: crypto.randomUUID() });
    const refused = await change(here);
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      "This needs the role CustomerDeveloper.",
    ]);
    expect((await change(there)).status).toBe(200);
    expect((await one.get(`/templates/${here}`)).headers.get("etag")).toBe(
      (await as(person)("GET", `/templates/${here}`)).headers.get("etag"),
    );
    const both = await as(person)("POST", "/profiles", { name: "sample", tenantId: one.tenantId });
    expect(both.status).toBe(403);
  });

  it("executes a repeated change with an Idempotency-Key once", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const person = await signedIn([one.tenantId, "CustomerOwner"], [two.tenantId, "CustomerOwner"]);
    const create = () =>
      send("POST", "/profiles", {
        headers: {
          ...headersOf(person),
          "content-type": "application/json",
          "idempotency-key": "k",
        },
        body: JSON.stringify({ name: "sample", tenantId: two.tenantId }),
      });
    const answers = await Promise.all([create(), create(), create()]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  });
});
