import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { drafted } from "#test/support/drafted.ts";

const parameters = `Parameters:
  Env: { Type: String, Default: dev, AllowedPattern: "[a-z]+", MinLength: 2 }
  Zones: { Type: CommaDelimitedList, Default: "a, b" }
  Ports: { Type: List<Number>, Default: "80,443" }
  Net: { Type: String, Default: 10.0.0.0/16 }
  Size: { Type: Number, MinValue: 1 }
  Word: { Type: String, NoEcho: true }
  Image: { Type: "AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>", Default: /path/of/image }
Mappings:
  Sizes: { dev: { Count: "1", Label: small, Password: canary-map }, prod: { Count: "3", Label: big, Password: canary-map2 } }
Conditions:
  IsProd: !Equals [!Ref Env, prod]
  IsBig: !Equals [!Ref Size, "3"]
  HasWord: !Not [!Equals [!Ref Word, ""]]
  Both: !And [!Condition IsProd, !Not [!Condition IsBig]]
`;

async function valueOf(written: string, property = "DisplayName") {
  const made = await drafted({
    "t.yaml": `${parameters}Resources:
  Queue: { Type: AWS::SQS::Queue, Properties: { QueueName: q } }
  Other: { Type: AWS::SNS::Topic, Condition: IsProd }
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      ${property}: ${written}
`,
  });
  const topic = made.resources["topic"] as { properties: JsonMap };
  return { ...made, value: topic.properties[property] };
}

it.for<[string, string]>([
  ["!Select [1, !Ref Zones]", "${zones[1]}"],
  ["!Select [!Ref Size, !Ref Zones]", "${zones[size]}"],
  ["!Join ['-', !Ref Zones]", '${zones.join("-")}'],
  ["!Sub ['${A}!', { A: !Join ['', !Ref Zones] }]", '${zones.join("")}!'],
  ["!Select [0, !Split ['.', !Ref Net]]", '${net.split(".")[0]}'],
  ["!Select [2, !GetAZs '']", "${control.target.region}c"],
  ["!Select [3, { 'Fn::GetAZs': { Ref: AWS::Region } }]", "${control.target.region}d"],
  ["!FindInMap [Sizes, !Ref Env, Label]", "${sizes[env].Label}"],
  [
    "!FindInMap [Sizes, !Ref Env, Label, { DefaultValue: !Ref Net }]",
    "${sizes[?env].?Label.orValue(net)}",
  ],
  [
    "!FindInMap [Sizes, !Ref Env, Label, { DefaultValue: !Ref AWS::NoValue }]",
    "${sizes[?env].?Label.hasValue() ? sizes[env].Label : omit()}",
  ],
  ["!If [IsProd, a, !Ref Net]", '${isProd ? "a" : net}'],
  ["!If [Both, a, b]", '${(isProd && !isBig) ? "a" : "b"}'],
  ["!If [IsProd, !Ref Other, none]", '${isProd ? other.id : "none"}'],
  ["!Ref Other", "${other.?id.value()}"],
  [
    "!Join [',', [a, !If [IsProd, b, !Ref AWS::NoValue]]]",
    '${["a", ?(isProd ? optional.of("b") : optional.none())].join(",")}',
  ],
  ["!Select [1, !Cidr [!Ref Net, 4, 8]]", '${cidrSubnet(net, 24 - int(net.split("/")[1]), 1)}'],
  [
    "!Select [1, !Cidr [!Ref Net, 4, !FindInMap [Sizes, !Ref Env, Count]]]",
    '${cidrSubnet(net, 32 - int(sizes[env].Count) - int(net.split("/")[1]), 1)}',
  ],
  ["!Sub 'arn:${AWS::Partition}:x'", "arn:${awsPartition}:x"],
  ["!ImportValue net-id", "${netId}"],
  ["!Sub ['${V}-x', { V: !ImportValue { 'Fn::Sub': '${Env}-id' } }]", "${envId}-x"],
  ["'{{resolve:ssm:/app/size:1}}'", "${appSize1}"],
  ["!Sub 'a-{{resolve:secretsmanager:${Env}/db:SecretString:user}}'", "a-${envDbUser}"],
  ["{ 'Fn::ToJsonString': { a: !Ref Net } }", '${json.encode({"a": net})}'],
])("writes %s", async ([written, expected]) => {
  const { value, lost } = await valueOf(written);
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  const json = '{"fn::toJSON":{"a":"${net}"}}';
  expect(shown).toBe(written.includes("ToJson") ? json : expected);
  expect(lost).toEqual([]);
});

