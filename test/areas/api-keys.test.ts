import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { faultsOf, problemOf, roundTripsOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, operator, send, stranger } from "#test/support/api.ts";
import { makeMember } from "#test/support/members.ts";
import { headersOf, makeMembership, makeSession } from "#test/support/sessions.ts";

const MISSING = "01890000-0000-7000-8000-000000000000";
const YEAR = "2090-01-01T00:00:00.000Z";

/** Uses a change, which always reads the database; a read can use the cached caller for ten seconds. */
const works = async (key: string): Promise<boolean> =>
  (await clientOf(key).post("/templates/none/validate", {})).status !== 401;

async function makeKey(client: Pick<ReturnType<typeof clientOf>, "post">, more: object = {}) {
  const made = await client.post("/api-keys", { name: "one", scopes: ["*"], ...more });
  expect(made.status, made.text).toBe(201);
  return made;
}

describe("updating an API key", () => {
  it("replaces the fields in the body, takes effect, and costs two round trips", async () => {
    const mine = await makeTenant();
    const made = await makeKey(mine);
    const path = `/api-keys/${made.body.id}`;
    const body = { name: "two", scopes: ["templates:read"], expiresAt: YEAR };
    const updated = await mine.patch(path, body, { "if-match": '"1"' });
    expect(updated.status, updated.text).toBe(200);
    const { key: _, ...shown } = made.body;
    expect(updated.body).toEqual({
      ...shown,
      ...body,
      prefix: shown.prefix,
      lastUsedAt: null,
      updatedAt: expect.any(String),
    });
    expect([updated.headers.get("etag"), roundTripsOf(updated)]).toEqual(['"2"', 2]);
    const narrowed = clientOf(made.body.key);
    expect((await narrowed.get("/templates")).status).toBe(200);
    expect((await narrowed.post("/templates", { name: "web" })).status).toBe(403);
    expect((await mine.patch(path, {}, { "if-match": '"1"' })).status).toBe(412);
    const forever = await mine.patch(path, { expiresAt: null });
    expect([forever.body.expiresAt, forever.body.name]).toEqual([null, "two"]);
    expect((await mine.patch(path, {})).headers.get("etag")).toBe('"3"');
  });

  it.each([
    ["/name", { name: "" }],
    ["/name", { name: "a".repeat(81) }],
    ["/scopes", { scopes: [] }],
    ["/scopes/0", { scopes: ["everything"] }],
    ["/expiresAt", { expiresAt: "tomorrow" }],
    ["/expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
  ])("rejects %s in %j", async (pointer, body) => {
    const mine = await makeTenant();
    const made = await makeKey(mine);
    const refused = await mine.patch(`/api-keys/${made.body.id}`, body);
    expect([refused.status, new Set(faultsOf(refused))]).toEqual([400, new Set([pointer])]);
  });

  it("requires JSON, the scope, the current version and a key that is not revoked", async () => {
    const mine = await makeTenant();
    const { id } = (await makeKey(mine)).body;
    const path = `/api-keys/${id}`;
    const text = await send("PATCH", path, {
      headers: { authorization: `Bearer ${mine.key}`, "content-type": "text/plain" },
      body: "{}",
    });
    expect(text.status).toBe(415);
    expect((await stranger.patch(path, {})).status).toBe(401);
    const reader = clientOf((await makeKey(mine, { scopes: ["api_keys:read"] })).body.key);
    expect((await reader.patch(path, {})).body.detail).toContain("api_keys:write");
    expect((await reader.post(`${path}/rotate`)).body.detail).toContain("api_keys:write");
    expect((await mine.delete(path)).status).toBe(204);
    for (const answer of [
      await mine.patch(path, { name: "late" }),
      await mine.post(`${path}/rotate`),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, "invalid_state"]);
  });
});

describe("the last use of an API key", () => {
  it("is shown, and written at most once a minute", async () => {
    const mine = await makeTenant();
    const { id, key } = (await makeKey(mine)).body;
    const shown = async () => (await mine.get(`/api-keys/${id}`)).body.lastUsedAt as string | null;
    const movedBy = async (ms: number) => {
      await env.DB.prepare("UPDATE api_keys SET last_used_at_ms = ? WHERE id = ?")
        .bind(Date.now() - ms, id)
        .run();
      return shown();
    };
    expect(await shown()).toBeNull();
    await works(key);
    await expect.poll(shown).not.toBeNull();
    const longAgo = await movedBy(61_000);
    await works(key);
    await expect.poll(shown).not.toBe(longAgo);
    const lately = await movedBy(30_000);
    await works(key);
    // The next use comes after whatever the one before left to be written.
    await works(key);
    expect(await shown()).toBe(lately);
  });
});

describe("rotating an API key", () => {
  it("gives a new key, and the previous one works until the overlap ends", async () => {
    const mine = await makeTenant();
    const made = await makeKey(mine);
    const path = `/api-keys/${made.body.id}/rotate`;
    const rotated = await mine.post(`${path}?overlapSeconds=60`);
    expect(rotated.status, rotated.text).toBe(200);
    const { key, prefix, ...rest } = rotated.body;
    expect(rest).toMatchObject({ id: made.body.id, name: "one", scopes: ["*"] });
    expect(key).not.toBe(made.body.key);
    expect(key.startsWith(prefix) && prefix !== made.body.prefix).toBe(true);
    const overlapMs = Date.parse(rest.previousKeyExpiresAt) - Date.parse(rest.updatedAt);
    expect(overlapMs).toBe(60_000);
    expect([rotated.headers.get("etag"), roundTripsOf(rotated)]).toEqual(['"2"', 2]);
    expect([await works(key), await works(made.body.key)]).toEqual([true, true]);
    await env.DB.prepare("UPDATE api_keys SET previous_expires_at_ms = ? WHERE id = ?")
      .bind(Date.now() - 1, made.body.id)
      .run();
    expect([await works(key), await works(made.body.key)]).toEqual([true, false]);
    const read = await mine.get(`/api-keys/${made.body.id}`);
    expect(read.body.previousKeyExpiresAt).toBeNull();
    const { results } = await env.DB.prepare("SELECT type FROM events WHERE resource_id = ?")
      .bind(made.body.id)
      .all<{ type: string }>();
    expect(results.map(({ type }) => type)).toEqual(["api_key.created", "api_key.rotated"]);
  });

  it("ends the previous key at once with an overlap of 0, and after a day by default", async () => {
    const mine = await makeTenant();
    const made = await makeKey(mine);
    const path = `/api-keys/${made.body.id}/rotate`;
    const leaked = await mine.post(`${path}?overlapSeconds=0`);
    expect(leaked.body.previousKeyExpiresAt).toBeNull();
    expect([await works(leaked.body.key), await works(made.body.key)]).toEqual([true, false]);
    const { body } = await mine.post(path);
    expect(Date.parse(body.previousKeyExpiresAt) - Date.parse(body.updatedAt)).toBe(86_400_000);
    const third = await mine.post(`${path}?overlapSeconds=604800`);
    const keys = [leaked.body.key, body.key, third.body.key];
    expect(await Promise.all(keys.map(works))).toEqual([false, true, true]);
  });

  it.each(["", "-1", "604801", "1.5", "day"])("rejects an overlap of %j", async (overlap) => {
    const mine = await makeTenant();
    const made = await makeKey(mine);
    const refused = await mine.post(`/api-keys/${made.body.id}/rotate?overlapSeconds=${overlap}`);
    expect([refused.status, faultsOf(refused)]).toEqual([400, ["overlapSeconds"]]);
    expect(await works(made.body.key)).toBe(true);
  });

  it("answers a repeated request with the same key, and an operator's key stays an operator's", async () => {
    const mine = await makeTenant();
    const made = await makeKey(mine);
    const path = `/api-keys/${made.body.id}/rotate`;
    const first = await mine.post(path, undefined, { "idempotency-key": "one" });
    const again = await mine.post(path, undefined, { "idempotency-key": "one" });
    expect(again.text).toBe(first.text);
    const operators = await makeKey(operator);
    const rotated = await operator.post(`/api-keys/${operators.body.id}/rotate`);
    expect(rotated.body.key).toMatch(/^cpk_op/);
    expect((await clientOf(rotated.body.key).get("/tenants?limit=1")).status).toBe(200);
  });

  it("can rotate the key of the request itself", async () => {
    const mine = await makeTenant();
    const made = await makeKey(mine);
    const rotated = await clientOf(made.body.key).post(`/api-keys/${made.body.id}/rotate`);
    expect(rotated.status).toBe(200);
  });
});

describe("nobody grants more rights than they have", () => {
  it("records the creator of a key on the keys that it creates", async () => {
    const mine = await makeTenant();
    const admin = await makeMember(mine.tenantId, "CustomerAdmin");
    const child = await makeKey(admin, { scopes: ["api_keys:write", "tenants:write"] });
    expect(child.body.creatorUserId).toBe(admin.userId);
    const grandchild = await makeKey(clientOf(child.body.key), { scopes: ["tenants:write"] });
    expect(grandchild.body.creatorUserId).toBe(admin.userId);
    const asOwner = await clientOf(grandchild.body.key).patch(`/tenants/${mine.tenantId}`, {});
    expect(asOwner.body.detail).toBe("This needs the role CustomerOwner.");
    expect((await makeKey(mine)).body.creatorUserId).toBeNull();
  });

  it("lets an admin neither change nor rotate nor revoke a key with an owner's rights", async () => {
    const mine = await makeTenant();
    const admin = await makeMember(mine.tenantId, "CustomerAdmin");
    const owner = await makeMember(mine.tenantId, "CustomerOwner");
    const developer = await makeMember(mine.tenantId, "CustomerDeveloper");
    const operators = await makeKey(mine);
    for (const id of [owner.keyId, operators.body.id]) {
      for (const refused of [
        await admin.post(`/api-keys/${id}/rotate`),
        await admin.patch(`/api-keys/${id}`, { name: "mine" }),
        await admin.delete(`/api-keys/${id}`),
      ])
        expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
      expect((await owner.patch(`/api-keys/${id}`, { name: "ours" })).status).toBe(200);
    }
    for (const id of [admin.keyId, developer.keyId])
      expect((await admin.patch(`/api-keys/${id}`, { name: "mine" })).status).toBe(200);
    expect((await admin.delete(`/api-keys/${developer.keyId}`)).status).toBe(204);
    expect((await mine.delete(`/api-keys/${owner.keyId}`)).status).toBe(204);
  });

  it("lets a key revoke only what has no scope that it lacks", async () => {
    const mine = await makeTenant();
    const few = clientOf((await makeKey(mine, { scopes: ["api_keys:write"] })).body.key);
    const more = await makeKey(mine, { scopes: ["templates:write"] });
    const refused = await few.delete(`/api-keys/${more.body.id}`);
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      expect.stringContaining("templates:write"),
    ]);
    const less = await makeKey(mine, { scopes: ["api_keys:read"] });
    expect((await few.delete(`/api-keys/${less.body.id}`)).status).toBe(204);
  });

  it("lets members revoke the keys that they created, whatever their role is now", async () => {
    const mine = await makeTenant();
    const [one, two] = [
      await makeMember(mine.tenantId, "CustomerViewer"),
      await makeMember(mine.tenantId, "CustomerViewer"),
    ];
    const session = await makeSession(one.userId);
    const revoke = (id: string) =>
      send("DELETE", `/api-keys/${id}`, { headers: headersOf(session) });
    const others = await revoke(two.keyId);
    expect([others.status, others.body.detail]).toEqual([
      403,
      "This needs the role CustomerAdmin.",
    ]);
    expect((await revoke(one.keyId)).status).toBe(204);
    expect([await works(one.key), await works(two.key)]).toEqual([false, true]);
  });

  it("requires every scope that the key has and would get", async () => {
    const mine = await makeTenant();
    const few = clientOf(
      (await makeKey(mine, { scopes: ["api_keys:write", "templates:read"] })).body.key,
    );
    const more = await makeKey(mine, { scopes: ["templates:write"] });
    const less = await makeKey(mine, { scopes: ["templates:read"] });
    expect((await few.post(`/api-keys/${more.body.id}/rotate`)).body.detail).toContain(
      "templates:write",
    );
    const path = `/api-keys/${less.body.id}`;
    const widened = await few.patch(path, { scopes: ["templates:write"] });
    expect([widened.status, widened.body.code]).toEqual([403, "forbidden"]);
    expect((await few.patch(path, { scopes: ["api_keys:read"] })).body.detail).toContain(
      "gives more scopes",
    );
    expect((await few.patch(path, { scopes: ["templates:read"] })).status).toBe(200);
  });

  it("ignores a membership in another tenant", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const member = await makeMember(mine.tenantId, "CustomerDeveloper");
    await makeMembership(member.userId, other.tenantId, "CustomerViewer");
    await mine.delete(`/tenants/${mine.tenantId}/members/${member.userId}`);
    expect(await works(member.key)).toBe(false);
  });

  it("answers for other tenants' keys as for unknown ones", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const { id } = (await makeKey(mine)).body;
    for (const ask of [
      (key: string) => other.patch(`/api-keys/${key}`, { name: "theirs" }),
      (key: string) => other.post(`/api-keys/${key}/rotate`),
    ]) {
      const [foreign, missing] = [await ask(id), await ask(MISSING)];
      expect(foreign.status).toBe(404);
      expect(problemOf(foreign)).toEqual(problemOf(missing));
    }
  });
});
