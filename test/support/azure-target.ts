/** Targets at the fake Azure Resource Manager. The service sends its real calls. */
import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import {
  ArmCloud,
  type ArmOptions,
  CLIENT_ID,
  CLIENT_SECRET,
  GROUP,
  REGION,
  SUBSCRIPTION,
  TENANT_ID,
} from "#test/providers/azure/arm-cloud.ts";
import { operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf } from "#test/support/runner.ts";

const ORIGIN = /^https:\/\/(?:management\.azure|login\.microsoftonline)\.com\//;
const CREDENTIAL = "TARGET_PLATFORM_AZURE";

export interface AzureScene {
  cloud: ArmCloud;
  /** Replaces an answer of the fake Azure; undefined: the fake answers. */
  answer: (request: Request, text: string) => Response | undefined | Promise<Response | undefined>;
}

/** One for all tests of a file. */
export function azureScene(options: () => ArmOptions = () => ({})): AzureScene {
  const scene = {} as AzureScene;
  beforeAll(() => {
    scene.cloud = new ArmCloud(options());
    scene.answer = () => undefined;
    const real = globalThis.fetch.bind(globalThis);
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = input instanceof Request ? input : new Request(input, init);
      if (!ORIGIN.test(request.url)) return real(input, init);
      const text = await request.clone().text();
      return (await scene.answer(request, text)) ?? scene.cloud.fetch(request);
    });
  });
  afterAll(() => {
    sessions.clear();
    vi.restoreAllMocks();
  });
  return scene;
}

export const azureTarget = (more: JsonMap = {}): JsonMap => ({
  provider: "azure",
  name: `azure ${crypto.randomUUID()}`,
  config: {
    subscriptionId: SUBSCRIPTION,
    resourceGroup: GROUP,
    tenantId: TENANT_ID,
    clientId: CLIENT_ID,
  },
  allowedRegions: [REGION],
  defaultRegion: REGION,
  ...more,
});

/** A target of the platform that tenants share; `trust`: the operator says that they trust each other. */
export async function makeSharedAzure(trust = true): Promise<string> {
  const { config, ...body } = azureTarget({ credentialRef: `env://${CREDENTIAL}` });
  const target = await operator.post("/cloud/targets", {
    ...body,
    config: { ...(config as JsonMap), ...(trust ? { tenantsTrustEachOther: true } : {}) },
  });
  expect(target.status, target.text).toBe(201);
  return target.body.id;
}

/** Deploys a new instance of the template at the target. `settings`: the service's, besides the client secret. */
export async function deployAtAzure(
  tenant: TestTenant,
  targetId: string,
  source: string,
  { variables = {}, settings = {} }: { variables?: JsonMap; settings?: object } = {},
) {
  const templateId = await makeTemplate(tenant, source);
  const instanceId = await makeInstance(tenant, templateId, targetId, { variables });
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    const { env } = runner as unknown as { env: object };
    Object.assign(env, { [CREDENTIAL]: CLIENT_SECRET, ...settings });
  });
  return { instanceId, ended: await run(tenant, instanceId, "deploy") };
}
