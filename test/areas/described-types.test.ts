/** Types that are known by their vendors' descriptions alone: those of AWS, of which a test run has all. */
import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Diagnostic } from "#engine/diagnostics.ts";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, send } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";

const tenant = await makeTenant();

async function check(source: string): Promise<{ valid: boolean; diagnostics: Diagnostic[] }> {
  const answer = await tenant.post("/templates/validate", { source });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const places = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ severity, code, line, column, hint }) => [severity, code, line, column, hint]);

/** Ten types, whose rows say nothing of their shape. */
const TEN = `
name: ten
config:
  names: { type: array, default: [a.example.com] }
resources:
  bucket:
    type: aws:AWS::S3::Bucket
    properties:
      BucketEncryption:
        ServerSideEncryptionConfiguration:
          - ServerSideEncryptionByDefault: { SSEAlgorithm: aws:kms }
      VersioningConfiguration: { Status: Enabled }
      Tags: [{ Key: team, Value: web }]
  queue: { type: aws:AWS::SQS::Queue, properties: { DelaySeconds: 5, RedrivePolicy: { maxReceiveCount: 3 } } }
  topic: { type: aws:AWS::SNS::Topic, properties: { Subscription: [{ Endpoint: "\${queue.Arn}", Protocol: sqs }] } }
  table:
    type: aws:AWS::DynamoDB::Table
    properties:
      KeySchema: [{ AttributeName: id, KeyType: HASH }]
      AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
      BillingMode: PAY_PER_REQUEST
  role:
    type: aws:AWS::IAM::Role
    properties: { AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [] } }
  fn:
    type: aws:AWS::Lambda::Function
    properties:
      Role: "\${role.Arn}"
      Code: { ZipFile: "exports.handler = () => 1" }
      Environment: { Variables: { TABLE: "\${table.Arn}", names: { "fn::join": [",", "\${names}"] } } }
  vpc: { type: aws:AWS::EC2::VPC, properties: { CidrBlock: 10.0.0.0/16 } }
  subnet: { type: aws:AWS::EC2::Subnet, properties: { VpcId: "\${vpc.VpcId}", CidrBlock: 10.0.1.0/24 } }
  key: { type: aws:AWS::KMS::Key, properties: { EnableKeyRotation: true } }
  certificate:
    type: aws:AWS::CertificateManager::Certificate
    properties: { DomainName: a.example.com, SubjectAlternativeNames: "\${names}", ValidationMethod: DNS }
outputs:
  arn: \${bucket.Arn}
  stream: \${table.StreamArn}
`;

describe("a template of ten described types", () => {
  it("has nothing wrong", async () => {
    const { valid, diagnostics } = await check(TEN);
    expect(valid).toBe(true);
    expect(places(diagnostics)).toEqual([]);
  });

  it.for([
    [
      "a nested property",
      "VersioningConfiguration: { Status: Enabled }",
      "VersioningConfiguration: { Statsu: Enabled }",
      ["error", "unknown_property", 12, 34, 'Did you mean "Status"?'],
    ],
    [
      "an enum",
      "SSEAlgorithm: aws:kms ",
      "SSEAlgorithm: aws:kmss ",
      ["error", "property_value", 11, 60, 'Did you mean "aws:kms"?'],
    ],
    [
      "an output",
      "arn: ${bucket.Arn}",
      "arn: ${bucket.Arm}",
      ["error", "unknown_output", 38, 8, 'Did you mean "Arn"?'],
    ],
    [
      "a type",
      "aws:AWS::SQS::Queue",
      "aws:AWS::SQS::Queeu",
      ["error", "unknown_type", 14, 18, 'Did you mean "aws:AWS::SQS::Queue"?'],
    ],
    [
      "a type without its provider",
      "type: aws:AWS::KMS::Key",
      "type: AWS::KMS::Key",
      ["error", "unknown_type", 33, 16, 'Did you mean "aws:AWS::KMS::Key"?'],
    ],
  ] as const)("gets one message for a mistake in %s", async ([, right, wrong, place]) => {
    expect(TEN).toContain(right);
    const { valid, diagnostics } = await check(TEN.replace(right, wrong));
    expect(valid).toBe(false);
    expect(places(diagnostics.filter(({ severity }) => severity === "error"))).toEqual([place]);
  });

  it("is refused with its mistakes when it is stored, and stored without", async () => {
    const wrong = TEN.replace("KeyType: HASH", "KeyTyp: HASH");
    const refused = await tenant.post("/templates", { name: "ten", source: wrong });
    expect([refused.status, refused.body.code]).toEqual([400, "template_invalid"]);
    expect(refused.body.errors[0].detail).toContain('Did you mean "KeyType"?');
    const stored = await tenant.post("/templates", { name: "ten", source: TEN });
    expect(stored.status, stored.text).toBe(201);
    expect(stored.body.diagnostics).toEqual([]);
  });

  it("fails to deploy at a target of another provider, which says so", async () => {
    const [templateId, targetId] = [await makeTemplate(tenant, TEN), await makeTarget(tenant)];
    const ended = await run(tenant, await makeInstance(tenant, templateId, targetId), "deploy");
    expect(ended.body).toMatchObject({
      state: "FAILED",
      error: {
        message: expect.stringContaining("The target's provider, mock, has no type aws:") as string,
      },
    });
  });
});

