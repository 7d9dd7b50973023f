/** A DigitalOcean target of the platform that tenants share, in front of the stateful fake. For tests alone. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { runnerOf } from "#test/support/runner.ts";

const ORIGIN = "https://api.digitalocean.com";
const CREDENTIAL = "TARGET_PLATFORM_DO";
const description = digitaloceanDescription(digitaloceanDocument);

export interface SharedDigitalocean {
  cloud: DescribedCloud;
  targetId: string;
  /** What was sent to the cloud. */
  sent: { method: string; path: string; body: string }[];
  /** What the cloud answers in place of its own answer; undefined: its own. */
  answer: (request: Request, text: string) => Response | undefined;
}

/** One for each test, which allows the region `fra1` alone. */
export function sharedDigitalocean(): SharedDigitalocean {
  const scene = {} as SharedDigitalocean;
  beforeEach(async () => {
    scene.cloud = digitaloceanCloud(description);
    scene.sent = [];
    scene.answer = () => undefined;
    const real = globalThis.fetch.bind(globalThis);
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = input instanceof Request ? input : new Request(input, init);
      if (!request.url.startsWith(ORIGIN)) return real(input, init);
      const text = await request.clone().text();
      scene.sent.push({ method: request.method, path: new URL(request.url).pathname, body: text });
      return scene.answer(request, text) ?? scene.cloud.fetch(request);
    });
    const target = await operator.post("/cloud/targets", {
      provider: "digitalocean",
      name: "shared",
      config: {},
      allowedRegions: ["fra1"],
      defaultRegion: "fra1",
      credentialRef: `env://${CREDENTIAL}`,
    });
    expect(target.status, target.text).toBe(201);
    scene.targetId = target.body.id;
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return scene;
}

/** Deploys a new instance of the template at the target. */
export async function deployAt(
  { targetId }: SharedDigitalocean,
  tenant: TestTenant,
  source: string,
  variables: JsonMap = {},
) {
  const templateId = await makeTemplate(tenant, source);
  const instanceId = await makeInstance(tenant, templateId, targetId, { variables });
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, { [CREDENTIAL]: TOKEN });
  });
  return { instanceId, ended: await run(tenant, instanceId, "deploy") };
}
