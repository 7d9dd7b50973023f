import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { RateBudget } from "#providers/provider.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { digitaloceanDefinition, digitaloceanProvider } from "./digitalocean-provider.ts";

const vpc = { type: "digitalocean:Vpc", id: "v-1", properties: {} };
const said = (id: string, message: string) => ({ id, message });

describe("the credential", () => {
  it.for(["dop_v1_token", { token: "dop_v1_token" }])(
    "%j is sent as a bearer token",
    async (credential) => {
      const cloud = scriptedCloud(json({ vpc: { id: "v-1" } }));
      await digitaloceanProvider().read(cloud.context({ credential }), vpc);
      expect(cloud.requests[0]?.headers.get("authorization")).toBe("Bearer dop_v1_token");
    },
  );

  it.for(["", "two\nlines", "a b", {}, { token: 1 }, { token: "a", other: "b" }, null])(
    "%j is refused before a request",
    async (credential) => {
      const cloud = scriptedCloud();
      const outcome = await digitaloceanProvider().read(cloud.context({ credential }), vpc);
      expect(outcome).toMatchObject({ kind: "failed", code: "invalid_credential" });
      expect(cloud.requests).toHaveLength(0);
    },
  );
});

describe("verify", () => {
  const verify = (status: number, id: string) =>
    digitaloceanProvider().verify(
      scriptedCloud(json(said(id, "No."), status)).context({ credential: "dop_v1_token" }),
    );

  it("asks for the account", async () => {
    const cloud = scriptedCloud(json({ account: { uuid: "a" } }));
    const verified = await digitaloceanProvider().verify(cloud.context({ credential: "t" }));
    expect(verified).toEqual({ ok: true });
    expect(cloud.lines()).toEqual(["GET /v2/account"]);
  });

  it("says what is wrong with the token", async () => {
    expect(await verify(401, "unauthorized")).toMatchObject({
      ok: false,
      message:
        "digitalocean answered 401 to GET /v2/account: No. The token is wrong, has expired or was revoked: set the credential to a token that is valid.",
    });
    expect(await verify(403, "forbidden")).toMatchObject({
      ok: false,
      message: expect.stringContaining("account:read"),
    });
    expect(await verify(503, "server_error")).toMatchObject({ ok: false, retryable: true });
  });
});

describe("the account", () => {
  const accountIn = (account: JsonMap) =>
    digitaloceanProvider().account?.(
      scriptedCloud(json({ account })).context({ credential: "dop_v1_token" }),
    );

  it("is the team, which owns the objects, whoever of it made the token", async () => {
    const team = { uuid: "t-1", name: "Shop" };
    expect(await accountIn({ uuid: "a-1", team })).toEqual({ kind: "account", id: "t-1" });
    expect(await accountIn({ uuid: "a-2", team })).toEqual({ kind: "account", id: "t-1" });
  });

  it("is the user's where there is no team, and unknown where the answer does not say it", async () => {
    expect(await accountIn({ uuid: "a-1" })).toEqual({ kind: "account", id: "a-1" });
    expect(await accountIn({ team: {} })).toMatchObject({ kind: "failed", retryable: true });
  });
});

describe("the rate budget", () => {
  it("is what the headers say", async () => {
    const seen: RateBudget[] = [];
    const headers = {
      "ratelimit-limit": "5000",
      "ratelimit-remaining": "4816",
      "ratelimit-reset": "1444931833",
    };
    const answer = { status: 200, headers: new Headers(headers), ok: true as const };
    const budget = digitaloceanDefinition().readBudget?.(answer, 0);
    if (budget !== undefined) seen.push(budget);
    expect(seen).toEqual([{ remaining: 4816, resetMs: 1_444_931_833_000 }]);
  });

  it("is unknown without them, or if they are no numbers", () => {
    for (const text of [undefined, "", "-1", "many", "1e9"]) {
      const headers = new Headers({ "ratelimit-reset": "1444931833" });
      if (text !== undefined) headers.set("ratelimit-remaining", text);
      expect(digitaloceanDefinition().readBudget?.({ ok: true, status: 200, headers }, 0)).toBe(
        undefined,
      );
    }
  });
});

describe("a Droplet that runs", () => {
  it("is not resized, and the error says both ways on", async () => {
    const before = { name: "web", size: "s-1", image: "debian" };
    const droplet = { id: 7, name: "web", size_slug: "s-1", status: "active", tags: [] };
    const refused = json(said("unprocessable_entity", "The Droplet must be powered off."), 422);
    const cloud = scriptedCloud(json({ droplet }), refused);
    const outcome = await digitaloceanProvider().update(cloud.context({ credential: "t" }), {
      type: "digitalocean:Droplet",
      id: "7",
      name: "web",
      before,
      properties: { ...before, size: "s-2" },
      token: "token-1",
    });
    expect(cloud.requests[1]).toMatchObject({
      path: "/v2/droplets/7/actions",
      body: { type: "resize", size: "s-2", disk: false },
    });
    expect(outcome).toMatchObject({
      kind: "failed",
      retryable: false,
      message: expect.stringContaining("replaceOnChanges: [size]"),
    });
  });
});
