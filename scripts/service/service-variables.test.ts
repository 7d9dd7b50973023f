import { describe, expect, it } from "vitest";
import { missingSecrets, serviceVariables, variableNames } from "./service-variables.ts";

const wranglerToml = `
name = "control-api"
[observability]
enabled = true

[vars]
# NOT_THIS = "a comment"
STALL_SECONDS = "30"
ALLOWED_ORIGINS = ""
[[queues.producers]]
queue = "q"
`;

describe("the service's variables", () => {
  it("are read only from the vars table of wrangler.toml", () => {
    expect(variableNames(wranglerToml)).toEqual(["STALL_SECONDS", "ALLOWED_ORIGINS"]);
  });

  it("come from the file, overridden by the service's environment variables", () => {
    expect(
      serviceVariables({
        wranglerToml,
        devVars: { BOOTSTRAP_API_KEY: "file", DEV_COOKIES: "on", SERVER_TIMING: "on" },
        environment: {
          BOOTSTRAP_API_KEY: "given",
          SEALING_KEYS: "k1:given",
          STALL_SECONDS: "1",
          DEV_COOKIES: "off",
          TARGET_PLATFORM_TOKEN: "t$oken",
          HOME: "/home/someone",
          OIDC_ACME_SECRET: "s$ecret",
          AWS_SM_REGION: "eu-central-1",
          AWS_REGION: "of the developer's own tools",
          TARGET: "no credential",
          ALLOWED_ORIGINS: undefined,
        },
      }),
    ).toEqual({
      BOOTSTRAP_API_KEY: "given",
      SEALING_KEYS: "k1:given",
      STALL_SECONDS: "1",
      DEV_COOKIES: "off",
      SERVER_TIMING: "on",
      TARGET_PLATFORM_TOKEN: "t$oken",
      OIDC_ACME_SECRET: "s$ecret",
      AWS_SM_REGION: "eu-central-1",
    });
  });

  it("lack a secret that is absent or empty", () => {
    expect(missingSecrets({ BOOTSTRAP_API_KEY: "", SERVER_TIMING: "on" })).toEqual([
      "BOOTSTRAP_API_KEY",
      "SEALING_KEYS",
    ]);
    expect(missingSecrets({ BOOTSTRAP_API_KEY: "a", SEALING_KEYS: "b" })).toEqual([]);
  });
});
