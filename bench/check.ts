/**
 * Latency of checking a template of 100 resources over 30 services of AWS, whose descriptions the isolate has read
 * before, compared with the same number of resources of the mock provider. Both are measured alternately in one run.
 */
import { printTable } from "./print-table.ts";
import { median, quantile } from "./ratio.ts";
import { startWorkers, type Workers } from "./start-workers.ts";
import { makeTenant } from "./tenant.ts";

const ROUNDS = 60;
const WARM_UP_ROUNDS = 20;
const RESOURCES = 100;
const MAX_MS = 150;

/** A type of each of 30 services, with properties that are right. */
const types: readonly (readonly [type: string, properties: string])[] = [
  ["S3::Bucket", "VersioningConfiguration: { Status: Enabled }, Tags: [{ Key: a, Value: b }]"],
  ["SQS::Queue", "DelaySeconds: 5"],
  ["SNS::Topic", "Subscription: [{ Endpoint: a, Protocol: sqs }]"],
  ["DynamoDB::Table", "KeySchema: [{ AttributeName: id, KeyType: HASH }]"],
  ["IAM::Role", "AssumeRolePolicyDocument: { Version: a }"],
  ["Lambda::Function", "Role: a, Code: { ZipFile: b }, Timeout: 5"],
  ["EC2::VPC", "CidrBlock: 10.0.0.0/16, Tags: [{ Key: a, Value: b }]"],
  ["KMS::Key", "EnableKeyRotation: true"],
  ["CertificateManager::Certificate", "DomainName: a.example.com"],
  ["RDS::DBInstance", "Engine: postgres, AllocatedStorage: '20'"],
  ["ECS::Cluster", "ClusterSettings: [{ Name: containerInsights, Value: enabled }]"],
  ["EKS::Cluster", "RoleArn: a, ResourcesVpcConfig: { SubnetIds: [b] }"],
  ["ECR::Repository", "ImageScanningConfiguration: { ScanOnPush: true }"],
  ["ElastiCache::SubnetGroup", "Description: a, SubnetIds: [b]"],
  ["ElasticLoadBalancingV2::LoadBalancer", "Scheme: internal, Subnets: [a]"],
  ["ApiGatewayV2::Api", "Name: a, ProtocolType: HTTP, CorsConfiguration: { MaxAge: 5 }"],
  [
    "CloudFront::Distribution",
    "DistributionConfig: { Enabled: true, DefaultCacheBehavior: { TargetOriginId: a, ViewerProtocolPolicy: allow-all } }",
  ],
  ["Route53::HostedZone", "Name: example.com, HostedZoneConfig: { Comment: a }"],
  ["SecretsManager::Secret", "GenerateSecretString: { PasswordLength: 32 }"],
  ["Events::Rule", "ScheduleExpression: rate(1 day), State: ENABLED"],
  ["Logs::LogGroup", "RetentionInDays: 7"],
  ["CloudWatch::Alarm", "ComparisonOperator: GreaterThanThreshold, EvaluationPeriods: 1"],
  ["StepFunctions::StateMachine", "RoleArn: a, LoggingConfiguration: { Level: ALL }"],
  ["Kinesis::Stream", "ShardCount: 1, StreamModeDetails: { StreamMode: PROVISIONED }"],
  ["EFS::FileSystem", "Encrypted: true, LifecyclePolicies: [{ TransitionToIA: AFTER_7_DAYS }]"],
  ["Cognito::UserPool", "Policies: { PasswordPolicy: { MinimumLength: 12 } }"],
  ["WAFv2::IPSet", "Addresses: [10.0.0.0/8], IPAddressVersion: IPV4, Scope: REGIONAL"],
  ["SSM::Parameter", "Type: String, Value: a"],
  ["Glue::Job", "Role: a, Command: { Name: glueetl }"],
  ["MSK::Configuration", "Name: a, ServerProperties: b"],
];

function template(typeOf: (index: number) => string): string {
  const lines = Array.from({ length: RESOURCES }, (_, index) => `  r${index}: ${typeOf(index)}`);
  return `name: wide\nresources:\n${lines.join("\n")}\n`;
}

const ofAws = template((index) => {
  const [type, properties] = types[index % types.length] ?? ["", ""];
  return `{ type: "aws:AWS::${type}", properties: { ${properties} } }`;
});
const ofMock = template((index) => {
  const [, properties] = types[index % types.length] ?? ["", ""];
  return `{ type: "mock:Server", properties: { name: r${index}, environment: { ${properties} } } }`;
});

/** Returns true when the result is within its limit. `workers` have assets. */
export async function benchCheck(workers: Workers): Promise<boolean> {
  const { client } = await makeTenant(workers);
  const check = async (source: string): Promise<number> => {
    const fromMs = performance.now();
    const { valid, diagnostics } = await client.post<Validation>("/templates/validate", { source });
    const tookMs = performance.now() - fromMs;
    if (!valid) throw new Error(`The template has mistakes: ${JSON.stringify(diagnostics)}`);
    return tookMs;
  };
  const firstMs = await check(ofAws);
  const [aws, mock]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const [mockMs, awsMs] = [await check(ofMock), await check(ofAws)];
    if (round < WARM_UP_ROUNDS) continue;
    mock.push(mockMs);
    aws.push(awsMs);
  }
  const row = (name: string, values: readonly number[]) => [
    name,
    ...[0.5, 0.95].map((share) => `${quantile(values, share).toFixed(1)} ms`),
  ];
  printTable(
    `Check of a template of ${RESOURCES} resources (${ROUNDS} rounds, one at a time)`,
    ["", "p50", "p95"],
    [
      row("mock:Server", mock),
      row(`${types.length} services of AWS`, aws),
      ["ratio", (median(aws) / median(mock)).toFixed(2), ""],
      ["the first, which reads the descriptions", `${firstMs.toFixed(1)} ms`, ""],
      ["limit", `${MAX_MS} ms`, ""],
    ],
  );
  return median(aws) <= MAX_MS;
}

interface Validation {
  valid: boolean;
  diagnostics: readonly unknown[];
}

if (import.meta.main) {
  const workers = await startWorkers({}, { assets: true });
  try {
    if (!(await benchCheck(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
