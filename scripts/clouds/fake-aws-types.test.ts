import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { describedTypes } from "#test/providers/aws/described-type.ts";
import { awsWithZone } from "#test/providers/aws/served-aws.ts";
import { builtAssets } from "#test/support/built-assets.ts";

it("the fake AWS takes every type that a draft of Terraform can have", async () => {
  const types = await describedTypes("all", builtAssets);
  const table = await readFile("src/importers/mappings/aws.json", "utf8");
  const named = new Set(table.match(/(?<="aws:)AWS::\w+::\w+/g));
  expect(named.size).toBeGreaterThan(90);
  expect([...named].filter((type) => !types.has(type))).toEqual([]);
});

it("the fake AWS makes an object of a type without a row, and none of a type without an identifier", async () => {
  const { aws } = await awsWithZone({}, "all");
  const create = (TypeName: string, desired: object) =>
    aws.control.answer("CreateResource", { TypeName, DesiredState: JSON.stringify(desired) });
  create("AWS::SNS::Subscription", { TopicArn: "arn:aws:sns:eu-1:1:t", Protocol: "email" });
  expect(aws.control.living("AWS::SNS::Subscription")).toHaveLength(1);
  expect(() => create("AWS::Serverless::Api", {})).toThrow("cannot be found");
});
