/** Attempts on a target at AWS: on what others have in the account, on regions, and on secrets. A test is named after its attack. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KEYS } from "#test/providers/aws/fake-aws.ts";
import { Refused } from "#test/providers/aws/fake-control.ts";
import { makeTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import {
  awsScene,
  deployAt,
  federatedTarget,
  instanceAt,
  sharedTarget,
} from "#test/support/aws-target.ts";
import { run } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { everythingStored } from "#test/support/federated-cloud.ts";
import { makeIdentityKey } from "#test/support/identity-key.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";
import { TokenService } from "#test/support/token-service.ts";

const ISSUER = "https://control.example";
const SUBNET = "AWS::EC2::Subnet";

/** The tokens that were shown to STS. */
let tokens: string[];
let service: TokenService;
const scene = awsScene(
  ["AWS::EC2::VPC", SUBNET, "AWS::S3::Bucket", "AWS::SecretsManager::Secret"],
  () => ({
    operationMs: 0,
    assume: async (_, form) => {
      const token = form.get("WebIdentityToken") ?? "";
      tokens.push(token);
      try {
        await service.verify(token);
      } catch (error) {
        const quoted = `${(error as Error).message} (${token})`;
        throw new Refused("InvalidIdentityToken", quoted, 400);
      }
      return { seconds: 3_600 };
    },
  }),
);

/** One of them in an ordinary run: each deploys two or three times. */
const taken = partOf(["network", "bucket", "region"] as const, 3);

describe("at a target that tenants share, of another tenant's", () => {
  const network =
    "resources:\n  net: { type: aws:AWS::EC2::VPC, properties: { CidrBlock: 10.0.0.0/16 } }\n";
  const subnetIn = (vpc: string) =>
    `resources:\n  one: { type: aws:${SUBNET}, properties: { VpcId: "${vpc}", CidrBlock: 10.0.1.0/24 } }\n`;

  it.runIf(taken.includes("network"))(
    "network: no subnet is made in it, but in one's own",
    async () => {
      const [a, b, target] = [await makeTenant(), await makeTenant(), await sharedTarget()];
      const { ended } = await deployAt(scene, a, target, network);
      expect(ended.body.state, ended.text).toBe("SUCCEEDED");
      const vpc = scene.aws.control.living("AWS::EC2::VPC")[0]?.id ?? "";
      const made = scene.aws.control.ledger.length;
      const taken = await deployAt(scene, b, target, subnetIn(vpc));
      expect(taken.ended.body.error).toMatchObject({ code: "reference_not_allowed" });
      expect(scene.aws.control.ledger).toHaveLength(made);
      const own = await deployAt(scene, a, target, subnetIn(vpc));
      expect(own.ended.body.state, own.ended.text).toBe("SUCCEEDED");
    },
  );

  it.runIf(taken.includes("bucket"))(
    "bucket: a create under its name neither takes it over nor deletes it",
    async () => {
      const [a, b, target] = [await makeTenant(), await makeTenant(), await sharedTarget()];
      const bucket = (value: string) =>
        `resources:\n  one: { type: aws:AWS::S3::Bucket, properties: { BucketName: victims, Tags: [{ Key: team, Value: ${value} }] } }\n`;
      expect((await deployAt(scene, a, target, bucket("a"))).ended.body.state).toBe("SUCCEEDED");
      const taken = await deployAt(scene, b, target, bucket("b"));
      expect(taken.ended.body).toMatchObject({ state: "FAILED" });
      expect((await run(b, taken.instanceId, "destroy")).body.state).not.toBe("FAILED");
      const [left, ...more] = scene.aws.control.living("AWS::S3::Bucket");
      expect([left?.sent["Tags"], more]).toMatchObject([[{ Value: "a" }, {}], []]);
    },
  );
});

it.runIf(taken.includes("region"))(
  "a secret is not copied to a region that the target does not allow",
  async () => {
    const tenant = await makeTenant();
    const source = (region: string) =>
      `resources:\n  one: { type: aws:AWS::SecretsManager::Secret, properties: { SecretString: x, ReplicaRegions: [{ Region: eu-central-1 }, { Region: ${region} }] } }\n`;
    const target = await sharedTarget();
    const { ended } = await deployAt(scene, tenant, target, source("us-east-1"));
    expect(ended.body.error, ended.text).toMatchObject({
      code: "region_not_allowed",
      fault: "user",
    });
    expect(scene.aws.control.ledger).toEqual([]);
    const allowed = await deployAt(scene, tenant, target, source("eu-central-1"));
    expect(allowed.ended.body.state, allowed.ended.text).toBe("SUCCEEDED");
  },
);

