import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { drafted } from "#test/support/drafted.ts";

it("drafts a nested stack in place, with what its parent gives and reads", async () => {
  const { resources, outputs, config, lost, drafts } = await drafted({
    "app/root.yaml": `Parameters:
  Env: { Type: String, Default: dev }
Conditions:
  IsProd: !Equals [!Ref Env, prod]
Resources:
  Net:
    Type: AWS::CloudFormation::Stack
    Properties:
      TemplateURL: !Sub https://s3.amazonaws.com/\${AWS::AccountId}/parts/net.yaml
      Parameters: { Count: "2", Zones: !Join [",", [a, !Ref Env]], Pw: canary-given }
  Alarms:
    Type: AWS::CloudFormation::Stack
    Condition: IsProd
    DependsOn: Net
    DeletionPolicy: Retain
    Properties: { TemplateURL: ../parts/alarms.yaml, Tags: [{ Key: a, Value: b }] }
  Group:
    Type: AWS::RDS::DBSubnetGroup
    Properties:
      DBSubnetGroupDescription: !GetAtt Net.Outputs.Name
      SubnetIds: !Split [",", !GetAtt Net.Outputs.Pair]
Outputs:
  Name: { Value: !GetAtt Net.Outputs.Name }
`,
    "parts/net.yaml": `Parameters:
  Count: { Type: Number }
  Zones: { Type: CommaDelimitedList }
  Pw: { Type: String, NoEcho: true }
Conditions:
  IsTwo: !Equals [!Ref Count, 2]
Resources:
  Topic: { Type: AWS::SNS::Topic, Condition: IsTwo, Properties: { TopicName: !Select [1, !Ref Zones] } }
  Other: { Type: AWS::SNS::Topic, Properties: { TopicName: !Sub "\${AWS::StackName}-t" } }
Outputs:
  Name: { Value: !GetAtt Topic.TopicName }
  Pair: { Value: !Join [",", [x, !Ref Topic]] }
`,
    "parts/alarms.yaml": `Resources:
  Alarm: { Type: AWS::SNS::Topic, Properties: { TopicName: alarms } }
`,
  });
  expect(drafts).toEqual(["app/root.yaml"]);
  expect(Object.keys(config)).toEqual(["env"]);
  expect(resources).toEqual({
    netTopic: { type: "aws:AWS::SNS::Topic", properties: { TopicName: "${env}" } },
    netOther: {
      type: "aws:AWS::SNS::Topic",
      properties: { TopicName: "${control.instance.name}-Net-t" },
    },
    alarmsAlarm: {
      type: "aws:AWS::SNS::Topic",
      when: "${isProd}",
      properties: { TopicName: "alarms" },
      options: { dependsOn: ["${netTopic}", "${netOther}"] },
    },
    group: {
      type: "aws:AWS::RDS::DBSubnetGroup",
      properties: {
        DBSubnetGroupDescription: "${netTopic.TopicName}",
        SubnetIds: ["x", "${netTopic.id}"],
      },
    },
  });
  expect(outputs).toEqual({ Name: "${netTopic.TopicName}" });
  expect(lost).toEqual([
    ["Alarms", "DeletionPolicy", 15],
    ["Alarms", "Tags", 16],
  ]);
});

it("keeps a stack whose template is elsewhere, and no literal for a secret of a nested one", async () => {
  const { text, resources } = await drafted({
    "root.yaml": `Resources:
  Far: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: https://b.s3.amazonaws.com/x.yaml } }
  Near: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: child.yaml, Parameters: { Word: canary-a } } }
`,
    "child.yaml": `Parameters: { Word: { Type: String, NoEcho: true } }
Resources:
  Param: { Type: AWS::SSM::Parameter, Properties: { Name: p, Type: String, Value: !Ref Word } }
`,
  });
  expect(Object.keys(resources)).toEqual(["far", "nearParam"]);
  expect(text).not.toContain("canary");
});

