/** The cost of claims: D1 is asked only for the names of the holders of refused objects. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { ObjectClaims } from "#orchestrator/claims/object-claims.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { RequestDb } from "#platform/db/request-db.ts";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";

it("looks up the holders in one round trip, and makes none without a refusal", async () => {
  const tenant = await makeTenant();
  const targetId = await makeTarget(tenant);
  const templateId = await makeTemplate(tenant, "name: t\nruntime: yaml\nresources: {}\n");
  const owner = await makeInstance(tenant, templateId, targetId, { name: "the-owner" });
  const claimsOf = (instanceId: string) => {
    const { db, spend } = new RequestDb(env.DB, undefined, Date.now);
    const parts = {
      db,
      gate: (id: string) => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(id)),
    };
    const spec = { inputs: { target: { id: targetId } } };
    const run = { instanceId, tenantId: tenant.tenantId, spec } as Run;
    return { spend, claims: new ObjectClaims(parts, run) };
  };
  const object = { type: "mock:Bucket", id: "b-1" };

  const first = claimsOf(owner);
  expect(await first.claims.claim(object)).toBeUndefined();
  expect(first.spend.roundTrips).toBe(0);

  for (const ask of ["claim", "adopt", "refusals"] as const) {
    const { spend, claims } = claimsOf(crypto.randomUUID());
    const refusal =
      ask === "refusals"
        ? (await claims.refusals([object]))(object)
        : await claims[ask](object, "net");
    expect(refusal).toContain("The instance the-owner manages the object b-1.");
    expect(spend.roundTrips, ask).toBe(1);
  }
});