describe("types without a description", () => {
  it.for([
    ["azure:Microsoft.NoSuch/things@2024-01-01", "warning", "type_unchecked", 1],
    ["azure:Microsoft.NoSuch/things", "error", "version_required", 1],
    ["azure:things", "error", "unknown_type", 1],
    ["gcp:nosuch/Thing", "error", "unknown_type", 1],
  ] as const)("%s: a %s %s", async ([type, severity, code, count]) => {
    const { diagnostics } = await check(
      `resources: { a: { type: "${type}", properties: { x: 1 } } }`,
    );
    const found = diagnostics.find((one) => one.code === code);
    expect(found).toMatchObject({ severity, line: 1, column: 25 });
    expect(diagnostics.length).toBe(count);
  });

  it.for([
    [
      "Microsoft.Storage/storageAccounts@2024-01-01",
      "azure:Microsoft.Storage/storageAccounts@2024-01-01",
    ],
    ["compute.googleapis.com/Instance", "gcp:compute/Instance"],
    ["aws::s3::bucket", "aws:AWS::S3::Bucket"],
  ])("%s is answered with what to write", async ([type, meant]) => {
    const { diagnostics } = await check(`resources: { a: { type: "${type}" } }`);
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "unknown_type", hint: `Did you mean "${meant}"?` },
    ]);
  });
});

describe("GET /cloud/providers/{provider}/types", () => {
  const types = (path: string) => tenant.get(`/cloud/providers/${path}`);

  it("finds described and verified types by a part of their names", async () => {
    const { body } = await types("aws/types?q=s3::bucket&limit=2");
    expect(body.data).toEqual([
      { type: "aws:AWS::S3::Bucket", knowledge: "verified" },
      { type: "aws:AWS::S3::BucketPolicy", knowledge: "verified" },
    ]);
    expect(body.nextCursor).toBeNull();
    expect((await types("mock/types?q=SERVER")).body.data).toEqual([
      { type: "mock:Server", knowledge: "verified" },
    ]);
  });

  it("finds the types whose names end almost like a text that none contains", async () => {
    for (const [path, type] of [
      ["aws/types?q=S3::Bukcet", "aws:AWS::S3::Bucket"],
      ["aws/types?q=AWS::S3:Bukcet", "aws:AWS::S3::Bucket"],
      ["mock/types?q=servre", "mock:Server"],
    ] as const) {
      const { body } = await types(path);
      expect(
        body.data.map((one: { type: string }) => one.type),
        path,
      ).toEqual([type]);
    }
    expect((await types("aws/types?q=nothing-like-it")).body.data).toEqual([]);
  });

  it("says which provider is meant", async () => {
    const { status, body } = await types("digitalocan/types");
    expect(status).toBe(404);
    expect(body.detail).toBe('There is no such provider. Did you mean "digitalocean"?');
  });

  it("has more than 1,500 types of AWS, on pages", async () => {
    const seen = new Set<string>();
    for (let cursor = ""; ;) {
      const { body } = await types(`aws/types?limit=100${cursor}`);
      for (const { type } of body.data) seen.add(type);
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen.size).toBeGreaterThan(1500);
  });

  it("has none of a provider of another name", async () => {
    for (const name of ["nothing", "constructor", "AWS", "../aws"])
      expect((await types(`${encodeURIComponent(name)}/types`)).status).toBe(404);
  });

  it("does not go on with the cursor of another provider", async () => {
    const { body } = await types("aws/types?limit=1");
    const other = await types(`mock/types?limit=1&cursor=${body.nextCursor}`);
    expect([other.status, other.body.code]).toEqual([400, "invalid_cursor"]);
  });
});

