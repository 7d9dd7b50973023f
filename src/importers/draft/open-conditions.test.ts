import { expect, it } from "vitest";
import { parse } from "yaml";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import type { JsonMap } from "#platform/json.ts";
import { builtAssets } from "#test/support/built-assets.ts";

async function drafted(text: string) {
  const files = [{ path: "t.yaml", text }];
  const { drafts } = await readImport(files, undefined, new ImportLog(), {
    adopt: false,
    assets: builtAssets,
  });
  const [draft] = drafts;
  const made = parse(draft?.source ?? "") as {
    config: JsonMap;
    variables: JsonMap;
    resources: { [name: string]: { when?: string; properties: JsonMap } };
    outputs: JsonMap;
  };
  return { ...made, lost: draft?.unsupported.map(({ address, path }) => [address, path]) };
}

it("keeps conditions over parameters, of resources, properties and outputs", async () => {
  const { config, variables, resources, outputs, lost } = await drafted(`Parameters:
  Env: { Type: String, Default: dev }
  Count: { Type: Number, Default: 1 }
Conditions:
  IsProd: !Equals [!Ref Env, prod]
  IsSmall: !Equals [!Ref Count, 1]
  IsBig: !And [!Condition IsProd, !Not [!Condition IsSmall]]
Resources:
  Topic: { Type: AWS::SNS::Topic, Condition: IsProd, Properties: { TopicName: t } }
  Sub:
    Type: AWS::SNS::Subscription
    Condition: IsProd
    Properties: { TopicArn: !Ref Topic, Protocol: email, Endpoint: a@b.c }
  Queue:
    Type: AWS::SQS::Queue
    Properties:
      QueueName: !If [IsProd, big, small]
      DelaySeconds: !If [IsBig, 10, !Ref AWS::NoValue]
      Tags: [{ Key: topic, Value: !If [IsProd, !Ref Topic, none] }]
Outputs:
  Topic: { Condition: IsProd, Value: !Ref Topic }
`);
  expect(lost).toEqual([]);
  expect(Object.keys(config)).toEqual(["env", "count"]);
  expect(variables).toEqual({ isProd: '${env == "prod"}', isSmall: "${count == 1}" });
  expect(resources).toMatchObject({
    topic: { when: "${isProd}" },
    sub: { when: "${isProd}", properties: { TopicArn: "${topic.id}" } },
    queue: {
      properties: {
        QueueName: '${isProd ? "big" : "small"}',
        DelaySeconds: "${(isProd && !isSmall) ? 10 : omit()}",
        Tags: [{ Key: "topic", Value: '${isProd ? topic.id : "none"}' }],
      },
    },
  });
  expect(outputs).toEqual({ Topic: "${isProd ? topic.id : omit()}" });
});

it("asks for a condition that a secret decides, and reads an object that may be left out", async () => {
  const { config, resources, lost } = await drafted(`Parameters:
  Key: { Type: String, NoEcho: true }
  Env: { Type: String }
Conditions:
  HasKey: !Not [!Equals [!Ref Key, ""]]
  IsProd: !Equals [!Ref Env, prod]
  IsNotDev: !Not [!Equals [!Ref Env, dev]]
Resources:
  Secret: { Type: AWS::SQS::Queue, Condition: HasKey, Properties: { QueueName: s } }
  Topic: { Type: AWS::SNS::Topic, Condition: IsNotDev, Properties: { TopicName: t } }
  Queue:
    Type: AWS::SQS::Queue
    Condition: IsProd
    Properties: { QueueName: q, Tags: [{ Key: a, Value: !Ref Topic }] }
`);
  expect(config).toMatchObject({ hasKey: { type: "boolean" } });
  expect(resources).toMatchObject({
    secret: { when: "${hasKey}" },
    queue: { properties: { Tags: [{ Value: "${topic.?id.value()}" }] } },
  });
  expect(lost).toEqual([]);
});
