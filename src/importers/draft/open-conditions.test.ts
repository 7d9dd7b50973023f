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
    resources: { [name: string]: { when?: string; properties: JsonMap } };
    outputs: JsonMap;
  };
  return { ...made, lost: draft?.unsupported.map(({ address, path }) => [address, path]) };
}

it("keeps conditions over parameters, of resources, properties and outputs", async () => {
  const { config, resources, outputs, lost } = await drafted(`Parameters:
  Env: { Type: String, Default: dev }
  Count: { Type: Number, Default: 1 }
Conditions:
  IsProd: !Equals [!Ref Env, prod]
  IsBig: !And [!Condition IsProd, !Not [!Equals [!Ref Count, 1]]]
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
  const isProd = '(env == "prod")';
  expect(resources).toMatchObject({
    topic: { when: `\${${isProd}}` },
    sub: { when: `\${${isProd}}`, properties: { TopicArn: "${topic.id}" } },
    queue: {
      properties: {
        QueueName: `\${(${isProd} ? "big" : "small")}`,
        DelaySeconds: `\${((${isProd} && !(string(count) == "1")) ? 10 : omit())}`,
        Tags: [{ Key: "topic", Value: `\${(${isProd} ? topic.id : "none")}` }],
      },
    },
  });
  expect(outputs).toEqual({ Topic: `\${(${isProd} ? topic.id : omit())}` });
});

it("leaves out a resource whose condition a secret decides, and a reader without a guard", async () => {
  const { resources, lost } = await drafted(`Parameters:
  Key: { Type: String, NoEcho: true }
  Env: { Type: String }
Conditions:
  HasKey: !Not [!Equals [!Ref Key, ""]]
  IsProd: !Equals [!Ref Env, prod]
Resources:
  Secret: { Type: AWS::SQS::Queue, Condition: HasKey, Properties: { QueueName: s } }
  Topic: { Type: AWS::SNS::Topic, Condition: IsProd, Properties: { TopicName: t } }
  Queue: { Type: AWS::SQS::Queue, Properties: { QueueName: q, Tags: [{ Key: a, Value: !Ref Topic }] } }
`);
  expect(Object.keys(resources)).toEqual(["topic", "queue"]);
  expect(lost).toEqual([
    ["Secret", null],
    ["Queue", "Tags.0.Value"],
  ]);
});
