/** The examples for Render and Vercel in whole deployments: made, changed in place and by replacement, put right, destroyed. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { renderDocument } from "#test/providers/render/description.ts";
import { renderCloud, renderDescription } from "#test/providers/render/render-cloud.ts";
import { vercelDocument } from "#test/providers/vercel/description.ts";
import { vercelCloud, vercelDescriptions } from "#test/providers/vercel/vercel-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import type { FakeCloud } from "#test/support/fake-cloud/fake-cloud.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";
import renderExample from "../../examples/render-service.yaml?raw";
import vercelExample from "../../examples/vercel-service.yaml?raw";

const examples = { render: renderExample, vercel: vercelExample };

interface Scene {
  provider: "render" | "vercel";
  cloud: () => {
    fake: FakeCloud;
    violations: unknown[];
    fetch: (of: Request) => Promise<Response>;
  };
  config: Record<string, string>;
  region: string;
  token: string;
  /** A variable that changes in place, and one that replaces. */
  inPlace: Record<string, string>;
  replaces: Record<string, string>;
  objects: number;
  /** The collection of an object whose name a person changes. */
  drifts: string;
}

const scenes: readonly Scene[] = [
  {
    provider: "render",
    cloud: () => renderCloud(renderDescription(renderDocument), { readyAfterMs: 0 }),
    config: { ownerId: "tea-acme" },
    region: "frankfurt",
    token: "rnd_canary0123456789",
    inPlace: { plan: "standard" },
    replaces: { region: "ohio" },
    objects: 6,
    drifts: "/v1/projects",
  },
  {
    provider: "vercel",
    cloud: () => vercelCloud(vercelDescriptions(vercelDocument), { readyAfterMs: 0 }),
    config: { teamId: "team_acme" },
    region: "fra1",
    token: "vercel_canary0123456789",
    inPlace: { framework: "nextjs" },
    replaces: { greeting: "Good evening" },
    objects: 6,
    drifts: "/edge-config",
  },
];

afterEach(() => {
  vi.restoreAllMocks();
});

it.for(scenes)("$provider", { timeout: 60_000 }, async (scene) => {
  const { provider, token } = scene;
  const cloud = scene.cloud();
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => cloud.fetch(input as Request));
  const tenant = await makeTenant();
  const secret = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_ONE`;
  (env as unknown as Record<string, unknown>)[secret] = token;
  const target = await tenant.post("/cloud/targets", {
    provider,
    name: provider,
    config: scene.config,
    credentialRef: `env://${secret}`,
    allowedRegions: ["*"],
    defaultRegion: scene.region,
  });
  expect(target.status, target.text).toBe(201);
  const templateId = await makeTemplate(tenant, examples[provider]);
  const instanceId = await makeInstance(tenant, templateId, target.body.id, { name: "shop" });
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    (runner as unknown as { env: Record<string, unknown> }).env[secret] = token;
  });
  const told: string[] = [];
  const go = async (operation: "deploy" | "destroy"): Promise<Record<string, string>> => {
    const over = await run(tenant, instanceId, operation);
    const plan = await tenant.get(`/deployments/${over.body.id}/plan`);
    const log = await messagesOf(tenant, over.body.id);
    told.push(over.text, plan.text, ...log);
    expect(over.body.state, JSON.stringify([over.body.error, log])).toMatch(/SUCCEEDED|NO_CHANGES/);
    const changes: { resource: string; action: string }[] = plan.body?.changes ?? [];
    return Object.fromEntries(
      changes
        .filter(({ action }) => action !== "unchanged")
        .map((one) => [one.resource, one.action]),
    );
  };
  const actionsWith = async (variables: Record<string, string>): Promise<string[]> => {
    await tenant.patch(`/instances/${instanceId}`, { variables });
    return Object.values(await go("deploy"));
  };
  const checkDrift = async (): Promise<string> => {
    const started = await tenant.post(`/instances/${instanceId}/check-drift`);
    const over = await untilOver(tenant, started.body.id);
    told.push(over.text);
    return over.body.state;
  };

  expect(Object.keys(await go("deploy"))).toHaveLength(scene.objects);
  expect(cloud.fake.living()).toHaveLength(scene.objects);
  expect(await go("deploy")).toEqual({});
  expect(new Set(await actionsWith(scene.inPlace))).toEqual(new Set(["update"]));
  expect(await actionsWith({ ...scene.inPlace, ...scene.replaces })).toContain("replace");
  expect(cloud.fake.living()).toHaveLength(scene.objects);

  expect(await checkDrift()).toBe("NO_CHANGES");
  const [object] = cloud.fake.living(scene.drifts);
  const name = object?.shown["slug"] === undefined ? "name" : "slug";
  const before = object?.shown[name];
  Object.assign(object?.shown ?? {}, { [name]: "by-hand" });
  expect(await checkDrift()).toBe("SUCCEEDED");
  expect(Object.values(await go("deploy"))).toEqual(["update"]);
  expect(object?.shown[name]).toBe(before);

  const instance = await tenant.get(`/instances/${instanceId}`);
  told.push(instance.text, JSON.stringify(await runnerOf(instanceId).listResources()));
  await go("destroy");
  expect(cloud.fake.living()).toEqual([]);
  expect(cloud.violations).toEqual([]);
  expect(told.join("\n")).not.toMatch(/canary/);
});
