import { expect, it } from "vitest";
import {
  formatTypeName,
  isSameType,
  isWellFormed,
  parseTypeName,
  providerInTypeName,
  providerOfBareName,
  withoutVersion,
  withProvider,
  withVersion,
} from "./type-name.ts";

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

it.each([
  ["aws:AWS::S3::Bucket", true],
  ["aws:My::Own::Thing::MODULE", true],
  ["aws:s3:Bucket", false],
  ["aws:AWS::S3::Bucket@1", false],
  ["azure:Microsoft.Storage/storageAccounts", true],
  ["azure:Microsoft.Storage/storageAccounts/blobServices@2024-01-01-preview", true],
  ["azure:storageAccounts", false],
  ["gcp:compute/Instance", true],
  ["gcp:compute.Instance", false],
  ["other:any thing", true],
])("knows whether %s is well formed", (type, expected) => {
  const name = parseTypeName(type);
  expect(name !== undefined && isWellFormed(name)).toBe(expected);
});

it.each([
  ["AWS::S3::Bucket", "aws", "aws:AWS::S3::Bucket"],
  [
    "Microsoft.Storage/storageAccounts@2024-01-01",
    "azure",
    "azure:Microsoft.Storage/storageAccounts@2024-01-01",
  ],
  ["compute.googleapis.com/Instance", "gcp", "gcp:compute/Instance"],
  ["mock:Server", undefined, undefined],
  ["aws:AWS::S3::Bucket", undefined, undefined],
])("finds the provider of the bare name %s", (type, provider, written) => {
  expect(providerOfBareName(type)).toBe(provider);
  expect(withProvider(type)).toBe(written);
});

const azure = "azure:Microsoft.Storage/storageAccounts";

it("gives a version to the types whose names carry one", () => {
  expect(withVersion(azure, "2024-01-01")).toBe(`${azure}@2024-01-01`);
  expect(withVersion(`${azure}@2023-01-01`, "2024-01-01")).toBe(`${azure}@2023-01-01`);
  expect(withVersion(azure, undefined)).toBe(azure);
  expect(withVersion("gcp:compute/Instance", "v1")).toBe("gcp:compute/Instance");
  expect(withVersion("nothing", "v1")).toBe("nothing");
});

it("takes two versions of a type for the same type", () => {
  expect(withoutVersion(`${azure}@2024-01-01`)).toBe(azure);
  expect(withoutVersion("mock:Server")).toBe("mock:Server");
  expect(isSameType(`${azure}@2024-01-01`, azure)).toBe(true);
  expect(isSameType(`${azure}@2024-01-01`, `${azure}@2025-01-01`)).toBe(true);
  expect(isSameType(`${azure}@2024-01-01`, `${azure}/blobServices@2024-01-01`)).toBe(false);
});
