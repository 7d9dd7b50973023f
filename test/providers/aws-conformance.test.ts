import { env } from "cloudflare:workers";
import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { awsProvider as makeProvider } from "#providers/aws/aws-provider.ts";
import { partOf } from "#test/support/depth.ts";
import { describedTypes } from "./aws/described-type.ts";
import { FakeAws } from "./aws/fake-aws.ts";
import { conformanceCloud, foreignName } from "./conformance-cloud.ts";
import type {
  ConformanceCloud,
  ConformanceScript,
  ConformanceSubject,
  Refusal,
} from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";

const awsProvider = makeProvider();

const said = (code: string, Message = "no"): JsonMap => ({
  __type: `com.amazonaws.cloudcontrol#${code}`,
  Message,
});

const refusals: readonly Refusal[] = [
  { on: "create", status: 400, body: said("UnrecognizedClientException"), means: "denied" },
  { on: "create", status: 400, body: said("AccessDeniedException"), means: "denied" },
  { on: "create", status: 400, body: said("ServiceLimitExceededException"), means: "quota" },
  { on: "create", status: 400, body: said("ThrottlingException"), means: "throttled" },
  { on: "create", status: 400, body: said("ValidationException"), means: "invalid" },
  { on: "create", status: 404, body: said("TypeNotFoundException"), means: "invalid" },
  { on: "create", status: 405, body: said("UnsupportedActionException"), means: "invalid" },
  { on: "create", status: 500, body: said("ConcurrentModificationException"), means: "busy" },
  { on: "update", status: 409, body: said("ConcurrentOperationException"), means: "busy" },
  { on: "update", status: 400, body: said("NotUpdatableException"), means: "invalid" },
  { on: "delete", status: 409, body: said("ResourceConflictException"), means: "busy" },
  { on: "delete", status: 400, body: said("ResourceNotFoundException"), means: "gone" },
  { on: "delete", status: 404, body: said("ResourceNotFoundException"), means: "gone" },
  { on: "read", status: 404, body: { message: "a proxy's own" }, means: "invalid" },
  { on: "read", status: 400, body: said("AccessDeniedException"), means: "denied" },
];

const names = ["AWS::EC2::VPC", "AWS::S3::Bucket", "AWS::RDS::DBInstance", "AWS::EKS::Nodegroup"];
const types = await describedTypes(names, env.ASSETS);

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals">;

function cloudOf(
  { type, properties, uniqueNames }: Subject,
  script: ConformanceScript,
): ConformanceCloud {
  const name = type.replace("aws:", "");
  return conformanceCloud(name, script, ({ readyAfterMs: operationMs, ...options }) => {
    const aws = new FakeAws(types, { ...options, operationMs, region: "eu-central-1" });
    return {
      context: (more) => aws.context(more),
      fetch: aws.fetch,
      living: () => aws.control.living(name).map(({ id }) => id),
      finish: () => aws.control.finish(),
      put: (wanted, at) => aws.control.put(name, properties(foreignName(wanted, at, uniqueNames))),
    };
  });
}

const team = (Value: string): JsonMap => ({
  Tags: [
    { Key: "team", Value },
    { Key: "a", Value: "b" },
  ],
});
const database = {
  Engine: "postgres",
  DBInstanceClass: "db.t4g.micro",
  MasterUserPassword: "canary-pw",
};
const nodes = { ClusterName: "c", NodeRole: "arn:aws:iam::123456789012:role/n", Subnets: ["s-1"] };

const subjects: readonly Subject[] = [
  {
    type: "aws:AWS::EC2::VPC",
    properties: () => ({ CidrBlock: "10.0.0.0/16" }),
    changed: () => ({ CidrBlock: "10.0.0.0/16", ...team("web") }),
    immutableChanged: () => ({ CidrBlock: "10.1.0.0/16" }),
    missingId: "vpc-none",
    readyAtOnce: true,
  },
  {
    type: "aws:AWS::S3::Bucket",
    properties: (BucketName) => ({ BucketName, ...team("web") }),
    changed: (BucketName) => ({
      BucketName,
      ...team("shop"),
      VersioningConfiguration: { Status: "Enabled" },
    }),
    missingId: "no-such-bucket",
    uniqueNames: true,
    placed: true,
    readyAtOnce: true,
  },
  {
    type: "aws:AWS::RDS::DBInstance",
    properties: (DBInstanceIdentifier) => ({ DBInstanceIdentifier, ...database, ...team("web") }),
    changed: (DBInstanceIdentifier) => ({
      DBInstanceIdentifier,
      ...database,
      ...team("web"),
      BackupRetentionPeriod: 7,
    }),
    missingId: "no-such-database",
    uniqueNames: true,
    placed: true,
  },
  {
    type: "aws:AWS::EKS::Nodegroup",
    properties: (NodegroupName) => ({ NodegroupName, ...nodes, Tags: { team: "web" } }),
    changed: (NodegroupName) => ({ NodegroupName, ...nodes, Tags: { team: "shop" } }),
    missingId: "none",
    readyAtOnce: true,
  },
];

for (const subject of partOf(subjects, 2))
  describe(`the conformance of ${subject.type}`, () => {
    providerConformance({
      ...subject,
      provider: awsProvider,
      refusals,
      cloud: (script) => cloudOf(subject, script),
    });
  });
