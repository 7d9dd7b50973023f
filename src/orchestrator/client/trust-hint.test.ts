import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Provider, Verified } from "#providers/provider.ts";
import { withTrustHint } from "./trust-hint.ts";

const provider = {
  name: "aws",
  config: z.looseObject({}),
  federation: { audience: () => "sts.amazonaws.com", trust: () => ({ steps: [] }) },
} as unknown as Provider;
const target = {
  id: "target-1",
  tenantId: "tenant-1",
  provider: "aws" as const,
  region: "eu-central-1",
  environment: "any" as const,
  config: {},
  credentialRef: null,
};
const of = { env: { PUBLIC_URL: "https://c.example", IDENTITY_KEYS: "set" }, provider, target };
const refused = (message: string, more: object = {}): Verified => ({
  ok: false,
  code: "refused",
  message,
  retryable: false,
  means: "denied",
  ...more,
});
const hintOf = (verified: Verified) => ("hint" in verified ? verified.hint : undefined);
const subject = "tenant:tenant-1:target:target-1";

describe("the hint of a refused token", () => {
  it.each([
    [
      "AADSTS700212: No matching federated identity record found for presented assertion audience",
      "audience",
      "sts.amazonaws.com",
    ],
    [
      "The audience in ID Token [x] does not match the expected audience.",
      "audience",
      "sts.amazonaws.com",
    ],
    [
      "AADSTS700211: No matching federated identity record found for presented assertion issuer",
      "issuer",
      "https://c.example",
    ],
    ["No OpenIDConnect provider found in your account", "issuer", "https://c.example"],
    [
      "Couldn't retrieve verification key from your identity provider",
      "issuer",
      "https://c.example",
    ],
    [
      "AADSTS700213: No matching federated identity record found for presented assertion subject",
      "subject",
      subject,
    ],
    ["The given credential is rejected by the attribute condition.", "subject", subject],
  ])("names the condition of: %s", (message, part, value) => {
    expect(hintOf(withTrustHint(refused(message), of))).toContain(
      `does not match the ${part} of the token: it has to be ${value}, exactly`,
    );
  });

  it("names all conditions if the cloud names none, after the provider's own message", () => {
    const hint = hintOf(withTrustHint(refused("Not authorized", { hint: "Look there." }), of));
    expect(hint).toMatch(/^Look there\. If the trust policy at aws refuses the token/);
    for (const value of ["https://c.example", "sts.amazonaws.com", subject])
      expect(hint).toContain(value);
  });

  it.each<[string, Verified, object]>([
    ["that works", { ok: true }, {}],
    ["that could not be made", refused("issuer", { retryable: true }), {}],
    ["whose provider named the subject", refused("issuer", { hint: `It needs ${subject}.` }), {}],
    ["that lacks a permission", refused("no", { permission: "run.services.list" }), {}],
    ["that met a limit", refused("audience", { means: "quota" }), {}],
    ["with a stored credential", refused("issuer"), { credentialRef: "env://X" }],
  ])("is absent for a check %s", (_, verified, more) => {
    expect(withTrustHint(verified, { ...of, target: { ...target, ...more } })).toEqual(verified);
  });
});