describe("GET /templates/schema?types=", () => {
  const schema = (query: string) => send("GET", `/templates/schema${query}`);

  it("adds the types, with all that is nested in them", async () => {
    const plain = await schema("");
    const more = await schema("?types=aws:AWS::S3::Bucket,aws:AWS::WAFv2::WebACL");
    expect(more.status, more.text).toBe(200);
    expect(more.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    expect(more.body.$id).toContain("?types=");
    const validator = new Validator(more.body as JsonMap, "2020-12");
    const sound = (properties: string, type = "S3::Bucket") =>
      validator.validate(
        parse(`resources: { a: { type: "aws:AWS::${type}", properties: ${properties} } }`),
      ).valid;
    expect(sound("{ VersioningConfiguration: { Status: Enabled } }")).toBe(true);
    expect(sound("{ VersioningConfiguration: { Status: '${x}' } }")).toBe(true);
    expect(sound("{ VersioningConfiguration: { Statsu: Enabled } }")).toBe(false);
    expect(sound("{ VersioningConfiguration: { Status: Enabld } }")).toBe(false);
    expect(sound("{ Tags: [{ Value: x }] }")).toBe(false);
    expect(sound("{ Tags: { 'fn::split': [',', a] } }")).toBe(true);
    expect(sound("{ Arn: x }")).toBe(false);
    expect(sound("{}", "SQS::Queue")).toBe(true);
  });

  it("refuses a type that is not known, with the nearest one, and too many", async () => {
    const { status, body } = await schema("?types=aws:AWS::S3::Bukcet");
    expect([status, body.code]).toEqual([400, "validation_failed"]);
    expect(body.errors[0]).toMatchObject({ in: "query", pointer: "/types", code: "unknown_type" });
    expect(body.errors[0].detail).toContain('"aws:AWS::S3::Bucket"');
    const many = Array.from({ length: 51 }, (_, index) => `mock:T${index}`).join(",");
    expect((await schema(`?types=${many}`)).status).toBe(400);
  });
});

describe("a type whose row does not list its outputs, which its vendor describes", () => {
  it.for([
    ["vultr:Instance", "main_ipp", "main_ip"],
    ["vultr:Database", "hostt", "host"],
    ["magalu:PublicIp", "public_ipp", "public_ip"],
    ["render:Postgres", "connectionInfos", "connectionInfo"],
    ["vercel:Deployment", "readyStat", "readyState"],
    ["supabase:Project", "databse", "database"],
    ["coreweave:Cluster", "apiServerEndpont", "apiServerEndpoint"],
  ])("%s refuses a misspelt one, and takes what the vendor shows", async ([type, wrong, right]) => {
    const source = (output: string) =>
      `resources:\n  web: { type: ${type}, properties: {} }\noutputs:\n  o: "a \${web.${output}}"\n`;
    const unknown = async (output: string) => {
      const { diagnostics } = await check(source(output));
      return places(diagnostics.filter(({ code }) => code === "unknown_output"));
    };
    expect(await unknown(String(wrong))).toEqual([
      ["error", "unknown_output", 4, 9, `Did you mean "${right}"?`],
    ]);
    expect(await unknown(String(right))).toEqual([]);
    expect(await unknown("something_new")).toEqual([
      ["warning", "unknown_output", 4, 9, expect.stringContaining("Its outputs are id, ")],
    ]);
  });
});
