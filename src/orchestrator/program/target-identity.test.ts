import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Bindings } from "#kernel/bindings.ts";
import type { Provider } from "#providers/provider.ts";
import { makeIdentityKey } from "#test/support/identity-key.ts";
import { identityFor, identityProblem } from "./target-identity.ts";

const AUDIENCE = "sts.amazonaws.com";
const env = {
  PUBLIC_URL: "https://control.example",
  IDENTITY_KEYS: await makeIdentityKey(),
} as Bindings;
const parts = { env, now: () => 1_800_000_000_000, newId: () => "token-1" };
const provider = {
  name: "aws",
  config: z.looseObject({}),
  federation: {
    audience: ({ roleArn }) => (roleArn === undefined ? undefined : AUDIENCE),
    trust: () => ({ steps: [] }),
  },
} as Pick<Provider, "name" | "config" | "federation"> as Provider;
const target = {
  id: "target-1",
  tenantId: "tenant-1",
  environment: "staging",
  config: { roleArn: "arn:aws:iam::123456789012:role/control" },
  credentialRef: null,
};
const calledFor = { id: "run-1", operation: "plan", deploymentId: "run-1", instanceId: "i-1" };

describe("the identity of a run", () => {
  it("is the target's, and names the run's tenant", async () => {
    const { identityToken, identityRun } = identityFor(parts, { provider, target, calledFor });
    expect(identityRun).toBe("run-1");
    expect(decodeJwt((await identityToken?.(AUDIENCE)) ?? "")).toMatchObject({
      iss: "https://control.example",
      sub: "tenant:tenant-1:target:target-1",
      aud: AUDIENCE,
      environment: "staging",
      operation: "plan",
      tenant_id: "tenant-1",
      deployment_id: "run-1",
      instance_id: "i-1",
    });
  });

  it("attack: at a platform target a tenant's run has the platform's subject, and the tenant in a claim", async () => {
    const shared = { ...target, tenantId: "platform" };
    const of = { provider, target: shared, calledFor, ownerId: "tenant-2" };
    const claims = decodeJwt((await identityFor(parts, of).identityToken?.(AUDIENCE)) ?? "");
    expect(claims).toMatchObject({ sub: "tenant:platform:target:target-1", tenant_id: "tenant-2" });
  });

  it("is requested beside a stored credential that holds only the client's part", () => {
    const completedBy = (credential: unknown) =>
      JSON.stringify(credential) === '{"clientSecret":"s"}';
    const federation = { audience: () => AUDIENCE, trust: () => ({ steps: [] }), completedBy };
    const of = {
      provider: { ...provider, federation } as Provider,
      target: { ...target, credentialRef: "env://X" },
      calledFor,
    };
    expect(identityFor(parts, { ...of, credential: { clientSecret: "s" } })).toHaveProperty(
      "identityToken",
    );
    for (const credential of [{ key: "k" }, null])
      expect(identityFor(parts, { ...of, credential })).toEqual({});
    expect(identityFor(parts, { ...of, provider, credential: { clientSecret: "s" } })).toEqual({});
  });

  it("attack: is signed for no other audience than the one in the target's config", async () => {
    const { identityToken } = identityFor(parts, { provider, target, calledFor });
    await expect(identityToken?.("api://AzureADTokenExchange")).rejects.toThrow("another audience");
    await expect(identityToken?.("")).rejects.toThrow("another audience");
  });

  it.each([
    ["with a stored credential", { target: { ...target, credentialRef: "env://TARGET_X" } }],
    ["whose config names no identity", { target: { ...target, config: {} } }],
    ["of a cloud that takes no tokens", { provider: { name: "aws" } as Provider }],
    [
      "that asks for another service's token",
      {
        provider: {
          ...provider,
          federation: { audience: () => "https://vault.example", trust: () => ({ steps: [] }) },
        },
      },
    ],
  ])("does not exist for a target %s", (_, more) => {
    expect(identityFor(parts, { provider, target, calledFor, ...more })).toEqual({});
  });
});

it.each([
  ["no identity", { target: { config: {} } }, {}, "has no `credentialRef`"],
  ["no issuer", {}, { PUBLIC_URL: "" }, "has not set PUBLIC_URL"],
  ["no usable key", {}, { IDENTITY_KEYS: "x" }, "must be RSA private keys"],
])("names the missing part: %s", async (_, more, settings, problem) => {
  expect(await identityProblem({ provider, target, ...more }, { ...env, ...settings })).toContain(
    problem,
  );
  expect(await identityProblem({ provider, target }, env)).toBeUndefined();
});