it("takes apart the texts that a stack passes on for a list", async () => {
  const { resources, lost } = await drafted({
    "root.yaml": `Parameters: { Own: { Type: List<AWS::EC2::Subnet::Id> }, Text: { Type: String } }
Resources:
  A: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: middle.yaml, Parameters: { Nets: !Join [",", !Ref Own] } } }
  B: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: middle.yaml, Parameters: { Nets: !Ref Text } } }
  C: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: middle.yaml, Parameters: { Nets: "x,y" } } }
  D: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: leaf.yaml, Parameters: { Nets: !Ref Own } } }
`,
    "middle.yaml": `Parameters: { Nets: { Type: String } }
Resources:
  Leaf: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: leaf.yaml, Parameters: { Nets: !Ref Nets } } }
`,
    "leaf.yaml": `Parameters: { Nets: { Type: CommaDelimitedList } }
Resources:
  Group: { Type: AWS::RDS::DBSubnetGroup, Properties: { DBSubnetGroupDescription: d, SubnetIds: !Ref Nets } }
`,
  });
  const nets = Object.fromEntries(
    Object.entries(resources).map(([name, one]) => [
      name,
      (one as { properties: JsonMap }).properties["SubnetIds"],
    ]),
  );
  expect(nets).toEqual({
    aLeafGroup: "${own}",
    bLeafGroup: '${text.split(",")}',
    cLeafGroup: ["x", "y"],
    dGroup: "${own}",
  });
  expect(lost).toEqual([]);
});

it("drafts an application of AWS SAM in place, like a nested stack", async () => {
  const { resources, lost, text } = await drafted({
    "template.yaml": `Transform: AWS::Serverless-2016-10-31
Resources:
  App:
    Type: AWS::Serverless::Application
    Properties: { Location: ./app.yaml, Parameters: { Pw: canary-app, Name: shop }, TimeoutInMinutes: 5 }
  Far: { Type: AWS::Serverless::Application, Properties: { Location: { ApplicationId: a, SemanticVersion: 1.0.0 } } }
  Topic: { Type: AWS::SNS::Topic, Properties: { DisplayName: !GetAtt App.Outputs.Name } }
`,
    "app.yaml": `Parameters: { Pw: { Type: String, NoEcho: true }, Name: { Type: String } }
Resources:
  Queue: { Type: AWS::SQS::Queue, Properties: { QueueName: !Ref Name } }
Outputs: { Name: { Value: !GetAtt Queue.QueueName } }
`,
  });
  expect(resources).toMatchObject({
    appQueue: { properties: { QueueName: "shop" } },
    topic: { properties: { DisplayName: "${appQueue.QueueName}" } },
  });
  expect(lost).toEqual([
    ["Far", null, 6],
    ["App", "TimeoutInMinutes", 5],
  ]);
  expect(text).not.toContain("canary");
});

it("gives a nested parameter its default where a condition of the parent leaves it out", async () => {
  const { variables, resources } = await drafted({
    "root.yaml": `Parameters: { Env: { Type: String } }
Conditions: { IsProd: !Equals [!Ref Env, prod] }
Resources:
  Child: { Type: AWS::CloudFormation::Stack, Properties: { TemplateURL: child.yaml, Parameters: { Delay: !If [IsProd, "1", !Ref AWS::NoValue], Zones: !If [IsProd, "a,b", !Ref AWS::NoValue] } } }
`,
    "child.yaml": `Parameters: { Delay: { Type: Number, Default: 7 }, Zones: { Type: CommaDelimitedList, Default: "c,d" } }
Conditions: { IsSeven: !Equals [!Ref Delay, 7] }
Resources:
  Queue: { Type: AWS::SQS::Queue, Properties: { DelaySeconds: !Ref Delay, QueueName: !If [IsSeven, seven, !Select [1, !Ref Zones]] } }
`,
  });
  expect(variables).toMatchObject({ childIsSeven: '${string((isProd ? 1 : 7)) == "7"}' });
  expect(resources["childQueue"]).toMatchObject({
    properties: { DelaySeconds: "${isProd ? 1 : 7}" },
  });
});
