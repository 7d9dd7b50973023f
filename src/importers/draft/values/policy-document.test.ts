import { expect, it } from "vitest";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { draftOfTable, knownType } from "#test/support/draft-of-table.ts";

const text: ValueShape = { type: "string" };
const types = {
  "aws:AWS::Fake::Role": knownType(
    { properties: { Name: text, Policy: { type: "object" }, Text: text } },
    { outputs: ["Arn"] },
  ),
};
const table: MappingTable = {
  provider: "fake",
  naming: "pascal",
  types: {
    fake_role: {
      type: "aws:AWS::Fake::Role",
      properties: { policy: { to: "Policy", as: "parsed" } },
    },
  },
};

async function roleWith(document: string, more = "") {
  const { resources, config } = await draftOfTable(
    table,
    types,
    `data "aws_iam_policy_document" "d" {\n ${document}\n }
     resource "fake_role" "this" {
       policy = data.aws_iam_policy_document.d.json
       text   = data.aws_iam_policy_document.d.json
     }
     resource "fake_role" "other" {}
     ${more}`,
  );
  return { properties: resources["role"]?.properties, config };
}

it("writes a document's statements in IAM's form", async () => {
  const { properties, config } = await roleWith(`
    statement {
      sid       = "Read"
      actions   = ["s3:GetObject"]
      resources = ["\${fake_role.other.arn}/&{aws:username}/*"]
      principals {
        type        = "AWS"
        identifiers = ["a"]
      }
      principals {
        type        = "AWS"
        identifiers = ["b"]
      }
      condition {
        test     = "StringEquals"
        variable = "aws:SourceAccount"
        values   = ["1"]
      }
      condition {
        test     = "StringEquals"
        variable = "aws:SourceArn"
        values   = ["2"]
      }
    }
    statement {
      effect      = "Deny"
      not_actions = ["iam:*"]
      principals {
        type        = "*"
        identifiers = ["*"]
      }
    }`);
  const document = {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "Read",
        Effect: "Allow",
        Action: ["s3:GetObject"],
        Resource: ["${roleOther.Arn}/$${aws:username}/*"],
        Principal: { AWS: ["a", "b"] },
        Condition: { StringEquals: { "aws:SourceAccount": ["1"], "aws:SourceArn": ["2"] } },
      },
      { Effect: "Deny", NotAction: ["iam:*"], Principal: "*" },
    ],
  };
  expect(properties).toEqual({ Policy: document, Text: { "fn::toJSON": document } });
  expect(config).toEqual({});
});

it("writes out dynamic statements and blocks that the files decide", async () => {
  const { properties, config } = await roleWith(
    `dynamic "statement" {
      for_each = local.statements
      content {
        sid       = upper(statement.key)
        actions   = statement.value.actions
        resources = ["*"]
        dynamic "condition" {
          for_each = statement.value.vpc == null ? [] : [statement.value.vpc]
          iterator = one
          content {
            test     = "StringEquals"
            variable = "aws:SourceVpc"
            values   = [one.value]
          }
        }
      }
    }`,
    `locals {
      statements = {
        a = { actions = ["s3:*"], vpc = "vpc-1" }
        b = { actions = ["sqs:*", "sns:*"], vpc = null }
      }
    }`,
  );
  expect(config).toEqual({});
  expect(properties?.["Policy"]).toEqual({
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "A",
        Effect: "Allow",
        Action: ["s3:*"],
        Resource: ["*"],
        Condition: { StringEquals: { "aws:SourceVpc": ["vpc-1"] } },
      },
      { Sid: "B", Effect: "Allow", Action: ["sqs:*", "sns:*"], Resource: ["*"] },
    ],
  });
});

it("merges the documents that another one includes, as Terraform does", async () => {
  const statement = (sid: string, action: string) =>
    `statement {\n ${sid === "" ? "" : `sid = "${sid}"\n`} actions = ["${action}"]\n resources = ["*"]\n}`;
  const { properties, config } = await roleWith(
    `source_policy_documents = concat(
      data.aws_iam_policy_document.one[*].json,
      [for k in ["x", "y"] : data.aws_iam_policy_document.each[k].json],
      ["", jsonencode({ Statement = { Sid = "Json", Effect = "Deny", Action = "a:b" } })],
    )
    override_policy_documents = [data.aws_iam_policy_document.over.json]
    ${statement("One", "own:one")}
    ${statement("Own", "own:own")}`,
    `data "aws_iam_policy_document" "one" {
      count     = 1
      policy_id = "first"
      version   = "2008-10-17"
      ${statement("One", "one:one")}
    }
    data "aws_iam_policy_document" "each" {
      for_each = toset(["x", "y"])
      statement {
        sid       = "Each\${each.key}"
        actions   = ["\${each.key}:*"]
        resources = [fake_role.other.arn]
      }
    }
    data "aws_iam_policy_document" "over" {
      ${statement("Own", "over:own")}
      ${statement("", "over:more")}
    }`,
  );
  expect(config).toEqual({});
  const plain = (sid: string, action: string) => ({
    ...(sid === "" ? {} : { Sid: sid }),
    Effect: "Allow",
    Action: [action],
    Resource: ["*"],
  });
  expect(properties?.["Policy"]).toEqual({
    Version: "2012-10-17",
    Id: "first",
    Statement: [
      plain("One", "own:one"),
      { Sid: "Eachx", Effect: "Allow", Action: ["x:*"], Resource: ["${roleOther.Arn}"] },
      { Sid: "Eachy", Effect: "Allow", Action: ["y:*"], Resource: ["${roleOther.Arn}"] },
      { Sid: "Json", Effect: "Deny", Action: "a:b" },
      plain("Own", "over:own"),
      plain("", "over:more"),
    ],
  });
});

it("asks for a document that includes itself, or in which a variable decides on a statement to replace", async () => {
  const itself = await roleWith("source_policy_documents = [data.aws_iam_policy_document.d.json]");
  expect(itself.properties?.["Text"]).toBe("${awsIamPolicyDocumentDJson}");
  const computed = await roleWith(
    `source_policy_documents = [data.aws_iam_policy_document.e.json]
     statement {\n sid = var.sid\n actions = ["a:b"]\n }`,
    `variable "sid" { type = string }
     data "aws_iam_policy_document" "e" {\n statement {\n sid = "A"\n actions = ["a:c"]\n }\n }`,
  );
  expect(computed.properties?.["Text"]).toBe("${awsIamPolicyDocumentDJson}");
});

it.each([
  ["other documents", `source_policy_documents = [var.more]`],
  ["computed statements", `dynamic "statement" {\n for_each = var.more\n content {}\n }`],
  ["a computed type", `statement {\n principals {\n type = var.more\n identifiers = ["a"]\n }\n }`],
])("asks for a document of %s", async (_, document) => {
  const { properties, config } = await roleWith(document, `variable "more" { type = any }`);
  expect(Object.keys(config)).toContain("awsIamPolicyDocumentDJson");
  expect(properties?.["Text"]).toBe("${awsIamPolicyDocumentDJson}");
});
