import { expect, it } from "vitest";
import { parse } from "yaml";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import type { JsonMap } from "#platform/json.ts";
import { builtAssets } from "#test/support/built-assets.ts";

async function adopted(files: { readonly [path: string]: string }) {
  const log = new ImportLog();
  const given = Object.entries(files).map(([path, text]) => ({ path, text }));
  const { drafts } = await readImport(given, undefined, log, { adopt: true, assets: builtAssets });
  const [draft] = drafts;
  const { resources } = parse(draft?.source ?? "") as { resources: { [name: string]: JsonMap } };
  return {
    ids: Object.fromEntries(
      Object.entries(resources).map(([name, { options }]) => [
        name,
        (options as JsonMap | undefined)?.["import"],
      ]),
    ),
    lost: draft?.unsupported
      .filter(({ path }) => path === "import")
      .map(({ address, line, reason }) => [address, line, reason.split(":", 1)[0]]),
  };
}

it("adopts one object for each member of a map, a set and a list", async () => {
  const made = await adopted({
    "main.tf": `locals { ids = { eu = "vpc-1", us = "vpc-2" } }
resource "aws_vpc" "v" {
  for_each   = local.ids
  cidr_block = "10.0.0.0/16"
}
import {
  for_each = local.ids
  to       = aws_vpc.v[each.key]
  id       = each.value
}
resource "aws_sqs_queue" "q" {
  for_each = toset(["a", "b"])
  name     = each.key
}
import {
  for_each = toset(["a", "b"])
  to       = aws_sqs_queue.q[each.value]
  id       = "https://sqs/\${each.key}"
}
resource "aws_s3_bucket" "c" {
  for_each = { x = "x-1", y = "y-1" }
  bucket   = each.value
}
import {
  for_each = [{ key = "x", id = "x-1" }, { key = "y", id = "y-1" }]
  to       = aws_s3_bucket.c[each.value.key]
  id       = each.value.id
}
`,
  });
  expect(made.ids).toEqual({
    vpcVEu: "vpc-1",
    vpcVUs: "vpc-2",
    sqsQueueQA: "https://sqs/a",
    sqsQueueQB: "https://sqs/b",
    s3BucketCX: "x-1",
    s3BucketCY: "y-1",
  });
  expect(made.lost).toEqual([]);
});

it("adopts objects in modules, and takes a number for an id", async () => {
  const made = await adopted({
    "main.tf": `module "m" {
  source   = "./m"
  for_each = toset(["x"])
}
import {
  for_each = { x = "vpc-1" }
  to       = module.m[each.key].aws_vpc.one[0]
  id       = each.value
}
resource "aws_sns_topic" "t" { name = "t" }
import {
  to = aws_sns_topic.t
  id = "arn:aws:sns:eu-west-1:1:\${aws_sns_topic.t.name}"
}
resource "digitalocean_record" "r" {
  domain = "example.org"
  type   = "A"
  name   = "@"
  value  = "192.0.2.1"
}
import {
  to = digitalocean_record.r
  id = "example.org,555"
}
resource "digitalocean_droplet" "d" {
  count  = 1
  name   = "d"
  image  = "debian-12-x64"
  region = "fra1"
  size   = "s-1vcpu-1gb"
}
import {
  to = digitalocean_droplet.d[0]
  id = 102
}
`,
    "m/main.tf": `resource "aws_vpc" "one" {
  count      = 1
  cidr_block = "10.0.0.0/16"
}
`,
  });
  expect(made.ids).toEqual({
    snsTopicT: "arn:aws:sns:eu-west-1:1:t",
    recordR: "555",
    dropletD: "102",
    mXVpcOne: "vpc-1",
  });
  expect(made.lost).toEqual([]);
});

it("tells of each object that it does not adopt", async () => {
  const made = await adopted({
    "main.tf": `variable "id" { type = string }
resource "aws_vpc" "v" { cidr_block = "10.0.0.0/16" }
resource "aws_vpc" "w" { cidr_block = "10.1.0.0/16" }
import {
  to = aws_vpc.v
  id = "vpc-1"
}
import {
  to = aws_vpc.v
  id = "vpc-2"
}
import {
  to = aws_vpc.missing
  id = "vpc-3"
}
import {
  to = aws_vpc.v[0]
  id = "vpc-4"
}
import {
  to = aws_vpc.w
  id = var.id
}
import {
  for_each = { "aws_vpc.w" = "vpc-5" }
  to       = each.key
  id       = each.value
}
`,
  });
  expect(made.ids).toEqual({ vpcV: "vpc-1", vpcW: undefined });
  const none = "The files have no resource at this address";
  expect(made.lost).toEqual([
    ["aws_vpc.v", 8, "Another block adopts an object at this address."],
    ["aws_vpc.missing", 12, none],
    ["aws_vpc.v[0]", 16, none],
    ["aws_vpc.w", 20, "The source adopts an existing object, and the files do not decide its id"],
    ["import", 24, "Its address is computed, which Terraform refuses"],
  ]);
});
