/**
 * A change that reads nothing presumes a key that was authenticated a moment ago; its commit fails unless
 * that still holds.
 */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { TenantRole } from "#schema/lists/roles.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeMember } from "#test/support/members.ts";

const target = {
  provider: "mock",
  name: "one",
  environment: "sandbox",
  config: {},
  allowedRegions: ["local-1"],
  defaultRegion: "local-1",
};
const templates = async ({ tenantId }: TestTenant) =>
  (
    await env.DB.prepare("SELECT count(*) AS n FROM templates WHERE tenant_id = ?")
      .bind(tenantId)
      .first<{ n: number }>()
  )?.n;
const body = { name: "web" };
const inTheDatabase = async (change: string, ...values: string[]) =>
  env.DB.prepare(change)
    .bind(...values)
    .run();

/** A member's key, just authenticated by a read. */
async function provedKey(tenant: TestTenant, role: TenantRole = "CustomerDeveloper") {
  const member = await makeMember(tenant.tenantId, role);
  expect((await member.get("/templates")).status).toBe(200);
  return member;
}

describe("a change by a key that was authenticated a moment ago", () => {
  it.for([
    ["/templates", body],
    ["/cloud/targets", target],
    ["/webhooks", { url: "https://hooks.example.com/in", events: ["*"] }],
    ["/incidents", { title: "Slow", message: "It is slow." }],
    ["/api-keys", { name: "k", scopes: ["templates:read"] }],
  ] as const)("costs one round trip: POST %s", async ([path, sent]) => {
    const tenant = await makeTenant();
    const unknown = await tenant.post(path, sent, { "idempotency-key": "a" });
    const known = await tenant.post(path, sent, { "idempotency-key": "b" });
    expect([unknown.status, known.status], known.text).toEqual([201, 201]);
    expect([roundTripsOf(unknown), roundTripsOf(known)]).toEqual([2, 1]);
  });

  it.for([
    ["is revoked", "UPDATE api_keys SET revoked_at_ms = 1 WHERE id = ?", 401],
    ["has expired", "UPDATE api_keys SET expires_at_ms = 1 WHERE id = ?", 401],
    ["was replaced", "UPDATE api_keys SET digest = 'other' WHERE id = ?", 401],
    [
      "was replaced too long ago",
      "UPDATE api_keys SET previous_digest = digest, digest = 'other', previous_expires_at_ms = 1 WHERE id = ?",
      401,
    ],
    ["is gone", "DELETE FROM api_keys WHERE id = ?", 401],
    ["was narrowed", `UPDATE api_keys SET scopes = '["templates:read"]' WHERE id = ?`, 403],
    [
      "is that of a former member",
      "DELETE FROM members WHERE user_id = (SELECT creator_user_id FROM api_keys WHERE id = ?)",
      401,
    ],
    [
      "is that of a member who was demoted",
      "UPDATE members SET role = 'CustomerViewer' WHERE user_id = (SELECT creator_user_id FROM api_keys WHERE id = ?)",
      403,
    ],
    [
      "is another's",
      "UPDATE api_keys SET creator_user_id = NULL, person = 'bootstrap' WHERE id = ?",
      201,
    ],
    ["was rotated at once elsewhere", "UPDATE api_keys SET generation = 1 WHERE id = ?", 201],
    [
      "descends from one that is gone",
      `UPDATE api_keys SET ancestors = '[["x",0]]' WHERE id = ?`,
      401,
    ],
    [
      "was replaced a moment ago",
      "UPDATE api_keys SET previous_digest = digest, digest = 'other', previous_expires_at_ms = 4e12 WHERE id = ?",
      201,
    ],
  ] as const)("answers as one by a key that %s", async ([, change, status]) => {
    const tenant = await makeTenant();
    const { keyId, key } = await provedKey(tenant);
    await inTheDatabase(change, keyId);
    const answer = await clientOf(key).post("/templates", body, { "idempotency-key": "once" });
    expect(answer.status, answer.text).toBe(status);
    // A read does not trust the cached caller any more either.
    if (status === 401) expect((await clientOf(key).get("/templates")).status).toBe(401);
    expect(await templates(tenant)).toBe(status === 201 ? 1 : 0);
  });

  it("by a revoked key gets no other error first", async () => {
    const tenant = await makeTenant();
    const { keyId, key } = await provedKey(tenant, "CustomerAdmin");
    await inTheDatabase("UPDATE api_keys SET revoked_at_ms = 1 WHERE id = ?", keyId);
    const wrong = { ...target, defaultRegion: "elsewhere" };
    expect((await clientOf(key).post("/cloud/targets", wrong)).status).toBe(401);
    await inTheDatabase("UPDATE api_keys SET revoked_at_ms = NULL WHERE id = ?", keyId);
    expect((await clientOf(key).post("/cloud/targets", wrong)).status).toBe(400);
  });

  it("follows a change of the rights", async () => {
    const tenant = await makeTenant();
    const { keyId, key, get } = await makeMember(tenant.tenantId, "CustomerViewer");
    expect((await get("/templates")).status).toBe(200);
    expect((await clientOf(key).post("/templates", body)).status).toBe(403);
    await inTheDatabase(
      "UPDATE members SET role = 'CustomerDeveloper' WHERE user_id = (SELECT creator_user_id FROM api_keys WHERE id = ?)",
      keyId,
    );
    expect((await clientOf(key).post("/templates", body)).status).toBe(201);
  });
});

describe("a repeated change by such a key", () => {
  it("gets the stored answer, and is refused with another body", async () => {
    const tenant = await makeTenant();
    const key = { "idempotency-key": "again" };
    const first = await tenant.post("/templates", body, key);
    const second = await tenant.post("/templates", body, key);
    expect([second.text, second.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    expect(roundTripsOf(second)).toBe(2);
    expect((await tenant.post("/templates", { name: "other" }, key)).body.code).toBe(
      "idempotency_key_reused",
    );
    expect(await templates(tenant)).toBe(1);
  });

  it("is executed again when the answer has expired", async () => {
    const tenant = await makeTenant();
    const key = { "idempotency-key": "late" };
    const first = await tenant.post("/templates", body, key);
    await inTheDatabase("UPDATE idempotency_keys SET expires_at_ms = 1 WHERE key = ?", "late");
    const second = await tenant.post("/templates", body, key);
    expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await tenant.post("/templates", body, key)).text).toBe(second.text);
    expect(await templates(tenant)).toBe(2);
  });
});
