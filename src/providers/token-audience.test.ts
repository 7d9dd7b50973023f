import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { ProviderName } from "#schema/lists/provider-names.ts";
import type { Federation } from "./provider.ts";
import { tokenAudience } from "./token-audience.ts";

const config = z.looseObject({ roleArn: z.string().optional() });
const POOL = "//iam.googleapis.com/projects/1234/locations/global/workloadIdentityPools";
const of = (name: ProviderName, audience: string | undefined) => {
  const federation: Federation = { audience: () => audience, trust: () => ({ steps: [] }) };
  return tokenAudience({ name, federation, config }, {});
};

describe("the audience of a target's tokens", () => {
  it.each([
    ["aws", "sts.amazonaws.com"],
    ["azure", "api://AzureADTokenExchange"],
    ["azure", "api://AzureADTokenExchangeChina"],
    ["gcp", `${POOL}/control-pool/providers/control-api`],
    ["gcp", `https:${POOL}/control-pool/providers/control-api`],
    ["oci", "https://idcs-0a1b.identity.oraclecloud.com"],
    ["oci", "https://idcs-0a1b.eu-frankfurt-1.identity.oraclecloud.com:443"],
  ] as const)("is %s's own: %s", (name, audience) => {
    expect(of(name, audience)).toEqual({ kind: "audience", audience });
  });

  it.each([
    ["aws", "api://AzureADTokenExchange"],
    ["aws", "sts.amazonaws.com.evil.example"],
    ["aws", "xsts.amazonaws.com"],
    ["azure", "sts.amazonaws.com"],
    ["azure", "api://AzureADTokenExchange/x"],
    ["gcp", "sts.amazonaws.com"],
    ["gcp", `${POOL}/control-pool/providers/control-api\nx`],
    ["gcp", `${POOL}/a/../b/providers/control-api`],
    ["gcp", `https://evil.example${POOL}/control-pool/providers/control-api`],
    ["gcp", "https://vault.example"],
    ["oci", "https://idcs-0a1b.identity.oraclecloud.com.evil.example"],
    ["oci", "https://evil.example/#.identity.oraclecloud.com"],
    ["digitalocean", "sts.amazonaws.com"],
    ["mock", ""],
  ] as const)("attack: is never another service's: %s, %j", (name, audience) => {
    const refused = of(name, audience);
    expect(refused).toMatchObject({ kind: "refused" });
    expect(refused.kind === "refused" && refused.problem).toContain("does not take");
  });

  it("is none without an identity in the config, with one that does not fit, or where the cloud takes no tokens", () => {
    expect(of("aws", undefined)).toMatchObject({
      kind: "refused",
      problem: expect.stringContaining("names no identity at aws"),
    });
    const audience = (): string => {
      throw new Error("asked about a config that does not fit");
    };
    const federation = { audience, trust: () => ({ steps: [] }) };
    expect(tokenAudience({ name: "aws", config, federation }, { roleArn: 7 })).toMatchObject({
      problem: expect.stringContaining("does not fit the provider aws"),
    });
    expect(tokenAudience({ name: "digitalocean", config }, {})).toEqual({ kind: "none" });
  });
});
