/** What AWS may answer that the provider must not take for something else. */
import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { awsProvider as makeProvider } from "#providers/aws/aws-provider.ts";
import type { DescribedType } from "#test/providers/aws/described-type.ts";
import { FakeAws } from "#test/providers/aws/fake-aws.ts";
import { untilFinal } from "#test/providers/type-cycle.ts";

const provider = makeProvider();
const QUEUE = "AWS::SQS::Queue";
const SERVICE = "AWS::ECS::Service";
const PROFILE = "AWS::IAM::InstanceProfile";
const ROLE = "AWS::IAM::Role";
const VPC = "AWS::EC2::VPC";

function described(name: string, identifier: string[], readOnly: string[] = []): DescribedType {
  return {
    name,
    identifier,
    readOnly,
    createOnly: [],
    writeOnly: [],
    parents: [],
    isFixed: false,
    has: () => true,
    problems: () => [],
    made: () => ({}),
  };
}

function setUp() {
  const types = [
    described(QUEUE, ["QueueUrl"], ["QueueUrl"]),
    described(SERVICE, ["ServiceArn", "Cluster"], ["ServiceArn"]),
    described(PROFILE, ["InstanceProfileName"]),
    described(ROLE, ["RoleName"]),
    described(VPC, ["VpcId"], ["VpcId"]),
  ];
  const aws = new FakeAws(new Map(types.map((type) => [type.name, type])));
  const own = aws.context();
  let answer: (target: string) => Response | undefined = () => undefined;
  const context = {
    ...own,
    fetch: async (request: Request) =>
      answer(request.headers.get("x-amz-target")?.split(".")[1] ?? "") ?? own.fetch(request),
  };
  return { aws, context, answers: (by: typeof answer) => (answer = by) };
}

function event(more: JsonMap) {
  return Response.json({
    ProgressEvent: { RequestToken: "op", OperationStatus: "FAILED", ...more },
  });
}

describe("an update that fails because of another object", () => {
  it("that is missing does not let the object count as gone", async () => {
    const { aws, context, answers } = setUp();
    const { id } = aws.control.put(SERVICE, { Cluster: "c", ServiceName: "s", DesiredCount: 1 });
    answers((target) =>
      target === "GetResourceRequestStatus"
        ? event({
            Operation: "UPDATE",
            Identifier: id,
            ErrorCode: "NotFound",
            StatusMessage: "The target group 'arn:…:targetgroup/new' does not exist",
          })
        : undefined,
    );
    const call = {
      type: `aws:${SERVICE}`,
      name: "s",
      id,
      token: "t",
      before: { Cluster: "c", ServiceName: "s", DesiredCount: 1 },
      properties: { Cluster: "c", ServiceName: "s", DesiredCount: 2 },
    };
    const started = await provider.update(context, call);
    const outcome = await untilFinal(provider, context, started, { ...call, verb: "update" });
    expect(aws.control.living(SERVICE)).toHaveLength(1);
    expect(outcome).toMatchObject({ kind: "failed" });
  });
});

describe("a read", () => {
  it("of a record by an id of another zone does not show the zone of the template", async () => {
    const { aws, context } = setUp();
    aws.dns.zones.add("Z1");
    const call = {
      type: "aws:AWS::Route53::RecordSet",
      id: "Z1|www.b.example|A",
      properties: { HostedZoneId: "Z2", Name: "www.b.example", Type: "A" },
    };
    const record = {
      zone: "Z1",
      name: "www.b.example.",
      type: "A",
      set: "",
      xml: "<ResourceRecordSet><Name>www.b.example.</Name><Type>A</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>",
    };
    aws.dns.records.set("Z1|www.b.example.|A|", record);
    // The object is in Z1: shown as in Z2, no plan ever sees the difference.
    expect(await provider.read(context, call)).not.toMatchObject({
      outputs: { HostedZoneId: "Z2" },
    });
  });
});

describe("drift", () => {
  const shownAs = async (property: string, shown: string, sent: string) => {
    const { aws, context } = setUp();
    const { id } = aws.control.put(VPC, { [property]: shown });
    const read = await provider.read(context, {
      type: `aws:${VPC}`,
      id,
      properties: { [property]: sent },
    });
    return read.kind === "done" ? read.outputs[property] : read;
  };
  it.each([
    [
      "a role of another account and path",
      "arn:aws:iam::666666666666:role/evil/runtime",
      "runtime",
    ],
    ["a key of another region", "arn:aws:kms:us-east-1:123456789012:key/k1", "k1"],
    ["a bucket's object in place of the name", "arn:aws:s3:::evil/logs", "logs"],
    [
      "another kind of object",
      "arn:aws:lambda:eu-central-1:123456789012:function:other:live",
      "live",
    ],
  ])("to %s is seen", async (_, shown, sent) => {
    expect(await shownAs("Target", shown, sent)).toBe(shown);
  });
});

describe("a create that AWS says has succeeded", () => {
  /** AWS answers the create with the object that is there, as CreateQueue and others do. */
  const createAt = async (there: JsonMap) => {
    const { aws, context, answers } = setUp();
    const { id } = aws.control.put(QUEUE, { QueueName: "strangers", ...there });
    answers((target) =>
      target === "CreateResource"
        ? event({ Operation: "CREATE", OperationStatus: "SUCCESS", Identifier: id })
        : undefined,
    );
    let nowMs = Date.now();
    const late = { ...context, now: () => nowMs };
    const call = {
      type: `aws:${QUEUE}`,
      name: "n",
      properties: { QueueName: "strangers" },
      token: "t",
    };
    let outcome = await provider.create(late, call);
    for (let polls = 0; outcome.kind === "pending" && polls < 20; polls += 1) {
      nowMs += 10_000;
      const { handle } = outcome;
      outcome = await provider.poll(late, { ...call, verb: "create", handle, id });
    }
    return { outcome, id, waitedMs: nowMs - Date.now() };
  };
  const taken = { kind: "failed", code: "already_exists", means: "exists", retryable: false };
  const tagged = (Value: string) => ({ Tags: [{ Key: "control:create", Value }] });

  it("is not believed for an object that has the mark of another create", async () => {
    const { outcome } = await createAt(tagged("another"));
    expect(outcome).toMatchObject({ ...taken, unknownOutcome: false });
    expect(outcome).not.toHaveProperty("id");
  });

  it("is not believed for an object without a mark: it is waited for, then nobody can tell", async () => {
    const { outcome, waitedMs } = await createAt({});
    expect(outcome).toMatchObject({ ...taken, unknownOutcome: true });
    expect(outcome).not.toHaveProperty("id");
    expect(waitedMs).toBeGreaterThan(55_000);
  });

  it("is believed for the object that has its mark", async () => {
    const { outcome, id } = await createAt(tagged("t"));
    expect(outcome).toMatchObject({ kind: "done", id });
  });
});
