import { describe, expect, it } from "vitest";
import { processorTime } from "#test/support/processor-time.ts";
import type { Expression } from "./expression.ts";
import {
  holdsSecret,
  isHidden,
  isSecretSetting,
  withoutLiterals,
  withoutSecretArguments,
} from "./hidden-values.ts";

describe("a secret value", () => {
  it("has the name of a secret, but not a name about a secret", () => {
    for (const name of [
      "password",
      "adminPassword",
      "DB_PASSWORD",
      "secretKey",
      "api-key",
      "passwords",
      "db_pw",
      "app.example/password",
      "protectedSettings",
      "protected_settings",
      "token.example.com:password",
    ])
      expect(isSecretSetting(name), name).toBe(true);
    for (const name of [
      "secretName",
      "tokenTtl",
      "password_policy",
      "secrets",
      "user",
      "SECRET_ARN",
      "AccessTokenValidity",
      "temporary_password_validity_days",
      "http_tokens",
      "HttpTokens",
      "token.actions.githubusercontent.com:sub",
    ])
      expect(isSecretSetting(name), name).toBe(false);
  });

  it("is in a URL with a password, a private key and an assignment", () => {
    for (const text of [
      "postgres://user:word@host/db",
      "redis://:word@host",
      "-----BEGIN RSA PRIVATE KEY-----\nx",
      "Server=x;Password=word;",
      '{"token": "word"}',
      "--requirepass x --api-key=word",
      'password = "word"',
      "token = 'word'",
      "sh setup.sh --admin-password word",
      "Basic dXNlcjp3b3Jk",
      "Bearer word-of-27",
      btoa("#!/bin/sh\nexport DB_PASSWORD=word"),
      `${btoa("a password=word")}\n`,
    ])
      expect(holdsSecret(text), text).toBe(true);
    for (const text of [
      "https://host:8080/a",
      "arn:aws:iam::1:role/a",
      "user@host",
      "password=",
      "login --password-stdin",
      "sh setup.sh --token $TOKEN",
      "Basic authentication",
      "Basic auth is off here",
      "token = event.token",
      btoa("#!/bin/sh\nexport DB_PASSWORD=$1"),
      "thisIsNoBase64OfAnything",
      "password=${word}",
      "-----BEGIN CERTIFICATE-----",
    ])
      expect(holdsSecret(text), text).toBe(false);
  });

  it("is the argument that follows an option of a command", () => {
    const command = (...words: string[]) => {
      const items = words.map((value): Expression => ({ kind: "literal", value }));
      return withoutSecretArguments(items, 7).map((item) =>
        item.kind === "literal" ? item.value : isHidden(item) ? "hidden" : item.kind,
      );
    };
    expect(command("run", "--db-password", "word", "--port", "80")).toEqual([
      "run",
      "--db-password",
      "hidden",
      "--port",
      "80",
    ]);
    expect(command("redis-server", "--requirepass", "word")).toEqual([
      "redis-server",
      "--requirepass",
      "hidden",
    ]);
    expect(command("-token", "word", "word")).toEqual(["-token", "hidden", "word"]);
    // Another option, a file and a word without dashes are not secrets.
    for (const words of [
      ["--password", "--verbose"],
      ["--password-file", "/run/secrets/a"],
      ["password", "word"],
      ["--token-ttl", "60"],
    ])
      expect(command(...words)).toEqual(words);
  });

  it("is left out of an expression, while its references stay", () => {
    const reference: Expression = {
      kind: "reference",
      target: { kind: "local", name: "a" },
      path: [],
      line: 1,
    };
    const value: Expression = {
      kind: "list",
      items: [
        { kind: "literal", value: "x" },
        { kind: "literal", value: true },
        { kind: "text", parts: [{ kind: "literal", value: "x" }, reference] },
        { kind: "opaque", text: "x", references: [reference], line: 2 },
        { kind: "call", name: "f", args: [{ kind: "literal", value: 7 }], line: 2 },
      ],
    };
    const hidden = { kind: "opaque", text: "", references: [], line: 3 };
    expect(withoutLiterals(value, 3)).toEqual({
      kind: "list",
      items: [
        hidden,
        { kind: "literal", value: true },
        { kind: "text", parts: [hidden, reference] },
        { kind: "opaque", text: "", references: [reference], line: 2 },
        { kind: "call", name: "f", args: [hidden], line: 2 },
      ],
    });
  });

  it("is found in time linear to the text", () => {
    const spentMs = processorTime();
    for (const part of [
      "://",
      "://a:",
      "://a:a",
      "password",
      "-----BEGIN ",
      "token=",
      "_",
      " ",
      "AAAA ",
    ])
      for (const text of [part.repeat(300_000 / part.length)]) {
        holdsSecret(text);
        isSecretSetting(text);
      }
    expect(spentMs()).toBeLessThan(3_000);
  });
});
