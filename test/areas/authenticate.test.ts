import { describe, expect, it } from "vitest";
import { clientOf, makeTenant, operator, stranger } from "#test/support/api.ts";

describe("API keys", () => {
  it("gives access to its tenant, and to no other", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const own = await mine.get(`/tenants/${mine.tenantId}`);
    expect(own.status, own.text).toBe(200);
    expect(own.body.slug).toBe(mine.slug);
    expect((await mine.get(`/tenants/${other.tenantId}`)).status).toBe(404);
    expect((await stranger.get(`/tenants/${mine.tenantId}`)).status).toBe(401);
  });

  it("authenticates and loads in one round trip, cold and warm", async () => {
    const mine = await makeTenant();
    const cold = await mine.get(`/tenants/${mine.tenantId}`);
    expect(cold.headers.get("server-timing")).toMatch(/d1;desc="2\/1"/);
    const warm = await mine.get(`/tenants/${mine.tenantId}`);
    expect(warm.headers.get("server-timing")).toMatch(/d1;desc="1\/1"/);
  });

  it("stops working for changes at once when it is revoked", async () => {
    const mine = await makeTenant();
    const made = await mine.post("/api-keys", { name: "second", scopes: ["api_keys:write"] });
    expect(made.status, made.text).toBe(201);
    const second = clientOf(made.body.key);
    expect((await second.get("/api-keys")).body.data).toHaveLength(2);
    expect((await mine.delete(`/api-keys/${made.body.id}`)).status).toBe(204);
    const refused = await second.post("/api-keys", { name: "third", scopes: ["api_keys:write"] });
    expect(refused.status).toBe(401);
    expect(refused.body.code).toBe("unauthenticated");
  });

  it("answers a repeated request with the stored answer and executes it once", async () => {
    const mine = await makeTenant();
    const body = { name: "again", scopes: ["instances:read"] };
    const headers = { "idempotency-key": "one" };
    const answers = await Promise.all([1, 2, 3].map(() => mine.post("/api-keys", body, headers)));
    expect(answers.map((a) => a.status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map((a) => a.text)).size).toBe(1);
    expect(answers.filter((a) => a.headers.has("idempotent-replayed"))).toHaveLength(2);
    expect((await mine.get("/api-keys")).body.data).toHaveLength(2);
    const other = await mine.post("/api-keys", { ...body, name: "other" }, headers);
    expect(other.body.code).toBe("idempotency_key_reused");
  });

  it("pages through a list with signed cursors", async () => {
    const mine = await makeTenant();
    for (const name of ["a", "b", "c"]) await mine.post("/api-keys", { name, scopes: ["*"] });
    const first = await mine.get("/api-keys?limit=3");
    expect(first.body.data.map((k: { name: string }) => k.name)).toEqual(["c", "b", "a"]);
    const second = await mine.get(`/api-keys?limit=3&cursor=${first.body.nextCursor}`);
    expect(second.body.data.map((k: { name: string }) => k.name)).toEqual(["suite"]);
    expect(second.body.nextCursor).toBeNull();
    const forged = `${first.body.nextCursor.slice(0, -2)}xx`;
    expect((await mine.get(`/api-keys?cursor=${forged}`)).body.code).toBe("invalid_cursor");
    expect((await mine.get("/api-keys?page=2")).body.code).toBe("unknown_parameter");
  });

  it("lets nobody grant more rights than they have", async () => {
    const mine = await makeTenant(["api_keys:write"]);
    const made = await mine.post("/api-keys", { name: "more", scopes: ["instances:write"] });
    expect(made.status).toBe(403);
    expect(made.body.detail).toContain("instances:write");
    expect((await operator.get("/api-keys")).status).toBe(200);
  });
});
