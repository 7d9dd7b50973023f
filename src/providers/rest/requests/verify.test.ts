import { describe, expect, it } from "vitest";
import { sampleProvider } from "#test/support/sample-provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";

const readError = () => ({
  code: "forbidden",
  message: "not allowed",
  means: "denied" as const,
  permission: "things:list",
});

describe("the check of a target", () => {
  it.for([
    [401, "denied", "does not accept the credential"],
    [403, "denied", "Grant it the right"],
    [404, "gone", "region (eu-1)"],
    [422, "invalid", "region (eu-1)"],
  ] as const)("says what to do about %i", async ([status, means, hint]) => {
    const cloud = scriptedCloud(json({ code: "no", message: "no" }, status));
    expect(await sampleProvider().verify(cloud.context())).toMatchObject({
      ok: false,
      retryable: false,
      means,
      hint: expect.stringContaining(hint),
    });
  });

  it("speaks of the token and the trust policy where there is no credential", async () => {
    for (const status of [401, 403]) {
      const cloud = scriptedCloud(json({ code: "no", message: "no" }, status));
      const context = cloud.context({ credential: null, identityToken: async () => "token" });
      const { hint } = (await sampleProvider().verify(context)) as { hint: string };
      expect(hint).toContain("does not take this installation's token");
      expect(hint).not.toContain("credentialRef");
    }
  });

  it("names the permission that is missing, if the cloud does", async () => {
    const cloud = scriptedCloud(json({}, 403));
    expect(await sampleProvider({}, { readError }).verify(cloud.context())).toMatchObject({
      permission: "things:list",
      hint: expect.stringContaining("the permission things:list"),
    });
  });

  it("knows nothing of the credential when it is throttled or reaches nobody", async () => {
    const throttled = scriptedCloud(json({}, 429, { "retry-after": "42" }));
    expect(await sampleProvider().verify(throttled.context())).toMatchObject({
      retryable: true,
      means: "throttled",
      afterMs: 42_000,
    });
    const away = scriptedCloud(new Error("reset"));
    expect(await sampleProvider().verify(away.context())).toMatchObject({
      retryable: true,
      hint: expect.stringContaining("could not be reached"),
    });
  });

  it("may send several requests, as the provider needs, but no more than five", async () => {
    const cloud = scriptedCloud(json({}), json({ enabled: false }));
    const checked = sampleProvider(
      {},
      {
        verify: async ({ region }, request, refused) => {
          const account = await request({ method: "GET", path: "/v1/account" });
          if (!account.ok) return refused(account);
          const found = await request({ method: "GET", path: "/v1/regions/{region}" });
          if (!found.ok) return refused(found);
          const message = `The region ${region} is not enabled.`;
          return { ok: false, code: "region_not_enabled", message, retryable: false };
        },
      },
    );
    expect(await checked.verify(cloud.context())).toMatchObject({ code: "region_not_enabled" });
    expect(cloud.lines()).toEqual(["GET /v1/account", "GET /v1/regions/eu-1"]);

    const endless = scriptedCloud(...Array.from({ length: 9 }, () => json({})));
    const greedy = sampleProvider(
      {},
      {
        verify: async (_, request, refused) => {
          for (;;) {
            const one = await request({ method: "GET", path: "/v1/account" });
            if (!one.ok) return refused(one);
          }
        },
      },
    );
    expect(await greedy.verify(endless.context())).toMatchObject({ ok: false, code: "internal" });
    expect(endless.requests).toHaveLength(5);
  });
});
