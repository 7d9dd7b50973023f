import { expect, it } from "vitest";
import type { Draft } from "#importers/draft/values/draft.ts";
import { drafted } from "#test/support/drafted.ts";

/** A template of about 90,000 characters as a draft. */
const large = (more: string) => `Parameters:
  Env: { Type: String }
  Zones: { Type: CommaDelimitedList, Default: "a,b" }
  Pw: { Type: String, NoEcho: true, Default: canary-default }
Resources:
${more}
${Array.from(
  { length: 60 },
  (_, at) =>
    `  Topic${at}: { Type: AWS::SNS::Topic, Properties: { TopicName: !Sub "\${AWS::StackName}-${at}", DisplayName: "${"long text ".repeat(140)}" } }`,
).join("\n")}
Outputs:
  Name: { Value: !GetAtt Topic0.TopicName }
  Pair: { Value: !Join [",", [x, !Ref Topic1]] }
`;
const stack = (file: string, more: string) =>
  `{ Type: AWS::CloudFormation::Stack, ${more}Properties: { TemplateURL: ${file}, Parameters: { Env: !Ref Env, Zones: !Join [",", [!Ref Env, c]], Pw: canary-given } } }`;

const parts = {
  "one.yaml": large(
    `  First: { Type: AWS::SNS::Topic, Properties: { TopicName: !Select [0, !Ref Zones], KmsMasterKeyId: !Ref "AWS::AccountId" } }
  Word: { Type: AWS::SSM::Parameter, Properties: { Name: w, Type: String, Value: !Ref Pw } }`,
  ),
  "two.yaml": large("  First: { Type: AWS::SNS::Topic, Properties: { TopicName: !Ref Env } }"),
  "three.yaml":
    large(`  Owned: { Type: AWS::SNS::Topic, Properties: { TopicName: !Ref "AWS::AccountId" } }
  Below: ${stack("two.yaml", "")}`),
};
const root = `Parameters: { Env: { Type: String, Default: dev } }
Conditions: { IsProd: !Equals [!Ref Env, prod] }
Resources:
  Net: ${stack("one.yaml", "")}
  Three: ${stack("three.yaml", "Condition: IsProd, DependsOn: Net, ")}
  Group:
    Type: AWS::RDS::DBSubnetGroup
    Properties:
      DBSubnetGroupDescription: !GetAtt Net.Outputs.Name
      SubnetIds: !Split [",", !GetAtt Net.Outputs.Pair]
  Reader:
    Type: AWS::SNS::Topic
    Condition: IsProd
    Properties: { TopicName: !GetAtt Three.Outputs.Name }
`;

it("nested stacks that are too large in place become components, and nothing is left out", async () => {
  const made = await drafted({ "root.yaml": root, ...parts });
  expect(made.drafts).toEqual(["root.yaml", "one.yaml", "two.yaml", "three.yaml"]);
  expect(made.resources).toMatchObject({
    net: {
      component: "one",
      version: "^1.0.0",
      properties: {
        awsAccountId: "${awsAccountId}",
        zones: ["${env}", "c"],
        awsStackName: "${control.instance.name}-Net",
      },
    },
    three: {
      component: "three",
      when: "${isProd}",
      properties: {
        awsAccountId: "${awsAccountId}",
        awsStackName: "${control.instance.name}-Three",
      },
      options: { dependsOn: ["${net}"] },
    },
    group: {
      properties: {
        DBSubnetGroupDescription: "${net.Name}",
        SubnetIds: '${net.Pair.split(",")}',
      },
    },
    reader: { when: "${isProd}", properties: { TopicName: "${three.Name}" } },
  });
  const [reading] = JSON.parse(made.text) as [{ drafts: Draft[] }];
  const [, ...components] = reading.drafts;
  expect(components.map(({ mapped, release }) => [mapped, release])).toEqual([
    [62, "1.0.0"],
    [61, "1.0.0"],
    [61, "1.0.0"],
  ]);
  expect(components[0]?.source).toContain("${awsStackName}-0");
  expect(components[2]?.source).toContain("${awsStackName}-Below");
  expect(made.text).not.toContain("canary");
});

it("a nested stack of which no component can be made is a gap, and has a draft with its own", async () => {
  const made = await drafted({
    "root.yaml": root.replace("  Group:", `  Only: ${stack("only.yaml", "")}\n  Group:`),
    ...parts,
    "only.yaml": "Resources: { Own: { Type: Custom::Own } }\n",
  });
  expect(made.drafts).toContain("only.yaml");
  expect(made.lost?.map(([address]) => address)).toContain("module.Only");
  const [reading] = JSON.parse(made.text) as [{ drafts: Draft[] }];
  const only = reading.drafts.find(({ module }) => module === "only.yaml");
  expect(only).toMatchObject({ source: null, unsupported: [{ address: "Own" }] });
});

it("nested stacks that fit stay in place", async () => {
  const small = `Resources: { Topic: { Type: AWS::SNS::Topic, Properties: { TopicName: !Ref "AWS::StackName" } } }\n`;
  const made = await drafted({
    "root.yaml": `Parameters: { Env: { Type: String } }\nResources:\n  One: ${stack("one.yaml", "")}\n`,
    "one.yaml": small,
  });
  expect(made.drafts).toEqual(["root.yaml"]);
  expect(made.resources["oneTopic"]).toMatchObject({
    properties: { TopicName: "${control.instance.name}-One" },
  });
});
