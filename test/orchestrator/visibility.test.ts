/** Creates that AWS refuses because it does not see everywhere yet what they need. It remembers each token's end. */
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant } from "#test/support/api.ts";
import { awsScene, deployAt, federatedTarget, instanceAt, ROLE } from "#test/support/aws-target.ts";
import { run } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { makeIdentityKey } from "#test/support/identity-key.ts";
import { messagesOf, runnerOf, until, watchCommits } from "#test/support/runner.ts";

const scene = awsScene(["AWS::IAM::Role", "AWS::Lambda::Function", "AWS::ECS::Cluster"], () => ({
  operationMs: 0,
  assume: async () => ({ seconds: 3_600 }),
}));

beforeEach(async () => {
  scene.settings = {
    PUBLIC_URL: "https://control.example",
    IDENTITY_KEYS: await makeIdentityKey(),
  };
});

const role = `role:
    type: aws:AWS::IAM::Role
    properties:
      RoleName: shop
      AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [] }`;
const functionOf = (arn: string) => `app:
    type: aws:AWS::Lambda::Function
    properties:
      FunctionName: shop
      Role: ${arn}
      Runtime: nodejs24.x
      Handler: index.handler
      Code: { S3Bucket: code, S3Key: shop.zip }`;

/** AWS refuses creates of the type so often with this message. Returns the clients' tokens of all of them. */
function refuses(type: string, times: number, message: string): Set<string> {
  const tokens = new Set<string>();
  const ended = new Map<string, JsonMap>();
  scene.answer = (request, text) => {
    if (!request.headers.get("x-amz-target")?.endsWith(".CreateResource")) return undefined;
    const body = JSON.parse(text) as { TypeName: string; ClientToken: string };
    if (body.TypeName !== type) return undefined;
    tokens.add(body.ClientToken);
    const known = ended.get(body.ClientToken);
    if (known === undefined && ended.size >= times) return undefined;
    const event = known ?? {
      TypeName: type,
      RequestToken: crypto.randomUUID(),
      Operation: "CREATE",
      OperationStatus: "FAILED",
      ErrorCode: "InvalidRequest",
      StatusMessage: message,
    };
    ended.set(body.ClientToken, event);
    return Response.json({ ProgressEvent: event });
  };
  return tokens;
}

const cannotAssume = "The role defined for the function cannot be assumed by Lambda.";

it("waits until the role of a new function is visible, with a new token for each attempt", async () => {
  const tokens = refuses("AWS::Lambda::Function", 2, cannotAssume);
  const tenant = await makeTenant();
  const source = `resources:\n  ${role}\n  ${functionOf("${role.Arn}")}\n`;
  const { ended } = await deployAt(scene, tenant, await federatedTarget(tenant), source);
  expect(ended.body.state, JSON.stringify(ended.body.error)).toBe("SUCCEEDED");
  expect(tokens.size).toBe(3);
  expect(scene.aws.control.living("AWS::Lambda::Function")).toHaveLength(1);
  const waits = (await messagesOf(tenant, ended.body.id)).filter((one) =>
    one.includes("waits for"),
  );
  expect(waits).toHaveLength(2);
  expect(waits[0]).toContain("Creating app waits for role to be visible at the provider");
}, 60_000);

const crashes = ["before", "after"] as const;
const commits = [5, 6, 7, 8, 9, 10, 11, 12];
const plans = commits.flatMap((commit) => crashes.map((when) => ({ when, commit })));

it.each(partOf(plans, 8))(
  "makes one function if the runner dies $when commit $commit of such a run",
  async (plan) => {
    const tokens = refuses("AWS::Lambda::Function", 2, cannotAssume);
    const tenant = await makeTenant();
    const source = `resources:\n  ${role}\n  ${functionOf("${role.Arn}")}\n`;
    const targetId = await federatedTarget(tenant);
    const instanceId = await instanceAt(scene, tenant, targetId, source);
    const crash = await watchCommits(instanceId, plan);
    const running = run(tenant, instanceId, "deploy");
    await until("the runner is killed", () => crash.crashed);
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      Object.assign((runner as unknown as { env: object }).env, scene.settings);
    });
    await runnerOf(instanceId).wake();
    const { body } = await running;
    expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
    expect(tokens.size).toBe(3);
    expect(scene.aws.control.living("AWS::Lambda::Function")).toHaveLength(1);
  },
  60_000,
);

it("takes the refusal of a role that the instance did not make", async () => {
  const tokens = refuses("AWS::Lambda::Function", 1, cannotAssume);
  const tenant = await makeTenant();
  const source = `resources:\n  ${functionOf(ROLE)}\n`;
  const { ended } = await deployAt(scene, tenant, await federatedTarget(tenant), source);
  expect(ended.body).toMatchObject({ state: "FAILED", error: { code: "InvalidRequest" } });
  expect(tokens.size).toBe(1);
}, 60_000);

it("waits for a service-linked role, which AWS makes itself", async () => {
  const tokens = refuses(
    "AWS::ECS::Cluster",
    1,
    "Unable to assume the service linked role. Please verify that the ECS service linked role exists.",
  );
  const tenant = await makeTenant();
  const source = "resources:\n  cluster: { type: aws:AWS::ECS::Cluster, properties: {} }\n";
  const { ended } = await deployAt(scene, tenant, await federatedTarget(tenant), source);
  expect(ended.body.state, JSON.stringify(ended.body.error)).toBe("SUCCEEDED");
  expect(tokens.size).toBe(2);
  expect(await messagesOf(tenant, ended.body.id)).toContainEqual(
    expect.stringContaining(
      "Creating cluster waits until the provider has created what it needs (",
    ),
  );
}, 60_000);
