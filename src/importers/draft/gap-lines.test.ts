import { expect, it } from "vitest";
import { drafted } from "#test/support/drafted.ts";

it.each<[what: string, text: string, lost: readonly [string, string | null, number]]>([
  [
    "a setting that the check refuses",
    'resource "aws_sqs_queue" "q" {\n  name = "x"\n  max_message_size = "soon"\n}',
    ["aws_sqs_queue.q", "MaximumMessageSize", 3],
  ],
  [
    "a block that the check refuses",
    'resource "aws_lb_target_group" "t" {\n  port = 80\n  health_check {\n    interval = "soon"\n  }\n}',
    ["aws_lb_target_group.t", "HealthCheckIntervalSeconds", 3],
  ],
  [
    "for_each",
    'resource "aws_sqs_queue" "q" {\n  name = "x"\n  for_each = toset([uuid()])\n}',
    ["aws_sqs_queue.q", null, 3],
  ],
  [
    "count",
    'resource "aws_sqs_queue" "q" {\n  name = "x"\n\n  count = length(uuid())\n}',
    ["aws_sqs_queue.q", null, 4],
  ],
  [
    "an output's value",
    'output "o" {\n  description = "x"\n  value = uuid()\n}',
    ["output.o", null, 3],
  ],
  [
    "a value of a local, in another file",
    'resource "aws_sqs_queue" "q" {\n  name = "x"\n  tags = local.tags\n}',
    ["aws_sqs_queue.q", "tags.bad", 3],
  ],
  [
    "a value in a merge of locals, in another file",
    'resource "aws_sqs_queue" "q" {\n  name = "x"\n  tags = merge(local.tags, { more = "x" })\n}',
    ["aws_sqs_queue.q", "tags.bad", 3],
  ],
  [
    "a member that is written in place",
    'resource "aws_sqs_queue" "q" {\n  tags = {\n    good = "x"\n    bad = uuid()\n  }\n}',
    ["aws_sqs_queue.q", "tags.bad", 4],
  ],
])("the gap of %s has its line", async (_, text, lost) => {
  const made = await drafted({
    "main.tf": `${text}\n`,
    "locals.tf": `${"\n".repeat(20)}locals {\n  tags = {\n    bad = uuid()\n  }\n}\n`,
  });
  expect(made.lost).toContainEqual(lost);
});
