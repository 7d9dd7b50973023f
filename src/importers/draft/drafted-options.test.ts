import { expect, it } from "vitest";
import { parse } from "yaml";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import type { JsonMap } from "#platform/json.ts";
import { builtAssets } from "#test/support/built-assets.ts";

async function drafted(path: string, text: string) {
  const log = new ImportLog();
  const { drafts } = await readImport([{ path, text }], undefined, log, {
    adopt: false,
    assets: builtAssets,
  });
  const [draft] = drafts;
  const made = parse(draft?.source ?? "") as { resources: { [name: string]: JsonMap } };
  return {
    options: Object.fromEntries(
      Object.entries(made.resources).map(([name, { options }]) => [name, options]),
    ),
    lost: draft?.unsupported.map(({ address, path: at, line }) => [address, at, line]),
  };
}

it("carries a Terraform resource's lifecycle and time-outs, and lists what a draft cannot do", async () => {
  const made = await drafted(
    "main.tf",
    `resource "aws_sqs_queue" "kept" {
  name = "kept"
  lifecycle {
    prevent_destroy       = true
    create_before_destroy = true
    ignore_changes        = [tags, visibility_timeout_seconds]
  }
  timeouts { create = "10m" }
}
resource "aws_sqs_queue" "odd" {
  name = "odd"
  lifecycle {
    ignore_changes       = all
    replace_triggered_by = [aws_sqs_queue.kept]
    precondition {
      condition     = true
      error_message = "no"
    }
  }
  provisioner "local-exec" { command = "true" }
}
resource "aws_sqs_queue" "inner" {
  name = "inner"
  lifecycle { ignore_changes = [tags["a"], nothing_of_ours] }
}
`,
  );
  expect(made.options).toEqual({
    sqsQueueKept: {
      protect: true,
      ignoreChanges: ["Tags", "VisibilityTimeout"],
      customTimeouts: { create: "10m" },
    },
    sqsQueueOdd: { ignoreChanges: ["*"] },
    sqsQueueInner: undefined,
  });
  expect(made.lost).toEqual([
    ["aws_sqs_queue.odd", "lifecycle.replace_triggered_by", 14],
    ["aws_sqs_queue.odd", "lifecycle.precondition", 15],
    ["aws_sqs_queue.odd", "provisioner", 20],
    ["aws_sqs_queue.inner", "lifecycle.ignore_changes", 24],
  ]);
});

it("sets computed options, keeps objects of `destroy`, and lists checks and times that a draft lacks", async () => {
  const made = await drafted(
    "main.tf",
    `variable "keep" { default = true }
variable "times" { default = {} }
locals {
  no    = false
  times = { create = "30m" }
}
resource "aws_sqs_queue" "open" {
  name = "open"
  lifecycle { prevent_destroy = var.keep }
  dynamic "timeouts" {
    for_each = var.times
    content { create = timeouts.value }
  }
}
resource "aws_sqs_queue" "known" {
  name = "known"
  lifecycle {
    prevent_destroy = local.no
    destroy         = false
  }
  timeouts {
    create = local.times.create
    update = null
    delete = var.times["delete"]
    read   = "5m"
  }
}
data "aws_ami" "a" {
  lifecycle {
    postcondition {
      condition     = true
      error_message = "no"
    }
  }
}
output "a" {
  value = 1
  precondition {
    condition     = true
    error_message = "no"
  }
}
`,
  );
  expect(made.options).toEqual({
    sqsQueueOpen: { protect: true },
    sqsQueueKnown: { retainOnDelete: true, customTimeouts: { create: "30m" } },
  });
  expect(made.lost).toEqual([
    ["data.aws_ami.a", "lifecycle.postcondition", 30],
    ["output.a", "precondition", 38],
    ["aws_sqs_queue.open", "lifecycle.prevent_destroy", 9],
    ["aws_sqs_queue.open", "timeouts", 10],
    ["aws_sqs_queue.known", "timeouts", 21],
    ["aws_sqs_queue.known", "timeouts.read", 25],
  ]);
});