describe("no token, key of a session or sealed value is in an answer, log, row, event, plan or state", () => {
  let lines: string[];
  beforeEach(async () => {
    tokens = [];
    lines = [];
    for (const method of ["log", "warn", "error"] as const)
      vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
        lines.push(parts.map(String).join(" "));
      });
    scene.settings = { PUBLIC_URL: ISSUER, IDENTITY_KEYS: await makeIdentityKey() };
    const trust = { issuer: ISSUER, audience: "sts.amazonaws.com", subject: "nobody" };
    service = new TokenService("aws", trust, (path) =>
      appWith(scene.settings)("GET", `https://anything.test${path}`),
    );
  });
  afterEach(() => vi.restoreAllMocks());

  const SECRET = "canary-sealed-0123456789";
  const source = `config: { password: { type: string, secret: true } }
resources:
  secret: { type: aws:AWS::SecretsManager::Secret, properties: { SecretString: "\${password}" } }
  other: { type: aws:AWS::SecretsManager::Secret, properties: { Name: other, SecretString: "\${password}" }, options: { dependsOn: [secret] } }
`;

  it("also when AWS quotes what it was sent: an untrusted token, a refused create, a run that succeeds", async () => {
    const tenant = await makeTenant();
    const targetId = await federatedTarget(tenant);
    const instanceId = await instanceAt(scene, tenant, targetId, source, { password: SECRET });
    const texts: string[] = [];
    const verify = () =>
      appWith(scene.settings)("POST", `/cloud/targets/${targetId}/verify`, {
        headers: { authorization: `Bearer ${tenant.key}` },
      });
    const deploy = async () => {
      const { body, text } = await run(tenant, instanceId, "deploy");
      texts.push(text, (await messagesOf(tenant, body.id)).join("\n"));
      for (const part of ["plan", "log", "events"])
        texts.push((await tenant.get(`/deployments/${body.id}/${part}`)).text);
      return body;
    };

    const untrusted = await deploy();
    expect(untrusted.state).toBe("FAILED");
    const checked = await verify();
    texts.push(checked.text);
    expect(checked.body).toMatchObject({ ok: false });

    const subject = `tenant:${tenant.tenantId}:target:${targetId}`;
    service.trust.subject = subject;
    scene.answer = (request, text) => {
      if (!(request.headers.get("x-amz-target") ?? "").endsWith("CreateResource")) return undefined;
      if (!text.includes("other")) return undefined;
      const Message = JSON.stringify([...request.headers, text, scene.aws.given]);
      return Response.json({ __type: "ValidationException", Message }, { status: 400 });
    };
    const refused = await deploy();
    expect(refused, JSON.stringify(refused)).toMatchObject({ state: "FAILED" });
    expect(refused.error.message).toContain("TypeName");
    scene.answer = () => undefined;
    expect(await deploy()).toMatchObject({ state: "SUCCEEDED" });
    texts.push(
      (await verify()).text,
      (await tenant.get(`/instances/${instanceId}/resources`)).text,
    );

    expect(tokens.length).toBeGreaterThanOrEqual(4);
    expect(scene.aws.given.length).toBeGreaterThanOrEqual(6);
    expect(scene.aws.control.living().map(({ sent }) => sent["SecretString"])).toEqual([
      SECRET,
      SECRET,
    ]);
    const own = await runInDurableObject(runnerOf(instanceId), (_, { storage: { sql } }) =>
      sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
        .toArray()
        .filter(({ name }) => !name.startsWith("_cf_"))
        .map(({ name }) => JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray())),
    );
    const all = [...texts, await everythingStored(), ...own, ...lines].join("\n");
    for (const secret of [SECRET, KEYS.secretAccessKey, ...scene.aws.given])
      expect(all).not.toContain(secret.slice(0, 24));
    for (const token of tokens)
      for (const part of token.split(".")) expect(all).not.toContain(part.slice(0, 24));
  });
});
