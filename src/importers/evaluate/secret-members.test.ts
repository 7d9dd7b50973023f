import { describe, expect, it } from "vitest";
import { literal, type Member } from "#importers/expression.ts";
import { isSecretEntry, namesSecret } from "./secret-members.ts";

function members(of: Readonly<Record<string, string | boolean>>): Member[] {
  return Object.entries(of).map(([name, value]) => ({ name, value: literal(value), line: 1 }));
}

describe("a value beside other settings", () => {
  it.each([
    [{ name: "DB_PASSWORD", value: "x" }],
    [{ key: "api_token", value: "x" }],
    [{ name: "/shop/db", type: "SecureString", value: "x" }],
    [{ key: "A", sensitive: true, value: "x" }],
  ])("is a secret where they mark it: %j", (given) => {
    expect(namesSecret(members(given))).toBe(true);
  });

  it.each([
    [{ name: "PORT", value: "x" }],
    [{ name: "/shop/db", type: "String", value: "x" }],
    [{ key: "A", sensitive: false, value: "x" }],
  ])("is not a secret otherwise: %j", (given) => {
    expect(namesSecret(members(given))).toBe(false);
  });
});

it("is a secret in an entry of a secret store", () => {
  for (const type of ["azurerm_key_vault_secret", "Microsoft.KeyVault/vaults/secrets@2023-07-01"])
    expect(isSecretEntry(type), type).toBe(true);
  for (const type of ["aws_ssm_parameter", "aws_secretsmanager_secret_rotation", "secret_thing"])
    expect(isSecretEntry(type), type).toBe(false);
});
