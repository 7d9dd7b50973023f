import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { Answered } from "#providers/rest/definition.ts";
import type { Answer } from "#providers/transport.ts";
import { scriptedCloud, json } from "#test/support/scripted-cloud.ts";
import { readError } from "./meaning.ts";
import { supabaseDefinition, supabaseProvider } from "./supabase-provider.ts";

const config = { organizationSlug: "acme" };
const answer = (status: number, body?: Json): Answer => ({
  ok: true,
  status,
  headers: new Headers(),
  ...(body === undefined ? {} : { json: body }),
});
const said = (message: string): Json => ({ message });

describe("the meaning of a refusal by Supabase", () => {
  it.each<[number, Json | undefined, Answered["verb"], string | undefined]>([
    [404, said("Project not found"), "read", "gone"],
    [404, said("Function not found"), "delete", "gone"],
    [404, said("Project not found"), "create", "invalid"],
    [404, said("Cannot GET /v1/projects/a/nothing"), "read", "invalid"],
    [404, said("SAML 2.0 support is not enabled for this project"), "read", "invalid"],
    [404, undefined, "read", "busy"],
    [400, said("The project is paused"), "update", "invalid"],
    [400, said("Project is coming up"), "update", "busy"],
    [400, said("A function with this slug already exists"), "create", "exists"],
    [402, said("Maximum number of functions reached for Plan"), "create", "quota"],
    [400, said("The maximum limit of free projects was reached"), "create", "quota"],
    [403, said("Your account does not have the necessary privileges"), "read", undefined],
    [409, said("conflict"), "delete", "busy"],
  ])("%i %j of a %s is %s", (status, body, verb, means) => {
    expect(readError(answer(status, body), { verb }).means).toBe(means);
  });
});

describe("the account of Supabase", () => {
  const organizations = [{ id: "1", slug: "acme", name: "Acme" }];
  const ask = (listed: Json) => {
    const cloud = scriptedCloud(json(listed));
    const definition = supabaseDefinition();
    const context = cloud.context({ config, credential: "sbp_token" });
    return definition.account?.(context, async () => ({ ok: true, answer: answer(200, listed) }));
  };

  it("is the organization of the target, if the token opens it", async () => {
    expect(await ask(organizations)).toBe("acme");
    expect(await ask([{ id: "2", slug: "other", name: "Other" }])).toMatchObject({
      kind: "failed",
      means: "denied",
    });
  });

  it("is what the check of a target asks for", async () => {
    const verify = (listed: Json) => {
      const cloud = scriptedCloud(json(listed));
      return supabaseProvider().verify(
        cloud.context({ config, credential: "sbp_token", region: "eu-central-1" }),
      );
    };
    expect(await verify(organizations)).toEqual({ ok: true });
    expect(await verify([])).toMatchObject({
      ok: false,
      code: "no_organization",
      message: expect.stringContaining("organizationSlug"),
    });
  });
});

it("reads how many calls are left from the headers", () => {
  const headers = {
    "x-ratelimit-limit": "120",
    "x-ratelimit-remaining": "3",
    "x-ratelimit-reset": "20",
  };
  const budget = supabaseDefinition().readBudget?.(
    { ...answer(200), headers: new Headers(headers) },
    1000,
  );
  expect(budget).toEqual({ remaining: 3, resetMs: 21_000 });
  expect(supabaseDefinition().readBudget?.(answer(200), 1000)).toBeUndefined();
});