it("makes OpenTofu's `enabled` a condition", async () => {
  const { drafts } = await readImport(
    [
      {
        path: "main.tofu",
        text: `variable "on" { type = bool }
locals { yes = true }
resource "aws_sqs_queue" "open" {
  name = "open"
  lifecycle { enabled = var.on }
}
resource "aws_sqs_queue" "never" {
  name = "never"
  lifecycle { enabled = false }
}
resource "aws_sqs_queue" "always" {
  name = "always"
  lifecycle { enabled = local.yes }
}
module "m" {
  source = "./m"
  lifecycle { enabled = false }
}
output "arn" { value = aws_sqs_queue.always.arn }
`,
      },
      { path: "m/main.tofu", text: 'resource "aws_sqs_queue" "inner" {}' },
    ],
    undefined,
    new ImportLog(),
    { adopt: false, assets: builtAssets },
  );
  const [draft] = drafts;
  const { resources } = parse(draft?.source ?? "") as { resources: { [name: string]: JsonMap } };
  expect(Object.entries(resources).map(([name, one]) => [name, one["when"]])).toEqual([
    ["sqsQueueOpen", "${on}"],
    ["sqsQueueAlways", undefined],
  ]);
  expect(draft?.unsupported.map(({ address, code }) => [address, code])).toEqual([
    ["module.m", "not_made"],
    ["aws_sqs_queue.never", "not_made"],
  ]);
});

it("lists the options of a resource that is a part of another object in the draft", async () => {
  const made = await drafted(
    "main.tf",
    `resource "aws_s3_bucket" "b" { bucket = "b" }
resource "aws_s3_bucket_versioning" "v" {
  bucket = aws_s3_bucket.b.id
  versioning_configuration { status = "Enabled" }
  lifecycle { prevent_destroy = true }
}
`,
  );
  expect(made.options).toEqual({ s3BucketB: undefined });
  expect(made.lost).toEqual([["aws_s3_bucket_versioning.v", "lifecycle.prevent_destroy", 5]]);
});

it("carries a CloudFormation resource's retention, and lists its other attributes", async () => {
  const made = await drafted(
    "t.yaml",
    `AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Kept: { Type: AWS::SQS::Queue, DeletionPolicy: Retain, UpdateReplacePolicy: Retain }
  Gone: { Type: AWS::SQS::Queue, DeletionPolicy: Delete, UpdateReplacePolicy: Delete }
  Db:
    Type: AWS::SQS::Queue
    DeletionPolicy: Snapshot
    UpdateReplacePolicy: Retain
    CreationPolicy: { ResourceSignal: { Timeout: PT10M } }
    Metadata:
      Comment: shown
      AWS::CloudFormation::Init: { config: {} }
    Properties: { QueueName: db }
  Sql: { Type: AWS::RDS::DBInstance, DeletionPolicy: Snapshot, UpdateReplacePolicy: Snapshot }
`,
  );
  // Cloud Control takes a final snapshot of a database in any case.
  expect(made.options).toEqual({
    kept: { retainOnDelete: true },
    gone: undefined,
    db: undefined,
    sql: undefined,
  });
  expect(made.lost).toEqual([
    ["Db", "DeletionPolicy", 7],
    ["Db", "UpdateReplacePolicy", 8],
    ["Db", "CreationPolicy", 9],
    ["Db", "Metadata.AWS::CloudFormation::Init", 12],
  ]);
});

it("carries the options of a Pulumi resource, and lists those that a draft has not", async () => {
  const made = await drafted(
    "Pulumi.yaml",
    `name: p
runtime: yaml
resources:
  a: { type: "aws-native:sqs:Queue", properties: { queueName: a }, options: { protect: true, retainOnDelete: true } }
  b:
    type: aws-native:sqs:Queue
    properties: { queueName: b }
    options:
      ignoreChanges: [queueName, "tags[*]"]
      replaceOnChanges: [delaySeconds, '*']
      deleteBeforeReplace: true
      protect: \${keep}
      aliases: [old, { name: older }, { parent: x }, "\${name}"]
      customTimeouts: { create: 5m, delete: "\${time}", read: 5m }
      additionalSecretOutputs: [arn]
      parent: \${a}
`,
  );
  expect(made.options).toEqual({
    a: { protect: true, retainOnDelete: true },
    b: {
      ignoreChanges: ["QueueName", "Tags[*]"],
      replaceOnChanges: ["DelaySeconds", "*"],
      deleteBeforeReplace: true,
      protect: true,
      aliases: ["old", "older"],
      customTimeouts: { create: "5m" },
      additionalSecretOutputs: ["Arn"],
    },
  });
  expect(made.lost).toEqual([
    ["b", "options.protect", 12],
    ["b", "options.aliases", 13],
    ["b", "options.aliases", 13],
    ["b", "options.customTimeouts.delete", 14],
    ["b", "options.customTimeouts.read", 14],
    ["b", "options.parent", 16],
  ]);
});
