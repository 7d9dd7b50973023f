/** The documents of the issuer, and what a target's answer says of its identity. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeTenant, operator, send, type TestTenant } from "#test/support/api.ts";
import { appWith, type AppSend } from "#test/support/app-with.ts";
import { makeTarget } from "#test/support/cloud.ts";
import { FederatedCloud } from "#test/support/federated-cloud.ts";
import { makeIdentityKey } from "#test/support/identity-key.ts";

const DISCOVERY = "https://control.test/.well-known/openid-configuration";
const KEYS = "https://control.test/.well-known/jwks.json";

let settings: { PUBLIC_URL: string; IDENTITY_KEYS: string };
let served: AppSend;
beforeAll(async () => {
  const keys = [await makeIdentityKey(), await makeIdentityKey()];
  settings = { PUBLIC_URL: "https://issuer.example", IDENTITY_KEYS: keys.join() };
  served = appWith(settings);
});

describe("the issuer's documents", () => {
  it("are public, cacheable and readable from any origin, with every key's public half", async () => {
    const discovery = await served("GET", DISCOVERY);
    expect(discovery.status).toBe(200);
    expect(discovery.body).toMatchObject({
      issuer: "https://issuer.example",
      jwks_uri: "https://issuer.example/.well-known/jwks.json",
      id_token_signing_alg_values_supported: ["RS256"],
    });
    const keys = await served("GET", KEYS);
    expect(keys.body.keys).toHaveLength(2);
    for (const key of keys.body.keys)
      expect(Object.keys(key).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    for (const { headers } of [discovery, keys]) {
      expect(headers.get("content-type")).toBe("application/json");
      expect(headers.get("cache-control")).toBe("public, max-age=300");
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
    expect((await served("HEAD", KEYS)).status).toBe(200);
  });

  it("attack: name the issuer of the settings, whatever host and headers the request has", async () => {
    for (const url of [DISCOVERY, DISCOVERY.replace("control.test", "evil.example")]) {
      const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" };
      const { text, body } = await served("GET", url, { headers });
      expect(body.issuer).toBe("https://issuer.example");
      expect(text).not.toContain("evil");
    }
  });

  it("ask for no credential, and do not look at one", async () => {
    const headers = { authorization: "Bearer cpk_wrong", cookie: "control_session_dev=x" };
    expect((await served("GET", KEYS, { headers })).status).toBe(200);
  });

  it.each([
    ["PUBLIC_URL", { PUBLIC_URL: "" }],
    ["PUBLIC_URL", { PUBLIC_URL: "https://issuer.example/path" }],
    ["IDENTITY_KEYS", { IDENTITY_KEYS: "" }],
    ["IDENTITY_KEYS", { IDENTITY_KEYS: "canary-key" }],
  ])("are not there without a usable %s, and say so: %j", async (name, more) => {
    const broken = appWith({ ...settings, ...more });
    for (const url of [DISCOVERY, KEYS]) {
      const { status, body, text, headers } = await broken("GET", url);
      expect([status, body.code]).toEqual([404, "not_found"]);
      expect(body.detail).toContain(name);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(text).not.toContain("canary");
    }
  });

  it("are not there in an installation without them, and nothing else is missing", async () => {
    expect((await send("GET", "/../../.well-known/jwks.json")).status).toBe(404);
    expect((await send("GET", "/health")).status).toBe(200);
  });

  it("are limited for each network, as the pages are", async () => {
    const limited = appWith({
      ...settings,
      RATE_LIMITS: "on",
      RATE_LIMITER: { limit: async ({ key }) => ({ success: key !== "issuer:192.0.2.1" }) },
    });
    const from = (address: string) =>
      limited("GET", KEYS, { headers: { "cf-connecting-ip": address } });
    const refused = await from("192.0.2.1");
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect((await from("192.0.2.2")).status).toBe(200);
  });

  it("with a mistake in their settings are a problem that operators are told of", async () => {
    const key = { authorization: "Bearer test-operator-key" };
    const broken = appWith({ ...settings, IDENTITY_KEYS: "canary-key" });
    const told = await broken("GET", "/health", { headers: key });
    expect([told.status, told.body.problems]).toEqual([
      200,
      [expect.stringContaining("IDENTITY_KEYS must be RSA private keys")],
    ]);
    expect(told.text).not.toContain("canary");
    expect((await broken("GET", "/health")).body).toEqual({ status: "ok" });
    const whole = (await served("GET", "/health", { headers: key })).body;
    expect([whole.status, whole.problems]).toEqual(["ok", undefined]);
  });
});

describe("the identity of a target", () => {
  let cloud: FederatedCloud;
  afterEach(() => {
    cloud.restore();
  });
  const as = (key: string | undefined, more: object = {}) => {
    const service = appWith({ ...settings, ...more });
    return (method: string, path: string, init: RequestInit = {}) =>
      service(method, path, {
        ...init,
        headers: {
          ...(init.headers as Record<string, string>),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          "content-type": "application/json",
        },
      });
  };
  const given = {
    provider: "mock",
    name: "federated",
    config: { identity: "role" },
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
  };
  const useCloud = () => (cloud = new FederatedCloud("azure", settings));

  it("is in the answer to its creation, with the trust policy, and in lists and reads", async () => {
    useCloud();
    const tenant = await makeTenant();
    const service = as(tenant.key);
    const made = await service("POST", "/cloud/targets", { body: JSON.stringify(given) });
    expect(made.status, made.text).toBe(201);
    const subject = `tenant:${tenant.tenantId}:target:${made.body.id}`;
    expect(made.body.identity).toEqual({
      issuer: "https://issuer.example",
      subject,
      audience: "api://AzureADTokenExchange",
      trust: {
        policy: {
          issuer: "https://issuer.example",
          subject,
          audiences: ["api://AzureADTokenExchange"],
        },
        steps: ["Set the policy."],
      },
    });
    expect(made.body.credentialProblem).toBeNull();
    const read = await service("GET", `/cloud/targets/${made.body.id}`);
    expect(read.body).toEqual(made.body);
    expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
    const { data } = (await service("GET", `/cloud/targets?tenantId=${tenant.tenantId}`)).body;
    expect(data).toEqual([made.body]);
  });

  it("changes the ETag with the issuer, so that nobody keeps the policy of another one", async () => {
    useCloud();
    const tenant = await makeTenant();
    const id = await makeTarget(tenant, { identity: "role" });
    const path = `/cloud/targets/${id}`;
    const before = (await as(tenant.key)("GET", path)).headers.get("etag") ?? "";
    const moved = as(tenant.key, { PUBLIC_URL: "https://moved.example" });
    const after = await moved("GET", path, { headers: { "if-none-match": before } });
    expect([after.status, after.body.identity.issuer]).toEqual([200, "https://moved.example"]);
    const without = as(tenant.key, { IDENTITY_KEYS: "" });
    const none = await without("GET", path, { headers: { "if-none-match": before } });
    expect([none.status, none.body.identity]).toEqual([200, null]);
    const patch = { method: "PATCH", body: '{"name":"renamed"}' };
    const headers = { "if-match": before };
    expect((await moved("PATCH", path, { ...patch, headers })).status).toBe(412);
    const named = { "if-match": after.headers.get("etag") ?? "" };
    const renamed = await moved("PATCH", path, { ...patch, headers: named });
    expect([renamed.status, renamed.body.name]).toEqual([200, "renamed"]);
    const last = { "if-match": renamed.headers.get("etag") ?? "" };
    expect((await moved("DELETE", path, { headers: last })).status).toBe(204);
  });

  it("is replaced by what is missing, in words", async () => {
    useCloud();
    const tenant = await makeTenant();
    const make = async (config: object, more: object = {}) => {
      const body = JSON.stringify({ ...given, config });
      const made = await as(tenant.key, more)("POST", "/cloud/targets", { body });
      expect(made.status, made.text).toBe(201);
      return made.body as { identity: unknown; credentialProblem: string | null };
    };
    const unnamed = await make({});
    expect(unnamed.identity).toBeNull();
    expect(unnamed.credentialProblem).toContain("names no identity at azure");
    const without = await make({ identity: "role" }, { PUBLIC_URL: "" });
    expect(without.identity).toBeNull();
    expect(without.credentialProblem).toContain("has not set PUBLIC_URL");
    cloud.restore();
    expect(await make({ identity: "role" })).toMatchObject({
      identity: null,
      credentialProblem: null,
    });
  });

  it("is none of a target with a stored credential", async () => {
    useCloud();
    const tenant = await makeTenant();
    const owner = tenant.tenantId.replaceAll("-", "").toUpperCase();
    const body = JSON.stringify({ ...given, credentialRef: `env://TARGET_${owner}_KEY` });
    const made = await as(tenant.key)("POST", "/cloud/targets", { body });
    expect(made.body).toMatchObject({ identity: null, credentialProblem: null });
    expect(made.headers.get("etag")).toBe('"1"');
  });

  it("attack: of a platform target is shown to operators alone, of another tenant's to nobody else", async () => {
    useCloud();
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    const shared = await operator.post("/cloud/targets", { ...given, name: crypto.randomUUID() });
    const path = `/cloud/targets/${shared.body.id}`;
    const seen = await as(tenant.key)("GET", path);
    expect(seen.body).toMatchObject({ config: null, identity: null, credentialProblem: null });
    expect(seen.text).not.toContain("tenant:platform");
    const whole = await as("test-operator-key")("GET", path);
    expect(whole.body.identity.subject).toBe(`tenant:platform:target:${shared.body.id}`);
    const own = await makeTarget(tenant, { identity: "role" });
    expect((await as(other.key)("GET", `/cloud/targets/${own}`)).status).toBe(404);
    expect((await as(undefined)("GET", `/cloud/targets/${own}`)).status).toBe(401);
    const reader = await makeKeyOf(tenant, ["targets:read"]);
    expect((await as(reader)("GET", `/cloud/targets/${own}`)).body.identity).not.toBeNull();
    const refused = await as(reader)("POST", "/cloud/targets", { body: JSON.stringify(given) });
    expect(refused.status).toBe(403);
  });

  it("attack: is made of ids, whatever tenants and targets are called", async () => {
    useCloud();
    const tenant = await makeTenant();
    const name = `x:target:${crypto.randomUUID()}`;
    const body = JSON.stringify({ ...given, name, config: { identity: name } });
    const made = await as(tenant.key)("POST", "/cloud/targets", { body });
    expect(made.body.identity.subject).toBe(`tenant:${tenant.tenantId}:target:${made.body.id}`);
  });

  it("attack: of a deleted tenant's or target's is signed no more", async () => {
    useCloud();
    const tenant = await makeTenant();
    const id = await makeTarget(tenant, { identity: "role" });
    const gone = await makeTarget(tenant, { identity: "role" });
    const service = as(tenant.key);
    expect((await service("DELETE", `/cloud/targets/${gone}`)).status).toBe(204);
    expect((await service("POST", `/cloud/targets/${gone}/verify`)).status).toBe(404);
    expect((await operator.delete(`/tenants/${tenant.tenantId}`)).status).toBe(204);
    expect((await service("POST", `/cloud/targets/${id}/verify`)).status).toBe(401);
    expect(cloud.service.seen).toEqual([]);
  });
});

async function makeKeyOf(tenant: TestTenant, scopes: string[]): Promise<string> {
  const made = await tenant.post("/api-keys", { name: "reader", scopes });
  expect(made.status, made.text).toBe(201);
  return made.body.key ?? made.body.secret;
}
