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
