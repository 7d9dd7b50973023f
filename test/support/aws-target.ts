/** Targets at the fake AWS: a shared one with stored keys, or a tenant's own without keys. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { sessions } from "#providers/rest/requests/session.ts";
import { type DescribedType, describedTypes } from "#test/providers/aws/described-type.ts";
import { FakeAws, type FakeAwsOptions, KEYS } from "#test/providers/aws/fake-aws.ts";
import { type Answer, operator, type TestTenant } from "./api.ts";
import { makeInstance, makeTemplate, run } from "./cloud.ts";
import { runnerOf } from "./runner.ts";

const CREDENTIAL = "TARGET_PLATFORM_AWS";
const REGION = "eu-central-1";
export const ROLE = "arn:aws:iam::123456789012:role/deployer";

export interface AwsScene {
  aws: FakeAws;
  /** Replaces an answer of the fake AWS; undefined: the fake answers. */
  answer: (request: Request, text: string) => Response | undefined;
  /** The runners' settings, besides the stored keys. */
  settings: Record<string, string>;
}

/** A new AWS for each test, with these types. */
export function awsScene(
  names: readonly string[],
  options: (scene: AwsScene) => FakeAwsOptions = () => ({}),
): AwsScene {
  const scene = {} as AwsScene;
  let types: ReadonlyMap<string, DescribedType> | undefined;
  beforeEach(async () => {
    types ??= await describedTypes(names, env.ASSETS);
    scene.settings = {};
    scene.answer = () => undefined;
    scene.aws = new FakeAws(types, options(scene));
    const real = globalThis.fetch.bind(globalThis);
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const request = input instanceof Request ? input : new Request(input, init);
      if (!new URL(request.url).hostname.endsWith(".amazonaws.com")) return real(input, init);
      return scene.answer(request, await request.clone().text()) ?? scene.aws.fetch(request);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    sessions.clear();
  });
  return scene;
}

const places = { allowedRegions: [REGION], defaultRegion: REGION };

/** A target of the platform, to which every tenant deploys. */
export async function sharedTarget(): Promise<string> {
  const config = { tenantsTrustEachOther: true };
  const body = { provider: "aws", name: "shared", config, ...places };
  const credentialRef = `env://${CREDENTIAL}`;
  return idOf(await operator.post("/cloud/targets", { ...body, credentialRef }));
}

/** A target of the tenant's own account, whose role trusts the tokens of this installation. */
export async function federatedTarget(tenant: TestTenant): Promise<string> {
  const body = { provider: "aws", name: "own", config: { roleArn: ROLE }, ...places };
  return idOf(await tenant.post("/cloud/targets", body));
}

function idOf(made: Answer): string {
  expect(made.status, made.text).toBe(201);
  return made.body.id as string;
}

/** A new instance of the template at the target, whose runner has the settings of the scene. */
export async function instanceAt(
  scene: AwsScene,
  tenant: TestTenant,
  targetId: string,
  source: string,
  variables: JsonMap = {},
): Promise<string> {
  const templateId = await makeTemplate(tenant, source);
  const instanceId = await makeInstance(tenant, templateId, targetId, { variables });
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    const own = (runner as unknown as { env: object }).env;
    Object.assign(own, { [CREDENTIAL]: JSON.stringify(KEYS) }, scene.settings);
  });
  return instanceId;
}

/** Deploys a new instance of a template with these resources. */
export async function deployAt(
  scene: AwsScene,
  tenant: TestTenant,
  targetId: string,
  source: string,
  variables: JsonMap = {},
) {
  const instanceId = await instanceAt(scene, tenant, targetId, source, variables);
  return { instanceId, ended: await run(tenant, instanceId, "deploy") };
}
