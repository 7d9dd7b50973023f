/** A Google Cloud target of the platform that tenants share, in front of the stateful fake. For tests alone. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { GoogleCloud, KEY_FILE } from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf } from "#test/support/runner.ts";

const CREDENTIAL = "TARGET_PLATFORM_GCP";

export interface SharedGoogle {
  cloud: GoogleCloud;
  targetId: string;
  /** Changes that were sent to the cloud. */
  sent: { method: string; path: string; body: string }[];
  /** What the cloud takes as the same path. */
  spelled: (path: string) => string;
}

export function sharedGoogle(): SharedGoogle {
  const scene = {} as SharedGoogle;
  beforeEach(async () => {
    sessions.clear();
    scene.cloud = new GoogleCloud();
    scene.sent = [];
    scene.spelled = (path) => path;
    const real = globalThis.fetch.bind(globalThis);
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = input instanceof Request ? input : new Request(input, init);
      const url = new URL(request.url);
      if (!url.hostname.endsWith(".googleapis.com")) return real(input, init);
      const text = await request.clone().text();
      if (request.method !== "GET" && !url.hostname.startsWith("oauth2"))
        scene.sent.push({
          method: request.method,
          path: `${url.pathname}${url.search}`,
          body: text,
        });
      url.pathname = scene.spelled(decodeURIComponent(url.pathname));
      return scene.cloud.fetch(new Request(url, request));
    });
    const target = await operator.post("/cloud/targets", {
      provider: "gcp",
      name: "shared",
      config: { project: PROJECT, zone: ZONE, tenantsTrustEachOther: true },
      allowedRegions: [REGION],
      defaultRegion: REGION,
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

export async function deployAt(
  targetId: string,
  tenant: TestTenant,
  resources: string,
  credential = CREDENTIAL,
  variables: JsonMap = {},
) {
  const templateId = await makeTemplate(tenant, `resources:\n${resources}`);
  const instanceId = await makeInstance(tenant, templateId, targetId, { variables });
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, {
      [credential]: JSON.stringify(KEY_FILE),
    });
  });
  const { body } = await run(tenant, instanceId, "deploy");
  return { instanceId, state: body.state, error: body.error };
}
