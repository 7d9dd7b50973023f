/** An instance at a fake DigitalOcean whose answers a test may replace. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { addVersion, makeInstance, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";

const description = digitaloceanDescription(digitaloceanDocument);

type Fetch = (request: Request) => Promise<Response>;
export type Intercept = (request: Request, next: Fetch) => Promise<Response>;

const scenes = new Map<string, { cloud: DescribedCloud; intercept: Intercept }>();
const pass: Intercept = (request, next) => next(request);

/** Sends the service's requests to DigitalOcean to the token's scene. It fetches nothing else. */
export function fetchFromScenes(): void {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    const token = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
    const scene = scenes.get(token);
    if (scene === undefined) throw new Error(`No scene answers ${request.url}`);
    return scene.intercept(request, scene.cloud.fetch);
  });
}

export interface DigitaloceanScene {
  cloud: DescribedCloud;
  /** Sets the answers from now on; absent: the fake's own. */
  intercept: (by?: Intercept) => void;
  /** Deploys these resources, or the last ones again. */
  deploy: (resources?: JsonMap) => Promise<Ended>;
  destroy: () => Promise<Ended>;
  checkDrift: () => Promise<Ended>;
  /** `name id state` of each managed object. */
  managed: () => Promise<string[]>;
  /** The keys of the objects that exist in a collection. */
  living: (path: string) => string[];
}

interface Ended {
  state: string;
  error: { code: string; message: string } | null;
  actions: string[];
  log: string[];
}

/** An instance of these resources, deployed. */
export async function digitaloceanScene(resources: JsonMap): Promise<DigitaloceanScene> {
  const token = `dop_v1_${crypto.randomUUID()}`;
  const cloud = digitaloceanCloud(description, { readyAfterMs: 0, token });
  const scene = { cloud, intercept: pass };
  scenes.set(token, scene);
  const tenant = await makeTenant();
  const secret = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_DO`;
  (env as unknown as Record<string, unknown>)[secret] = token;
  const target = await tenant.post("/cloud/targets", {
    provider: "digitalocean",
    name: "do",
    config: {},
    credentialRef: `env://${secret}`,
    allowedRegions: ["*"],
    defaultRegion: "nyc3",
  });
  expect(target.status, target.text).toBe(201);
  const sourceOf = (of: JsonMap) =>
    JSON.stringify({ name: "scene", runtime: "yaml", resources: of });
  const templateId = await makeTemplate(tenant, sourceOf(resources));
  const instanceId = await makeInstance(tenant, templateId, target.body.id);
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    (runner as unknown as { env: Record<string, unknown> }).env[secret] = token;
  });
  const endOf = async (over: Awaited<ReturnType<typeof untilOver>>): Promise<Ended> => {
    const plan = await tenant.get(`/deployments/${over.body.id}/plan`);
    const changes: { action: string }[] = plan.body?.changes ?? [];
    return {
      state: over.body.state,
      error: over.body.error,
      actions: changes.map(({ action }) => action),
      log: await messagesOf(tenant, over.body.id),
    };
  };
  const made: DigitaloceanScene = {
    cloud,
    intercept: (by = pass) => void (scene.intercept = by),
    deploy: async (changed) => {
      if (changed !== undefined)
        await addVersion(tenant, instanceId, templateId, sourceOf(changed));
      return endOf(await run(tenant, instanceId, "deploy"));
    },
    destroy: async () => endOf(await run(tenant, instanceId, "destroy")),
    checkDrift: async () => {
      const started = await tenant.post(`/instances/${instanceId}/check-drift`);
      return endOf(await untilOver(tenant, started.body.id));
    },
    managed: async () =>
      (await runnerOf(instanceId).listResources()).map(
        ({ name, id, state }) => `${name} ${id} ${state}`,
      ),
    living: (path) => cloud.fake.living(path).map(({ key }) => key),
  };
  const first = await made.deploy();
  expect(first.state, JSON.stringify(first)).toBe("SUCCEEDED");
  return made;
}

/** Answers the first matching requests in place of the cloud, as many as given. */
export function answering(
  matches: (request: Request) => boolean,
  answer: () => Response,
  times = 1,
): Intercept {
  let left = times;
  return async (request, next) => {
    if (left === 0 || !matches(request)) return next(request);
    left -= 1;
    return answer();
  };
}
