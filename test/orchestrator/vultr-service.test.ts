/** The example for Vultr in whole deployments, and what of its passwords can be read where. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { vultrDocument } from "#test/providers/vultr/description.ts";
import { API_KEY, vultrCloud, vultrDescription } from "#test/providers/vultr/vultr-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { runnerOf, storedBy } from "#test/support/runner.ts";
import source from "../../examples/vultr-service.yaml?raw";

const INSTANCES = "/v2/instances";
const description = vultrDescription(vultrDocument);

afterEach(() => {
  vi.restoreAllMocks();
});

/** An instance of the example at a Vultr of its own. */
async function service() {
  const clock = { aheadMs: 0 };
  const cloud = vultrCloud(description, { now: () => Date.now() + clock.aheadMs });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    if (!request.url.startsWith("https://api.vultr.com/")) return Response.json({});
    return cloud.fetch(request);
  });
  const tenant = await makeTenant();
  const secret = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_VULTR`;
  (env as unknown as Record<string, unknown>)[secret] = API_KEY;
  const target = await tenant.post("/cloud/targets", {
    provider: "vultr",
    name: "vultr",
    config: {},
    credentialRef: `env://${secret}`,
    allowedRegions: ["ewr"],
    defaultRegion: "ewr",
  });
  expect(target.status, target.text).toBe(201);
  const instanceId = await makeInstance(
    tenant,
    await makeTemplate(tenant, source),
    target.body.id,
    { name: "shop" },
  );
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    (runner as unknown as { env: Record<string, unknown> }).env[secret] = API_KEY;
  });
  const seen: string[] = [];
  const go = async (operation: "deploy" | "destroy" | "check-drift", variables?: JsonMap) => {
    if (variables !== undefined)
      expect((await tenant.patch(`/instances/${instanceId}`, { variables })).status).toBe(200);
    const over =
      operation === "check-drift"
        ? await untilOver(
            tenant,
            (await tenant.post(`/instances/${instanceId}/check-drift`)).body.id,
          )
        : await run(tenant, instanceId, operation);
    const plan = await tenant.get(`/deployments/${over.body.id}/plan`);
    for (const path of [
      `/deployments/${over.body.id}/log?limit=100`,
      `/instances/${instanceId}`,
      `/instances/${instanceId}/resources`,
      `/instances/${instanceId}/outputs`,
    ])
      seen.push((await tenant.get(path)).text);
    seen.push(over.text, plan.text);
    expect(over.body.state, JSON.stringify([over.body.error, cloud.violations])).toBe("SUCCEEDED");
    expect(over.body.outputsError).toBeNull();
    const changes: { resource: string; action: string }[] = plan.body.changes;
    return Object.fromEntries(
      changes.flatMap(({ resource, action }) =>
        action === "unchanged" ? [] : [[resource, action]],
      ),
    );
  };
  const living = (path: string): JsonMap[] => cloud.fake.living(path).map(({ shown }) => shown);
  const outputs = async (): Promise<JsonMap> =>
    (await tenant.get(`/instances/${instanceId}/outputs`)).body.outputs ?? {};
  return { cloud, clock, go, living, outputs, seen, instanceId };
}

it("is deployed, changed, put right and destroyed at Vultr, and tells no password", async () => {
  const { cloud, clock, go, living, outputs, seen, instanceId } = await service();
  await go("deploy");
  expect(cloud.fake.living()).toHaveLength(12);
  const [web] = living(INSTANCES);
  const [block] = living("/v2/blocks");
  expect(block?.["attached_to_instance"]).toBe(web?.["id"]);
  expect(await outputs()).toMatchObject({ firstPassword: "[secret]", databaseUri: "[secret]" });

  // Vultr shows the first password no longer.
  clock.aheadMs = 60 * 60_000;
  expect(living(INSTANCES)[0]).not.toHaveProperty("default_password");
  expect(await go("deploy", { plan: "vc2-2c-4gb" })).toMatchObject({ web: "update" });
  expect(living(INSTANCES)).toMatchObject([{ id: web?.["id"], plan: "vc2-2c-4gb" }]);
  expect(await outputs()).toMatchObject({ firstPassword: "[secret]" });

  const [vpc] = cloud.fake.living("/v2/vpcs");
  if (vpc !== undefined) vpc.shown["description"] = "by hand";
  expect(await go("check-drift")).toMatchObject({ network: "update" });
  await go("deploy");
  expect(living("/v2/vpcs")).toMatchObject([{ description: "shop" }]);

  const replaced = await go("deploy", { plan: "vc2-2c-4gb", operatingSystem: 2284 });
  expect(replaced).toMatchObject({ web: "replace", uploads: "update" });
  const [other] = living(INSTANCES);
  expect(living(INSTANCES)).toHaveLength(1);
  expect(living("/v2/blocks")).toMatchObject([
    { id: block?.["id"], attached_to_instance: other?.["id"] },
  ]);

  await go("destroy");
  expect(cloud.fake.living().map(({ collection }) => collection)).toEqual([]);
  expect(cloud.violations).toEqual([]);
  const told = [...seen, await storedBy(instanceId)].join("\n");
  expect(told).toContain("vc2-2c-4gb");
  for (const canary of ["canary-", API_KEY, btoa("canary")]) expect(told).not.toContain(canary);
});
