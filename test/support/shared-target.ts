/** A platform target at a cloud in memory, to which the tenants of a test deploy. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf } from "#test/support/runner.ts";

export interface SharedCloud {
  provider: string;
  region: string;
  config: JsonMap;
  /** The value of the variable with the target's credential, in its stored form. */
  credential: { variable: string; value: string };
  /** Makes a cloud for each test. It answers requests to its hosts; undefined: the request is for another host. */
  start: () => (request: Request) => Promise<Response> | undefined;
}

export interface SharedTarget {
  a: TestTenant;
  b: TestTenant;
  /** Deploys a template with these lines under `resources`. */
  deploy: (
    who: TestTenant,
    resources: string,
  ) => Promise<{ instanceId: string; state: string; error: { code: string; message: string } }>;
}

/** Makes the cloud, two tenants and the target before each test. */
export function sharedTarget(of: SharedCloud): SharedTarget {
  const { provider, region, config, credential } = of;
  const reference = `env://${credential.variable}`;
  let shared = "";
  const deploy: SharedTarget["deploy"] = async (who, resources) => {
    const template = await makeTemplate(who, `resources:\n${resources}`);
    const instanceId = await makeInstance(who, template, shared);
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      const own = { [credential.variable]: credential.value };
      Object.assign((runner as unknown as { env: object }).env, own);
    });
    const { body } = await run(who, instanceId, "deploy");
    return { instanceId, state: body.state, error: body.error };
  };
  const scene = { deploy } as SharedTarget;
  beforeEach(async () => {
    const answer = of.start();
    const real = globalThis.fetch.bind(globalThis);
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = input instanceof Request ? input : new Request(input, init);
      return answer(request) ?? real(input, init);
    });
    [scene.a, scene.b] = await Promise.all([makeTenant(), makeTenant()]);
    const target = await operator.post("/cloud/targets", {
      provider,
      name: "shared",
      config,
      allowedRegions: [region],
      defaultRegion: region,
      credentialRef: reference,
    });
    shared = target.body.id;
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return scene;
}
