import { expect, it } from "vitest";
import { drafted } from "#test/support/drafted.ts";

const provider = `provider "aws" {
  region = "eu-west-1"
}
provider "aws" {
  alias  = "east"
  region = "us-east-1"
}
variable "region" {
  default = null
}
`;

it.each([
  ["", ["sqsQueueQ"], []],
  ['region = "eu-west-1"', ["sqsQueueQ"], []],
  ["region = var.region", ["sqsQueueQ"], []],
  ['region = "us-east-1"', [], [["aws_sqs_queue.q", null, 11]]],
  ["provider = aws.east", [], [["aws_sqs_queue.q", null, 11]]],
])("drafts the objects of the module's region only: %s", async (setting, names, lost) => {
  const made = await drafted({
    "main.tf": `${provider}resource "aws_sqs_queue" "q" {\n  name = "q"\n  ${setting}\n}\n`,
  });
  expect(Object.keys(made.resources)).toEqual(names);
  expect(made.lost).toEqual(lost);
});
