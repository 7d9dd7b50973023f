/** Attempts to see what a run signs in to Azure with, or what Azure gave it. A test is named after its attack. */
import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { CLIENT_SECRET } from "#test/providers/azure/arm-cloud.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { azureScene, azureTarget, deployAtAzure } from "#test/support/azure-target.ts";
import { partOf } from "#test/support/depth.ts";
import { everythingStored } from "#test/support/federated-cloud.ts";
import { makeIdentityKey } from "#test/support/identity-key.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";
import { TokenService } from "#test/support/token-service.ts";

const ISSUER = "https://control.example";
const PASSWORD = "canary-password-0123456789";
const source = `config: { password: { type: string, secret: true } }
resources:
  account:
    type: azure:Microsoft.Storage/storageAccounts
    properties: { sku: { name: Standard_LRS }, kind: StorageV2, properties: { accessTier: Hot } }
  group:
    type: azure:Microsoft.ManagedIdentity/userAssignedIdentities
    properties: { tags: { uses: "\${account.name}" } }
outputs:
  keys: "\${account.keys}"
  password: "\${password}"
`;

let settings: { PUBLIC_URL: string; IDENTITY_KEYS: string };
let service: TokenService;
let lines: string[];
const scene = azureScene(() => ({
  trusts: async (assertion) => {
    try {
      service.seen.push(assertion);
      await service.verify(assertion);
      return undefined;
    } catch (error) {
      return `70021 No matching federated identity record found: ${(error as Error).message} ${assertion}`;
    }
  },
}));
beforeAll(async () => {
  settings = { PUBLIC_URL: ISSUER, IDENTITY_KEYS: await makeIdentityKey() };
  const trust = { issuer: ISSUER, audience: "api://AzureADTokenExchange", subject: "nobody" };
  service = new TokenService("azure", trust, (path) =>
    appWith(settings)("GET", `https://anything.test${path}`),
  );
  lines = [];
  for (const method of ["log", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      lines.push(parts.map(String).join(" "));
    });
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** What the runner of an instance has stored. */
const storedBy = (instanceId: string): Promise<string[]> =>
  runInDurableObject(runnerOf(instanceId), (_, { storage: { sql } }) =>
    sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .filter(({ name }) => !name.startsWith("_cf_"))
      .map(({ name }) => JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray())),
  );

/** Deploys, and returns all that anybody could read of it: answers, log, plan, resources, rows, lines of the service. */
async function everythingTold(tenant: TestTenant, targetId: string, bindings: object) {
  const { instanceId, ended } = await deployAtAzure(tenant, targetId, source, {
    variables: { password: PASSWORD },
    settings: bindings,
  });
  const headers = { authorization: `Bearer ${tenant.key}` };
  const read = (path: string) => appWith(bindings)("GET", path, { headers });
  const answers = await Promise.all([
    appWith(bindings)("POST", `/cloud/targets/${targetId}/verify`, { headers }),
    read(`/instances/${instanceId}`),
    read(`/instances/${instanceId}/resources`),
    read(`/cloud/targets/${targetId}`),
  ]);
  const messages = await messagesOf(tenant, ended.body.id);
  const stored = [await everythingStored(), ...(await storedBy(instanceId))];
  const texts = [ended.text, ...answers.map(({ text }) => text), ...messages, ...stored, ...lines];
  return { body: ended.body, text: texts.join("\\n") };
}

/** What must not be told: all that the service signed in with or was given, and what the template seals. */
function expectSecret(told: string): void {
  const canaries = [...told.matchAll(/.{0,120}canary.{0,60}/g)].map(([around]) => around);
  expect(canaries).toEqual([]);
  for (const given of [CLIENT_SECRET, ...scene.cloud.tokens])
    expect(told).not.toContain(given.slice(8, 28));
  for (const token of service.seen)
    for (const part of token.split(".")) expect(told).not.toContain(part.slice(0, 24));
}

/** Azure refuses, and quotes all that it was sent. */
const quoting = (path: RegExp) => (request: Request, text: string) =>
  path.test(request.url) && request.method !== "GET"
    ? Response.json(
        {
          error: {
            code: "InvalidRequestContent",
            message: `invalid: ${request.headers.get("authorization")} ${decodeURIComponent(text)} ${text}`,
          },
          error_description: `AADSTS7000299: refused: ${decodeURIComponent(text)} ${text}`,
        },
        { status: 400 },
      )
    : undefined;

const ways = [
  ["that works", () => undefined, "SUCCEEDED"],
  ["whose sign-in is refused and quoted", quoting(/oauth2/), "FAILED"],
  ["whose create is refused and quoted with its token", quoting(/storageAccounts/), "FAILED"],
] as const;

/** An ordinary run takes one of each. */
it.for(partOf(ways, ways.length))("a run with a client secret %s", async ([, answer, state]) => {
  scene.answer = answer;
  const tenant = await makeTenant();
  const name = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_AZURE`;
  const body = azureTarget({ credentialRef: `env://${name}` });
  const target = await tenant.post("/cloud/targets", body);
  expect(target.status, target.text).toBe(201);
  const told = await everythingTold(tenant, target.body.id, { [name]: CLIENT_SECRET });
  expect(told.body.state, JSON.stringify(told.body.error)).toBe(state);
  expectSecret(told.text);
});

const federated = [...ways, ["whose token is not trusted", () => undefined, "FAILED"]] as const;
it.for(partOf(federated, federated.length, 1))(
  "a run without a stored credential %s",
  async ([way, answer, state]) => {
    scene.answer = answer;
    const tenant = await makeTenant();
    const target = await tenant.post("/cloud/targets", azureTarget());
    expect(target.status, target.text).toBe(201);
    const own = `tenant:${tenant.tenantId}:target:${target.body.id}`;
    service.trust.subject = way.includes("not trusted") ? "somebody else" : own;
    const told = await everythingTold(tenant, target.body.id, settings);
    expect(told.body.state, JSON.stringify(told.body.error)).toBe(state);
    expect(service.seen.length).toBeGreaterThan(way.includes("sign-in") ? -1 : 0);
    expectSecret(told.text);
  },
);
