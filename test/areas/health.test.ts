import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { makeKey } from "#kernel/authn/api-key.ts";
import { sweepRestored } from "#orchestrator/runner/sweep-restored.ts";
import { newId } from "#platform/ids.ts";
import { latestMigration } from "#schema/latest-migration.ts";
import { makeTenant, operator, OPERATOR_KEY, send } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const asOperator = bearer(OPERATOR_KEY);
const tenant = await makeTenant();

/** The database as one that other statements see: `fault` answers those that it knows. */
function databaseWith(fault: (query: string) => string | undefined): D1Database {
  const faulty = <T extends D1Database | D1DatabaseSession>(database: T): T =>
    new Proxy(database, {
      get: (_, name) => {
        if (name === "prepare") return (query: string) => database.prepare(fault(query) ?? query);
        if (name === "withSession") return () => faulty(env.DB.withSession("first-primary"));
        const value: unknown = Reflect.get(database, name);
        return typeof value === "function" ? (value.bind(database) as unknown) : value;
      },
    });
  return faulty(env.DB);
}
/** No table of the service exists. */
const withoutTables = databaseWith((query) =>
  query.replace(/\b(FROM|from|INTO|into)\s+"?(?!json_each)([a-z_0-9]+)"?/g, "$1 missing_$2"),
);
/** The newest migration is not applied. */
const behind = databaseWith((query) =>
  query.includes("d1_migrations") ? `${query} AND false` : undefined,
);

describe("a service that is ready", () => {
  it("says so to everyone, whatever their credential is worth", async () => {
    for (const init of [{}, bearer(OPERATOR_KEY), bearer(tenant.key), bearer("x")]) {
      const answer = await send("GET", "/health", init);
      expect([answer.status, answer.body.status]).toEqual([200, "ok"]);
    }
  });

  it("tells its version and the last sweep to operators only", async () => {
    const sweptAtMs = Date.now() - 1000;
    await sweepRestored(env, sweptAtMs);
    const deployed = appWith({
      VERSION: { id: "1", tag: "1.2.3+0123456789ab", timestamp: "2026-01-01T00:00:00Z" },
    });
    for (const init of [{}, bearer(tenant.key), bearer("x")])
      expect((await deployed("GET", "/health", init)).body).toEqual({ status: "ok" });
    expect((await deployed("GET", "/health", asOperator)).body).toEqual({
      status: "ok",
      version: "1.2.3+0123456789ab",
      sweptAt: new Date(sweptAtMs).toISOString(),
    });
  });

  it("says that it has no version and that nothing has swept yet", async () => {
    const unswept = databaseWith((query) =>
      query.replace(/FROM "sweep_watch"/i, '$& WHERE "sweep_watch"."id" < 0'),
    );
    const unnamed = { id: "1", tag: "", timestamp: "2026-01-01T00:00:00Z" };
    const ask = appWith({ DB: unswept, VERSION: unnamed });
    expect((await ask("GET", "/health", asOperator)).body).toEqual({
      status: "ok",
      version: null,
      sweptAt: null,
    });
  });

  it("tells errors in its settings to operators only", async () => {
    const { key } = (await operator.post("/api-keys", { name: "monitor", scopes: ["*"] })).body;
    const health = appWith({ OIDC_PROVIDERS: "{" });
    for (const [sent, isTold] of [
      [{}, false],
      [bearer(tenant.key), false],
      [bearer("cpk_bad"), false],
      [bearer(OPERATOR_KEY), true],
      [bearer(key), true],
    ] as const) {
      const { status, text } = await health("GET", "/health", sent);
      expect(status).toBe(200);
      expect(text.includes("OIDC_PROVIDERS")).toBe(isTold);
    }
  });
});

describe.each([
  ["a database without tables", { DB: withoutTables }, latestMigration],
  ["a database that is behind the code", { DB: behind }, latestMigration],
  ["no sealing keys", { SEALING_KEYS: "" }, "wrangler secret put SEALING_KEYS"],
  ["a time to stall that is no number", { STALL_SECONDS: "soon" }, "STALL_SECONDS must be"],
  ["malformed provider endpoints", { PROVIDER_ENDPOINTS: "{" }, "PROVIDER_ENDPOINTS must be"],
  ["malformed sealing keys", { SEALING_KEYS: "k1:short" }, "wrangler secret put SEALING_KEYS"],
] as const)("a service with %s", (_, bindings, command) => {
  const ask = appWith(bindings);

  it("is not ready, and says why to operators only", async () => {
    for (const init of [{}, bearer(tenant.key), asOperator]) {
      const { status, headers, body } = await ask("GET", "/health", init);
      expect([status, body.code]).toEqual([503, "unavailable"]);
      expect(headers.get("retry-after")).toBe("30");
      expect(body.detail.includes(command)).toBe(init === asOperator);
    }
  });
});

describe("a call on a service that is not ready", () => {
  const calls = [
    ["GET", "/tenants"],
    ["GET", "/instances"],
    ["GET", "/status/01890000-0000-7000-8000-000000000000"],
  ] as const;

  it.each(calls)("is answered 503: %s %s", async (method, path) => {
    const ask = appWith({ DB: withoutTables });
    for (const key of [OPERATOR_KEY, tenant.key]) {
      const { status, body } = await ask(method, path, bearer(key));
      expect([status, body.code]).toEqual([503, "unavailable"]);
      expect(body.detail.includes("d1 migrations apply")).toBe(key === OPERATOR_KEY);
      expect(body.detail).not.toContain("missing_");
    }
  });

  it("says no more to a key that only looks like an operator's", async () => {
    const { id } = (await operator.post("/api-keys", { name: "stolen", scopes: ["*"] })).body;
    for (const key of [makeKey(newId(), true), makeKey(id, true)])
      for (const path of ["/health", "/tenants"]) {
        const { status, body } = await appWith({ DB: withoutTables })("GET", path, bearer(key));
        expect([status, body.code]).toEqual([503, "unavailable"]);
        expect(body.detail).not.toContain("d1 migrations apply");
      }
  });

  it("is answered 503 where something has to be sealed", async () => {
    const { status, body } = await appWith({ SEALING_KEYS: "" })("POST", "/webhooks", {
      headers: { ...bearer(tenant.key).headers, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://receiver.example/", events: ["*"] }),
    });
    expect([status, body.code]).toEqual([503, "unavailable"]);
    expect(body.detail).not.toContain("SEALING_KEYS");
  });
});
