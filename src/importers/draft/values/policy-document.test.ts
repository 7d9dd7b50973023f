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

it.each([
  ["other documents", `source_policy_documents = [var.more]`],
  ["computed statements", `dynamic "statement" {\n for_each = var.more\n content {}\n }`],
  ["a computed type", `statement {\n principals {\n type = var.more\n identifiers = ["a"]\n }\n }`],
])("asks for a document of %s", async (_, document) => {
  const { properties, config } = await roleWith(document, `variable "more" { type = any }`);
  expect(Object.keys(config)).toContain("awsIamPolicyDocumentDJson");
  expect(properties?.["Text"]).toBe("${awsIamPolicyDocumentDJson}");
});
