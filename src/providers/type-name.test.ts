import { expect, it } from "vitest";
import { formatTypeName, parseTypeName, providerInTypeName } from "./type-name.ts";

it.each([
  ["mock:Server", { provider: "mock", name: "Server" }],
  ["aws:AWS::S3::Bucket", { provider: "aws", name: "AWS::S3::Bucket" }],
  [
    "azure:Microsoft.Storage/storageAccounts@2024-01-01",
    { provider: "azure", name: "Microsoft.Storage/storageAccounts", version: "2024-01-01" },
  ],
])("parses and formats %s", (type, parts) => {
  expect(parseTypeName(type)).toEqual(parts);
  expect(formatTypeName(parts)).toBe(type);
});

it.each(["", "Server", ":Server", "mock:", "mock:@1", "two words:Server", "@1:Server"])(
  "refuses %j",
  (type) => expect(parseTypeName(type)).toBeUndefined(),
);

it.each([
  ["aws:AWS::S3::Bucket", "aws"],
  ["aws:", "aws"],
  ["Server", ""],
])("finds the provider in %j", (type, provider) => {
  expect(providerInTypeName(type)).toBe(provider);
});