it("converts to the property's type, and keeps the rules of parameters", async () => {
  const { value, config, text } = await valueOf("!If [HasWord, !Ref Word, !Ref Image]");
  expect(value).toBe("${hasWord ? word : image}");
  expect(text).not.toContain("canary");
  expect(config).toEqual({
    hasWord: { type: "boolean" },
    word: { type: "string", secret: true },
    image: { type: "string" },
    env: { type: "string", default: "dev", minLength: 2, pattern: "^(?:[a-z]+)$" },
  });
});

it("fits a function's text to a number, and asks for what a mapping hides", async () => {
  const { resources, variables, text, lost } = await drafted({
    "t.yaml": `${parameters}Resources:
  Queue:
    Type: AWS::SQS::Queue
    Properties:
      DelaySeconds: !FindInMap [Sizes, !Ref Env, Count]
      MessageRetentionPeriod: !Select [0, !Ref Ports]
      VisibilityTimeout: !If [IsProd, "60", !Ref AWS::NoValue]
      Tags: [!If [IsProd, { Key: a, Value: !Ref Net }, !Ref AWS::NoValue], { Key: n, Value: yes }]
  Param: { Type: AWS::SSM::Parameter, Properties: { Name: p, Type: String, Value: !FindInMap [Sizes, !Ref Env, Password] } }
`,
  });
  expect(resources["queue"]).toEqual({
    type: "aws:AWS::SQS::Queue",
    properties: {
      DelaySeconds: "${int(sizes[env].Count)}",
      MessageRetentionPeriod: "${ports[0]}",
      VisibilityTimeout: "${isProd ? 60 : omit()}",
      Tags: ['${isProd ? {"Key": "a", "Value": net} : omit()}', { Key: "n", Value: "true" }],
    },
  });
  expect(variables["sizes"]).toEqual({
    dev: { Count: "1", Label: "small" },
    prod: { Count: "3", Label: "big" },
  });
  expect(text).not.toContain("canary");
  expect(lost).toEqual([]);
});

it("keeps loops over parameters, and tables of AWS SAM", async () => {
  const { resources, outputs, lost, counts } = await drafted({
    "t.yaml": `Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Parameters:
  Names: { Type: CommaDelimitedList, Default: "alpha,beta" }
Globals: { Function: { Timeout: 9, Environment: { Variables: { TOKEN: canary-g } } } }
Resources:
  Fn::ForEach::Topics:
    - Name
    - !Ref Names
    - Topic\${Name}: { Type: AWS::SNS::Topic, Properties: { TopicName: !Sub "t-\${Name}", DisplayName: "of \${Name}" } }
  Fn::ForEach::Subs:
    - Name
    - !Ref Names
    - Sub\${Name}: { Type: AWS::SNS::Subscription, Properties: { TopicArn: !Ref "Topic\${Name}", Protocol: sqs } }
  Table: { Type: AWS::Serverless::SimpleTable, Properties: { TableName: t, Tags: { a: b } } }
  Hello: { Type: AWS::Serverless::Function, Properties: { CodeUri: hello/ } }
  Param: { Type: AWS::SSM::Parameter, Properties: { Name: p, Type: String, Value: !Ref HelloRole } }
Outputs:
  First: { Value: !Ref Topicalpha }
`,
  });
  expect(resources).toMatchObject({
    topicName: {
      forEach: "${names}",
      properties: { TopicName: "t-${each.key}", DisplayName: "of ${each.key}" },
    },
    subName: { forEach: "${names}", properties: { TopicArn: "${topicName[each.key].id}" } },
    table: {
      type: "aws:AWS::DynamoDB::Table",
      properties: {
        TableName: "t",
        BillingMode: "PAY_PER_REQUEST",
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
        Tags: [{ Key: "a", Value: "b" }],
      },
    },
    param: { properties: { Value: "${helloRole}" } },
  });
  expect(outputs).toEqual({ First: '${topicName["alpha"].id}' });
  expect(lost).toEqual([
    ["Hello", null, 15],
    ["Globals", "Function", 4],
  ]);
  expect(counts).toEqual([4, 0, 1]);
});

