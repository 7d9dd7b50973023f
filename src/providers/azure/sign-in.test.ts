import { beforeEach, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import {
  ArmCloud,
  CLIENT_ID,
  CLIENT_SECRET,
  GROUP,
  SUBSCRIPTION,
  TENANT_ID,
} from "#test/providers/azure/arm-cloud.ts";
import { azureProvider } from "./azure-provider.ts";
import { azureSchemas } from "./sign-in.ts";

const provider = azureProvider();

const config = { subscriptionId: SUBSCRIPTION, resourceGroup: GROUP };
const identity = { tenantId: TENANT_ID, clientId: CLIENT_ID };
const ASSERTION = `eyJhbGciOiJSUzI1NiJ9.${"canary-assertion".repeat(8)}.signature`;

/** What a check of a target says, with this much changed. */
async function verified(cloud: ArmCloud, more: Partial<ProviderContext>) {
  return provider.verify(cloud.context(more));
}

beforeEach(() => sessions.clear());

it("a tenantId that no directory has is refused at once", () => {
  const schema = azureSchemas().config;
  const isTaken = (tenantId: string) => schema.safeParse({ tenantId }).success;
  expect(["shop.example", "a-b.c.example", TENANT_ID].every(isTaken)).toBe(true);
  expect(["", "a..b", "-a.b", `${"a.".repeat(200)}b`].some(isTaken)).toBe(false);
  const startMs = Date.now();
  expect(isTaken(`${"a".repeat(44)}!`)).toBe(false);
  expect(Date.now() - startMs).toBeLessThan(50);
});

describe("a client secret", () => {
  it.each<[string, Partial<ProviderContext>]>([
    ["bare, with the config's identity", { config: { ...config, ...identity } }],
    ["with whose it is", { config, credential: { ...identity, clientSecret: CLIENT_SECRET } }],
  ])("signs in %s", async (_, more) => {
    const cloud = new ArmCloud();
    expect(await verified(cloud, more)).toEqual({ ok: true });
    expect(Object.fromEntries(cloud.signIns[0] ?? [])).toEqual({
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      grant_type: "client_credentials",
      scope: "https://management.azure.com/.default",
    });
  });

  it("is used once for many calls, and again when a token is no longer accepted", async () => {
    const cloud = new ArmCloud();
    const context = cloud.context();
    await provider.verify(context);
    await provider.verify(context);
    expect(cloud.signIns).toHaveLength(1);
    cloud.revokeTokens();
    expect(await provider.verify(context)).toEqual({ ok: true });
    expect(cloud.signIns).toHaveLength(2);
  });

  it("goes to the sign-in of the target's cloud", async () => {
    const origins: string[] = [];
    const cloud = new ArmCloud();
    for (const name of ["public", "usgov", "china"]) {
      const fetch = (request: Request) => {
        origins.push(new URL(request.url).origin);
        return cloud.fetch(request);
      };
      await verified(cloud, { config: { ...config, ...identity, cloud: name }, fetch });
    }
    expect(origins).toEqual([
      "https://login.microsoftonline.com",
      "https://management.azure.com",
      "https://login.microsoftonline.us",
      "https://management.usgovcloudapi.net",
      "https://login.partner.microsoftonline.cn",
      "https://management.chinacloudapi.cn",
    ]);
  });
});

describe("a federated identity", () => {
  const audiences: string[] = [];
  const federated = (more: JsonMap = {}): Partial<ProviderContext> => ({
    config: { ...config, ...identity, ...more },
    credential: null,
    identityToken: async (audience) => {
      audiences.push(audience);
      return ASSERTION;
    },
  });

  it("exchanges a token of this installation, made out to Microsoft Entra", async () => {
    const cloud = new ArmCloud({ trusts: () => undefined });
    expect(await verified(cloud, federated())).toEqual({ ok: true });
    expect(Object.fromEntries(cloud.signIns[0] ?? [])).toEqual({
      client_id: CLIENT_ID,
      client_assertion: ASSERTION,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      grant_type: "client_credentials",
      scope: "https://management.azure.com/.default",
    });
    await verified(cloud, federated({ cloud: "china" }));
    expect(audiences).toEqual(["api://AzureADTokenExchange", "api://AzureADTokenExchangeChina"]);
  });

  it.each([
    ["700211 No matching record.", "the issuer does not match"],
    ["700213 No matching record.", "the subject does not match"],
    ["700212 No matching record.", "the audience does not match"],
    [
      "70021 No matching record. Assertion Issuer: 'https://control.example'. Assertion Subject: 'tenant:a:target:b'. Assertion Audience: 'x'.",
      "issuer https://control.example, subject tenant:a:target:b, audience x",
    ],
  ])("that is refused with %s is told which condition it is", async (refusal, words) => {
    const cloud = new ArmCloud({ trusts: () => refusal });
    const told = await verified(cloud, federated());
    expect(told).toMatchObject({ ok: false, means: "denied", retryable: false });
    expect(JSON.stringify(told)).toContain(words);
    expect(JSON.stringify(told)).not.toContain("canary");
  });

  it("of another target of the same config has a session of its own", async () => {
    const cloud = new ArmCloud({ trusts: () => undefined });
    await verified(cloud, { ...federated(), targetId: "target-a" });
    await verified(cloud, { ...federated(), targetId: "target-b" });
    expect(cloud.signIns).toHaveLength(2);
  });

  it("needs what the config says of it", () => {
    const { federation } = provider;
    expect(federation?.audience({ ...config, ...identity })).toBe("api://AzureADTokenExchange");
    expect(federation?.audience(config)).toBeUndefined();
    expect(federation?.audience({ ...config, ...identity, clientId: "x" })).toBeUndefined();
  });

  it("shows the trust to set up: this issuer, this subject, this audience, each exactly", () => {
    const issuer = { url: "https://control.example", subject: "tenant:a:target:b" };
    const setup = provider.federation?.trust({ ...config, ...identity }, issuer);
    expect(setup?.policy).toEqual({
      name: "control-tenant-a-target-b",
      issuer: issuer.url,
      subject: issuer.subject,
      audiences: ["api://AzureADTokenExchange"],
    });
    expect(setup?.steps.join("\n")).toContain(
      `az ad app federated-credential create --id ${CLIENT_ID} --parameters policy.json`,
    );
  });
});

describe("a sign-in that is refused", () => {
  it.each<[string, Partial<ProviderContext>, string]>([
    ["a wrong secret", { credential: "canary-wrong-secret" }, "The client secret is wrong"],
    [
      "an unknown application",
      { config: { ...config, tenantId: TENANT_ID, clientId: SUBSCRIPTION } },
      "no application with this clientId",
    ],
    [
      "an unknown tenant",
      { config: { ...config, tenantId: "other.example", clientId: CLIENT_ID } },
      "There is no such tenant",
    ],
    ["no identity", { config }, "needs a tenantId and a clientId"],
    ["neither secret nor token", { credential: null }, "neither a client secret nor"],
  ])("for %s says so, and no secret", async (_, more, words) => {
    const told = await verified(new ArmCloud(), more);
    expect(told).toMatchObject({ ok: false, means: "denied", retryable: false });
    expect(JSON.stringify(told)).toContain(words);
    expect(JSON.stringify(told)).not.toContain("canary");
  });

  it("by a service that is down says nothing of the credential", async () => {
    const fetch = async () => Response.json({ error: "temporarily_unavailable" }, { status: 503 });
    const told = await verified(new ArmCloud(), { fetch });
    expect(told).toMatchObject({ ok: false, retryable: true });
    expect(told).not.toHaveProperty("means");
  });
});

describe("the check of a target", () => {
  it("names the permission that is missing", async () => {
    const cloud = new ArmCloud();
    const message =
      "does not have authorization to perform action 'Microsoft.Resources/subscriptions/resourceGroups/read' over scope 'x'";
    const body = { error: { code: "AuthorizationFailed", message } };
    cloud.script({ on: "read", status: 403, effect: "before", body });
    expect(await verified(cloud, {})).toMatchObject({
      ok: false,
      permission: "Microsoft.Resources/subscriptions/resourceGroups/read",
    });
  });

  it("says when the resource group does not exist, or the subscription is unknown", async () => {
    const cloud = new ArmCloud();
    const other = { ...config, ...identity, resourceGroup: "other" };
    const none = { error: { code: "ResourceGroupNotFound", message: "none" } };
    cloud.script({ on: "read", status: 404, effect: "before", body: none });
    expect(await verified(cloud, { config: other })).toMatchObject({
      ok: false,
      hint: expect.stringContaining("has no resource group other"),
    });
    const unknown = { error: { code: "SubscriptionNotFound", message: "none" } };
    cloud.script({ on: "read", status: 404, effect: "before", body: unknown });
    expect(await verified(cloud, {})).toMatchObject({ ok: false, means: "denied" });
  });
});
