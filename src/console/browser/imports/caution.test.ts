import { expect, it } from "vitest";
import { cautionOf } from "./caution.ts";

it.each([
  ["a.tfstate", "", "state"],
  ["terraform.tfstate.d/x.tfstate.1700.backup", "", "state"],
  ["a.json", '{"lineage": "x"}', "state"],
  ["show.json", '{"format_version": "1.0", "terraform_version": "1.9"}', "state"],
  [
    "plan.json",
    '{"format_version": "1.0", "terraform_version": "1", "resource_changes": []}',
    "plan",
  ],
  ["x.auto.tfvars", "", "values"],
  ["x.tfvars.json", "{}", "values"],
  ["Pulumi.prod.yaml", "", "values"],
  ["app.parameters.json", "{}", "values"],
  ["key.tf", "a\n-----BEGIN RSA PRIVATE KEY-----", "secrets 2"],
  ["url.yaml", "url: postgres://me:hunter22@db/x", "secrets 1"],
  ["aws.tf", 'key = "AKIAIOSFODNN7EXAMPLE"', "secrets 1"],
  ["a.tf", 'db_password = "hunter2hunter2"', "secrets 1"],
  ["a.json", '{"apiKey": "0123456789"}', "secrets 1"],
  ["a.tf", "password = var.password", "none"],
  ["a.tf", 'password = "${var.password}"', "none"],
  ["a.tf", 'secret_name = "shop"\ntoken_ttl = "3600"', "none"],
  ["a.tf", 'source = "git::https://host/a.git?ref=v1@x"', "none"],
  ["a.tf", `password = "${" ".repeat(900_000)}`, "none"],
])("finds in %s what a person may want to keep", (path, text, expected) => {
  const caution = cautionOf(path, text);
  const lines = caution?.kind === "secrets" ? caution.lines : [];
  expect([caution?.kind ?? "none", ...lines].join(" ")).toBe(expected);
});
