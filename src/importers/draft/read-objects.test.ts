import { expect, it } from "vitest";
import { parse } from "yaml";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import type { JsonMap } from "#platform/json.ts";
import { builtAssets } from "#test/support/built-assets.ts";

it("keeps the objects that a Pulumi program only reads", async () => {
  const text = `name: p
runtime: yaml
config:
  own: { type: string }
resources:
  vpc:
    type: aws-native:ec2:Vpc
    get:
      id: vpc-1
      state: { cidrBlock: 10.0.0.0/16 }
    options: { protect: true, dependsOn: ["\${queue}"] }
  given:
    type: aws-native:ec2:Vpc
    get: { id: "\${own}" }
  other:
    type: random:RandomPet
    get: { id: pet }
  subnet:
    type: aws-native:ec2:Subnet
    properties: { vpcId: "\${vpc.id}", cidrBlock: "\${given.cidrBlock}" }
  queue:
    type: aws-native:sqs:Queue
    properties: { queueName: "\${other.id}" }
outputs:
  range: \${vpc.cidrBlock}
`;
  const { drafts } = await readImport([{ path: "Pulumi.yaml", text }], undefined, new ImportLog(), {
    adopt: false,
    assets: builtAssets,
  });
  const [draft] = drafts;
  const { resources, outputs, config } = parse(draft?.source ?? "") as JsonMap;
  expect(resources).toEqual({
    vpc: {
      type: "aws:AWS::EC2::VPC",
      get: { id: "vpc-1" },
      options: { dependsOn: ["${queue}"] },
    },
    given: { type: "aws:AWS::EC2::VPC", get: { id: "${own}" } },
    subnet: {
      type: "aws:AWS::EC2::Subnet",
      properties: { VpcId: "${vpc.id}", CidrBlock: "${given.CidrBlock}" },
    },
    queue: { type: "aws:AWS::SQS::Queue", properties: { QueueName: "${otherId}" } },
  });
  expect(outputs).toEqual({ range: "${vpc.CidrBlock}" });
  expect(config).toEqual({ own: { type: "string" }, otherId: { type: "string" } });
  expect(draft?.unsupported.map(({ address, path, line }) => [address, path, line])).toEqual([
    // The template's check knows no such type.
    ["other", null, 15],
    ["vpc", "get.state", 10],
    ["vpc", "options.protect", 6],
  ]);
  expect(draft).toMatchObject({ mapped: 2, partlyMapped: 0, notMapped: 0 });
});
