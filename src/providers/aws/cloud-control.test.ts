import { describe, expect, it } from "vitest";
import { isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";
import type { Outcome } from "#providers/provider.ts";
import type { DialectAnswer, DialectCall } from "#providers/rest/definition.ts";
import type { Answer } from "#providers/transport.ts";
import type { DescribedType } from "#test/providers/aws/described-type.ts";
import { FakeAws, type FakeAwsOptions } from "#test/providers/aws/fake-aws.ts";
import { untilFinal } from "#test/providers/type-cycle.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import { awsProvider as makeProvider } from "./aws-provider.ts";
import { isGiven, readAnswer } from "./cloud-control.ts";

const awsProvider = makeProvider();

function described(name: string, more: Partial<DescribedType> = {}): DescribedType {
  return {
    name,
    identifier: ["Name"],
    readOnly: [],
    createOnly: [],
    writeOnly: [],
    parents: [],
    isFixed: false,
    has: () => true,
    problems: () => [],
    made: () => ({}),
    ...more,
  };
}

const BUCKET = "AWS::S3::Bucket";
const DATABASE = "AWS::RDS::DBInstance";
/** Without a row. */
const OTHER = "AWS::Kinesis::StreamConsumer";
const types = new Map(
  [
    described(BUCKET, { identifier: ["BucketName"] }),
    described(DATABASE, {
      identifier: ["DBInstanceIdentifier"],
      writeOnly: ["MasterUserPassword"],
    }),
    described("AWS::ElasticLoadBalancingV2::Listener", {
      identifier: ["ListenerArn"],
      readOnly: ["ListenerArn"],
      writeOnly: ["DefaultActions[*].AuthenticateOidcConfig.ClientSecret"],
    }),
    described(OTHER, { writeOnly: ["Key", "Encryption.Secret"] }),
    described("AWS::EC2::VPC", { identifier: ["VpcId"], readOnly: ["VpcId"] }),
    described("AWS::EC2::Subnet", { identifier: ["SubnetId"], readOnly: ["SubnetId"] }),
  ].map((type) => [type.name, type]),
);

function setUp(options: FakeAwsOptions = {}) {
  const aws = new FakeAws(types, options);
  const context = aws.context();
  const call = (name: string, properties: JsonMap, token = "token-1") => ({
    type: `aws:${name}`,
    name: "chosen-1",
    properties,
    token,
  });
  return {
    aws,
    context,
    create: async (name: string, properties: JsonMap, token?: string): Promise<Outcome> => {
      const of = call(name, properties, token);
      const outcome = await awsProvider.create(context, of);
      return untilFinal(awsProvider, context, outcome, { ...of, verb: "create" });
    },
    update: async (name: string, id: string, before: JsonMap, after: JsonMap): Promise<Outcome> => {
      const of = call(name, after);
      const outcome = await awsProvider.update(context, { ...of, id, before });
      return untilFinal(awsProvider, context, outcome, { ...of, before, verb: "update" });
    },
    remove: async (name: string, id: string): Promise<Outcome> => {
      const of = call(name, {});
      const outcome = await awsProvider.delete(context, { ...of, id });
      return untilFinal(awsProvider, context, outcome, { ...of, verb: "delete" });
    },
    sentTo: (target: string) =>
      aws.requests
        .filter((one) => one.target === target)
        .map((one): JsonMap => {
          const body: unknown = JSON.parse(one.body);
          return isJsonMap(body) ? body : {};
        }),
  };
}

function patchIn(request: JsonMap | undefined): Json[] {
  const patch = readJson(textOf(request?.["PatchDocument"]));
  return Array.isArray(patch) ? patch : [];
}

describe("a name that a stranger's object has", () => {
  it("is never taken for the object of a create: not while it runs, and not when it fails", async () => {
    const { aws, context, create } = setUp({ operationMs: 1_000, now: () => 5_000 });
    aws.control.put(BUCKET, { BucketName: "taken" });
    const started = await awsProvider.create(context, {
      type: `aws:${BUCKET}`,
      name: "chosen-1",
      properties: { BucketName: "taken" },
      token: "token-1",
    });
    expect(started.kind).toBe("pending");
    expect(started).not.toHaveProperty("id");
    aws.control.finish();
    const refused = await create(BUCKET, { BucketName: "taken" });
    expect(refused).toMatchObject({ kind: "failed", means: "exists" });
    expect(refused).not.toHaveProperty("id");
    expect(aws.control.living(BUCKET)).toHaveLength(1);
  });

  it("gives a create that failed otherwise no id either, unless the object has its mark", async () => {
    const mine = setUp({ endsFailed: true });
    const failed = await mine.create(BUCKET, { BucketName: "mine" });
    expect(failed).toMatchObject({ kind: "failed", code: "NotStabilized", id: "mine" });

    const theirs = setUp({ endsFailed: true });
    theirs.aws.control.afterChange = () => {
      for (const object of theirs.aws.control.living()) object.sent = { BucketName: "theirs" };
    };
    const unproven = await theirs.create(BUCKET, { BucketName: "theirs" });
    expect(unproven).toMatchObject({ kind: "failed", code: "NotStabilized" });
    expect(unproven).not.toHaveProperty("id");
  });

  it("and the token of an earlier request with other content are told by the mark", async () => {
    const { create, aws } = setUp();
    const first = await create(BUCKET, { BucketName: "mine" });
    expect(first).toMatchObject({ kind: "done", id: "mine" });
    const again = await create(BUCKET, { BucketName: "mine", VersioningConfiguration: {} });
    expect(again).toMatchObject({ kind: "done", id: "mine" });
    expect(aws.control.living(BUCKET)).toHaveLength(1);
  });
});

describe("an update", () => {
  it("sends again what AWS never shows, and never a token that would repeat an ended operation", async () => {
    const { create, update, aws, sentTo } = setUp();
    const before = { DBInstanceIdentifier: "shop", MasterUserPassword: "canary-pw", Port: 1 };
    await create(DATABASE, before);
    await update(DATABASE, "shop", before, { ...before, Port: 2 });
    const [request] = sentTo("UpdateResource");
    expect(new Set(patchIn(request))).toEqual(
      new Set([
        { op: "replace", path: "/Port", value: 2 },
        { op: "add", path: "/MasterUserPassword", value: "canary-pw" },
      ]),
    );
    expect(request).not.toHaveProperty("ClientToken");
    expect(aws.control.living()[0]?.sent).toMatchObject({ MasterUserPassword: "canary-pw" });
  });

  it("sends a list again with what AWS hides in its items", async () => {
    const { create, update, aws } = setUp();
    const action = {
      Type: "oidc",
      AuthenticateOidcConfig: { ClientSecret: "canary-cs", Scope: "a" },
    };
    const before = { LoadBalancerArn: "lb", Port: 80, DefaultActions: [action] };
    const name = "AWS::ElasticLoadBalancingV2::Listener";
    const made = await create(name, before);
    const id = made.kind === "done" ? made.id : "";
    await update(name, id, before, { ...before, Port: 81 });
    expect(aws.control.living()[0]?.sent).toMatchObject({ Port: 81, DefaultActions: [action] });
  });

  it("of a type without a row sends again whatever AWS does not show", async () => {
    const { create, update, aws } = setUp();
    const before = { Name: "s", Shards: 1, Key: "k", Encryption: { Type: "KMS", Secret: "x" } };
    expect(await create(OTHER, before)).toMatchObject({ kind: "done", id: "s" });
    expect(await update(OTHER, "s", before, { ...before, Shards: 2 })).toMatchObject({
      kind: "done",
    });
    expect(aws.control.living()[0]?.sent).toEqual({ ...before, Shards: 2 });
  });

  it("keeps the tag by which the object is found, and shows it to nobody", async () => {
    const { create, update, aws } = setUp();
    const before = { BucketName: "b", Tags: [{ Key: "team", Value: "web" }] };
    const made = await create(BUCKET, before);
    expect(made).toMatchObject({ outputs: before });
    const after = { BucketName: "b", Tags: [{ Key: "team", Value: "shop" }] };
    expect(await update(BUCKET, "b", before, after)).toMatchObject({ outputs: after });
    const sent = JSON.stringify(aws.control.living()[0]?.sent);
    expect(sent).toContain('{"Key":"control:create","Value":"token-1"}');
  });
});

describe("a delete", () => {
  it("waits while others use the object, and is sent as a new request", async () => {
    const { aws, create, remove, sentTo } = setUp();
    const vpc = await create("AWS::EC2::VPC", {});
    const id = vpc.kind === "done" ? vpc.id : "";
    const subnet = await create("AWS::EC2::Subnet", { VpcId: id }, "token-2");
    expect(await remove("AWS::EC2::VPC", id)).toMatchObject({
      kind: "failed",
      means: "busy",
      retryable: true,
      ended: true,
    });
    await remove("AWS::EC2::Subnet", subnet.kind === "done" ? subnet.id : "");
    expect(await remove("AWS::EC2::VPC", id)).toMatchObject({ kind: "gone" });
    expect(aws.control.living()).toEqual([]);
    for (const request of sentTo("DeleteResource"))
      expect(request).not.toHaveProperty("ClientToken");
  });
});

it("a type that Cloud Control lacks is told in plain words", async () => {
  const { context, create } = setUp({
    faults: [
      {
        on: "create",
        status: 405,
        effect: "before",
        body: { __type: "UnsupportedActionException", Message: "no CREATE" },
      },
    ],
  });
  const refused = await create(OTHER, { Name: "s" });
  expect(refused).toMatchObject({ kind: "failed", means: "invalid" });
  expect(JSON.stringify(refused)).toContain(
    "is not among the types that AWS Cloud Control can create",
  );
  const malformed = { type: "aws:Nonsense", name: "n", properties: {}, token: "t" };
  expect(await awsProvider.create(context, malformed)).toMatchObject({ code: "unknown_type" });
});

it.for(["eu-central-1.evil.example/", "EU CENTRAL", ""])(
  "a region %j leads to no host",
  async (region) => {
    const { aws } = setUp();
    const read = { type: `aws:${BUCKET}`, id: "b", properties: {} };
    const refused = await awsProvider.read(aws.context({ region }), read);
    expect(refused).toMatchObject({ kind: "failed", retryable: false });
    expect(aws.requests).toEqual([]);
  },
);

describe("an operation that AWS answers with", () => {
  const nowMs = 1_800_000_000_000;
  const call = {
    type: "aws:AWS::S3::Bucket",
    properties: { BucketName: "mine" },
    operation: "op-1",
    context: { now: () => nowMs },
  } as unknown as DialectCall;
  const event = (more: JsonMap): DialectAnswer =>
    readAnswer(
      {
        json: {
          ProgressEvent: {
            RequestToken: "op-1",
            Operation: "CREATE",
            OperationStatus: "IN_PROGRESS",
            ...more,
          },
        },
      } as unknown as Answer,
      "poll",
      call,
    );

  it.for<[what: string, more: JsonMap, state: object]>([
    ["no time to ask again", {}, { state: "running" }],
    [
      "a time in epoch seconds",
      { RetryAfter: nowMs / 1000 + 7.25 },
      { state: "running", afterMs: 7_250 },
    ],
    ["a time that is over", { RetryAfter: nowMs / 1000 - 1 }, { state: "running" }],
    ["now", { RetryAfter: nowMs / 1000 }, { state: "running" }],
    ["a time that is a text", { RetryAfter: "soon" }, { state: "running" }],
    ["a given name", { Identifier: "mine" }, { state: "running", place: "mine" }],
    ["an id of its own", { Identifier: "b-1" }, { state: "running", id: "b-1" }],
    ["an empty id", { Identifier: "" }, { state: "running" }],
    [
      "a given name, at an update",
      { Identifier: "mine", Operation: "UPDATE" },
      { state: "running", id: "mine" },
    ],
    ["success", { OperationStatus: "SUCCESS", Identifier: "mine" }, { state: "done", id: "mine" }],
    [
      "a cancel",
      { OperationStatus: "CANCEL_COMPLETE", Operation: "DELETE" },
      {
        state: "failed",
        code: "canceled",
        message: "AWS could not delete the AWS::S3::Bucket: it gives no reason",
      },
    ],
  ])("%s", ([, more, state]) => {
    expect(event(more)).toEqual({ kind: "operation", operation: "op-1", state });
  });

  it("keeps the token of the question where the answer has none", () => {
    expect(event({ RequestToken: null })).toMatchObject({ operation: "op-1" });
  });
});

it.for<[id: string, isGivenName: boolean]>([
  ["mine", true],
  ["MINE", true],
  ["arn:aws:s3:::mine", true],
  ["mine|other", false],
  ["mine|mine", true],
  ["b-1", false],
])("the identifier %s is made of given names: %j", ([id, expected]) => {
  expect(isGiven(id, { BucketName: "Mine", Tags: [] })).toBe(expected);
});