it("keeps the readers of a parameter whose default is a number, is not allowed, or is named like a word", async () => {
  const { config, resources, lost } = await drafted({
    "t.yaml": `Parameters:
  Ports: { Type: List<Number>, Default: 80 }
  Kind: { Type: String, Default: other, AllowedValues: [t3.micro, t3.small] }
  "Null": { Type: String }
Resources:
  Vm: { Type: AWS::EC2::Instance, Properties: { InstanceType: !Ref Kind, KeyName: !Ref "Null", Tags: [{ Key: p, Value: !Select [0, !Ref Ports] }] } }
`,
  });
  expect(config).toEqual({
    ports: { type: "array", default: [80], items: { type: "number" } },
    kind: { type: "string", enum: ["t3.micro", "t3.small"] },
    null2: { type: "string" },
  });
  expect(resources["vm"]).toMatchObject({
    properties: {
      InstanceType: "${kind}",
      KeyName: "${null2}",
      Tags: [{ Value: "${string(ports[0])}" }],
    },
  });
  expect(lost).toEqual([["var.kind", "default", 1]]);
});

it("keeps no secret of the parameters and the inner template of a set of stacks", async () => {
  const { text, resources } = await drafted({
    "t.yaml": `Resources:
  Set:
    Type: AWS::CloudFormation::StackSet
    Properties:
      StackSetName: s
      PermissionModel: SELF_MANAGED
      Parameters: [{ ParameterKey: DbPassword, ParameterValue: canary-a }, { ParameterKey: Name, ParameterValue: shop }]
      TemplateBody: "Parameters: { Word: { Type: String, NoEcho: true, Default: canary-b } }"
`,
  });
  expect(text).not.toContain("canary");
  expect(resources["set"]).toMatchObject({
    properties: { Parameters: [{ ParameterKey: "DbPassword" }, { ParameterValue: "shop" }] },
  });
});

it("writes a choice between whole properties as a choice of each", async () => {
  const { resources, lost } = await drafted({
    "t.yaml": `${parameters}Resources:
  Queue:
    Type: AWS::SQS::Queue
    Properties: !If [IsProd, { QueueName: big, DelaySeconds: 1 }, !If [IsBig, { QueueName: small }, !Ref AWS::NoValue]]
`,
  });
  expect(resources["queue"]).toMatchObject({
    properties: {
      QueueName: '${isProd ? "big" : (isBig ? "small" : omit())}',
      DelaySeconds: "${isProd ? 1 : omit()}",
    },
  });
  expect(lost).toEqual([]);
});

it("reads an attribute of a resource in the same turn, and hides no key of a generated secret", async () => {
  const { resources, config, lost } = await drafted({
    "t.yaml": `${parameters}Resources:
  Fn::ForEach::All:
    - Name
    - !Ref Zones
    - Queue\${Name}: { Type: AWS::SQS::Queue }
      Topic\${Name}: { Type: AWS::SNS::Topic, Properties: { DisplayName: !GetAtt [!Sub "Queue\${Name}", Arn] } }
  Secret: { Type: AWS::SecretsManager::Secret, Properties: { GenerateSecretString: { GenerateStringKey: password, ExcludeCharacters: '"@/', SecretStringTemplate: '{"user":"a"}' } } }
`,
  });
  expect(resources["topicName"]).toMatchObject({
    properties: { DisplayName: "${queueName[each.key].Arn}" },
  });
  expect(resources["secret"]).toMatchObject({
    properties: {
      GenerateSecretString: { GenerateStringKey: "password", ExcludeCharacters: '"@/' },
    },
  });
  expect(Object.keys(config)).toEqual(["zones", "secretSecretStringTemplate"]);
  expect(lost).toEqual([]);
});

it("keeps the zero of a version, and reads numbers where the type has them", async () => {
  const { resources, config, lost } = await drafted({
    "t.yaml": `Parameters: { Least: { Type: Number, Default: 2.0, MinValue: 1.0 } }
Resources:
  Db: { Type: AWS::RDS::DBInstance, Properties: { Engine: mysql, EngineVersion: 8.0, AllocatedStorage: 20, Iops: 1000.0 } }
  Alarm: { Type: AWS::CloudWatch::Alarm, Properties: { ComparisonOperator: GreaterThanThreshold, EvaluationPeriods: 1, Threshold: 5.0, Period: !Ref Least } }
`,
  });
  expect(resources).toMatchObject({
    db: { properties: { EngineVersion: "8.0", Iops: 1000 } },
    alarm: { properties: { Threshold: 5, Period: "${least}" } },
  });
  expect(config["least"]).toMatchObject({ default: 2, minimum: 1 });
  expect(lost).toEqual([]);
});
