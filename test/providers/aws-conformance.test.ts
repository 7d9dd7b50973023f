import { env } from "cloudflare:workers";
import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { awsProvider as makeProvider } from "#providers/aws/aws-provider.ts";
import { partOf } from "#test/support/depth.ts";
import { describedTypes } from "./aws/described-type.ts";
import { FakeAws } from "./aws/fake-aws.ts";
import type {
  ConformanceCloud,
  ConformanceScript,
  ConformanceSubject,
  Refusal,
} from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";

const awsProvider = makeProvider();

const HOUR_MS = 3_600_000;

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

/** Each call gets its own cloud, empty, at its own time. */
function cloudOf(
  name: string,
  script: ConformanceScript,
  foreign: (name: string, at: number) => JsonMap,
): ConformanceCloud {
  let aheadMs = 0;
  const aws = new FakeAws(types, {
    now: () => Date.now() + aheadMs,
    operationMs: script.slow ? HOUR_MS : 0,
    endsFailed: script.endsFailed ?? false,
    listLagMs: script.listLagMs ?? 0,
    faults: (script.faults ?? []).map((fault) => ({ collection: name, ...fault })),
    region: "eu-central-1",
  });
  const origins = new Set<string>();
  return {
    context: aws.context({
      fetch: (request) => {
        origins.add(new URL(request.url).origin);
        return aws.fetch(request);
      },
    }),
    existing: async () => aws.control.living(name).map(({ id }) => id),
    finish: async () => aws.control.finish(),
    addForeign: (wanted, count) => {
      for (let at = 0; at < count; at += 1) aws.control.put(name, foreign(wanted, at));
    },
    advance: (ms) => {
      aheadMs += ms;
    },
    origins: () => origins,
  };
}

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals">;
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
      cloud: (script) =>
        cloudOf(subject.type.replace("aws:", ""), script, (name, at) =>
          subject.properties(at === 0 ? name : subject.uniqueNames ? `${name}-${at}` : name),
        ),
    });
  });
